/**
 * The types of the client, `src/client/contract.ts`, which openapi-typescript makes of openapi.yaml.
 * Left out: examples, refusals (one `Problem`) and headers of answers.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { installed } from '../support/install.ts'

const ROOT = join(import.meta.dirname, '../..')
const HEADER = '/** Generated from openapi.yaml by `npm run openapi`. Do not edit by hand. */\n\n'

export const TYPES_FILE = join(ROOT, 'src/client/contract.ts')

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Properties may be called `examples`: only lists are examples of a schema. */
function withoutExamples(value: unknown): void {
  if (!isNode(value)) return
  if (Array.isArray(value.examples)) delete value.examples
  for (const one of Object.values(value)) withoutExamples(one)
}

function withoutRefusals(document: Node): void {
  for (const path of Object.values(document.paths as Node)) {
    for (const operation of Object.values(path as Node)) {
      if (!isNode(operation) || !isNode(operation.responses)) continue
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) delete operation.responses[status]
        else if (isNode(response)) delete response.headers
      }
    }
  }
}

/** The text of the file for this contract. */
export function clientTypes(yaml: string): string {
  const document = parse(yaml) as Node
  withoutExamples(document)
  withoutRefusals(document)
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'))
  try {
    const [from, to] = [join(folder, 'openapi.json'), join(folder, 'contract.ts')]
    writeFileSync(from, JSON.stringify(document))
    const program = join(installed(join(ROOT, 'test/clients')), 'openapi-typescript/bin/cli.js')
    const { status, stderr } = spawnSync(process.execPath, [program, from, '-o', to], {
      // Away from redocly.yaml, whose rules for openapi.yaml it would apply.
      ...{ cwd: folder, encoding: 'utf8' },
    })
    if (status !== 0) throw new Error(`openapi-typescript failed: ${stderr}`)
    return HEADER + readFileSync(to, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n+/, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
