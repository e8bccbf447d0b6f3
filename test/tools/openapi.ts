/**
 * `npm run openapi`: writes openapi.yaml from the routes, and of it the names of the client's
 * methods for samples and its types. With `--check`: fails when one of the first two differs.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { openapi } from '../../src/http/openapi/document.ts'
import { CALLS_FILE, clientCalls } from './client-calls.ts'
import { ensureClientTypes } from './client-types/main.ts'

const HEADER = '# Generated from the routes by `npm run openapi`. Do not edit by hand.\n'

/** The document as it must stand in the repository. */
export function openapiYaml(): string {
  const { routes } = createApp(memoryWorld())
  return HEADER + stringify(openapi(routes), { aliasDuplicateObjects: false, lineWidth: 100 })
}

export const OPENAPI_FILE = new URL('../../openapi.yaml', import.meta.url)

if (import.meta.main) {
  const yaml = openapiYaml()
  const made = [
    ['openapi.yaml', OPENAPI_FILE, yaml],
    ['src/http/docs/client-calls.ts', CALLS_FILE, await clientCalls(parse(yaml).paths)],
  ] as const
  for (const [name, file, text] of made) {
    if (!process.argv.includes('--check')) await writeFile(file, text)
    else if ((await readFile(file, 'utf8')) !== text) {
      console.error(`${name} is not what the routes say: run \`npm run openapi\``)
      process.exitCode = 1
    }
  }
  if (!process.argv.includes('--check')) ensureClientTypes()
}
