/**
 * The types of the client, `src/client/contract.ts`, which openapi-typescript generates from
 * openapi.yaml. Git ignores the file: `npm ci`, `npm run lint`, and the build generate it when
 * openapi.yaml or this folder has changed. Examples, refusals (one `Problem`), and headers of
 * answers are left out.
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { installed } from '../../support/install.ts'

const HERE = import.meta.dirname
const ROOT = join(HERE, '../../..')
const CONTRACT = join(ROOT, 'openapi.yaml')
const TYPES = join(ROOT, 'src/client/contract.ts')

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

/** Generates the file unless it is that of this contract and this generator. */
export function ensureClientTypes(): void {
  const sources = [CONTRACT, join(HERE, 'main.ts'), join(HERE, 'package-lock.json')]
  const hash = createHash('sha256')
  for (const source of sources) hash.update(readFileSync(source))
  const header = `/** Generated from openapi.yaml, digest ${hash.digest('hex').slice(0, 16)}. */\n\n`
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(header)) return
  const document = parse(readFileSync(CONTRACT, 'utf8')) as Node
  withoutExamples(document)
  withoutRefusals(document)
  const program = join(installed(HERE), 'openapi-typescript/bin/cli.js')
  // Beside the file, so that the rename is atomic, and away from redocly.yaml, whose rules for
  // openapi.yaml the generator would apply.
  const folder = mkdtempSync(join(ROOT, 'src/client/.generated-'))
  try {
    const [from, to] = [join(folder, 'openapi.json'), join(folder, 'contract.ts')]
    writeFileSync(from, JSON.stringify(document))
    const { status, stderr } = spawnSync(process.execPath, [program, from, '-o', to], {
      ...{ cwd: folder, encoding: 'utf8' },
    })
    if (status !== 0) throw new Error(`openapi-typescript failed: ${stderr}`)
    writeFileSync(to, header + readFileSync(to, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n+/, ''))
    renameSync(to, TYPES)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) ensureClientTypes()
