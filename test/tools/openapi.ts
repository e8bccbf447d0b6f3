/**
 * `npm run openapi`: writes openapi.yaml from the routes, and of it the names of the client's
 * methods for samples and its types. With `--check`: fails when one of the first two differs.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { Document, isCollection, isMap, parse } from 'yaml'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { openapi } from '../../src/http/openapi/document.ts'
import { CALLS_FILE, clientCalls } from './client-calls.ts'
import { ensureClientTypes } from './client-types/main.ts'

const HEADER = '# Generated from the routes by `npm run openapi`. Do not edit by hand.\n'
const WIDTH = 100

/** The document as it must stand in the repository. */
export function openapiYaml(): string {
  const { routes } = createApp(memoryWorld())
  const document = new Document(openapi(routes), { aliasDuplicateObjects: false })
  joinLines(document.contents, 0, 0)
  return HEADER + document.toString({ lineWidth: WIDTH })
}

/**
 * Puts each list and each object on one line where it fits: half as many lines to read. Its JSON is
 * about as long as its YAML.
 */
function joinLines(node: unknown, column: number, indent: number): void {
  if (!isCollection(node)) return
  const json = JSON.stringify(node)
  if (column + json.length <= WIDTH && !json.includes('\\n')) {
    node.flow = true
    return
  }
  if (!isMap(node)) for (const item of node.items) joinLines(item, indent + 2, indent + 2)
  else {
    for (const { key, value } of node.items)
      joinLines(value, indent + `${key}: `.length, indent + 2)
  }
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
