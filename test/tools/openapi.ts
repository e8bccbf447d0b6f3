/** `npm run openapi`: writes openapi.yaml from the routes. With `--check`: fails when it differs. */

import { readFile, writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { openapi } from '../../src/http/openapi/document.ts'

const HEADER = '# Generated from the routes by `npm run openapi`. Do not edit by hand.\n'

/** The document as it must stand in the repository. */
export function openapiYaml(): string {
  const { routes } = createApp(memoryWorld())
  return HEADER + stringify(openapi(routes), { aliasDuplicateObjects: false, lineWidth: 100 })
}

export const OPENAPI_FILE = new URL('../../openapi.yaml', import.meta.url)

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const same = (await readFile(OPENAPI_FILE, 'utf8')) === openapiYaml()
    process.exitCode = same ? 0 : 1
    if (!same) console.error('openapi.yaml is not what the routes say: run `npm run openapi`')
  } else await writeFile(OPENAPI_FILE, openapiYaml())
}
