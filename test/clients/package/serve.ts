/** `strata serve` of an installed package: it names a provider's missing package, and uses it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { environment, ran } from './packed.ts'

const SETTINGS = { OPENAI_API_KEY: 'none', PORT: '0', DATA_DIR: 'served', WARM_UP: 'false' }
const PATIENCE_MS = 60_000

/** Returns all that the server prints before it is told to stop. */
async function printed(app: string): Promise<string> {
  const child = spawn(join(app, 'node_modules/.bin/strata'), ['serve'], {
    ...{ cwd: app, env: { ...environment(), ...SETTINGS }, timeout: PATIENCE_MS },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (piece: Buffer) => {
    if (piece.toString().includes('Next: ')) child.kill('SIGINT')
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return output
}

export async function served(app: string): Promise<string> {
  const without = await printed(app)
  const [, command] = /run `npm (install @ai-sdk\/openai@[\d.]+)` and restart/.exec(without) ?? []
  if (command === undefined || !/Until then, runs are rejected/.test(without))
    throw new Error(`serve without a provider's package prints:\n${without}`)
  // What it prints must be there in an installation.
  if (/npm run|src\/|infra\//.test(without)) throw new Error(`serve prints:\n${without}`)
  ran(app, 'npm', ...command.split(' '), '--no-audit', '--no-fund')
  const output = await printed(app)
  if (/requires the package/.test(output) || !/^Model: openai\//m.test(output))
    throw new Error(`serve with the provider's package prints:\n${output}`)
  return command
}
