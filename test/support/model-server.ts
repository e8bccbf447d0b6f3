/**
 * The scripted model as a process of its own:
 *
 *   node test/support/model-server.ts --port 0 --think 0 --json
 *
 * prints one line, with --json `{"url": "http://127.0.0.1:4567/v1", "pid": 1}`, and serves until it
 * is killed.
 */

import { parseArgs } from 'node:util'
import { startModelServer } from '../../src/testing/model-server.ts'

export * from '../../src/testing/model-server.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      think: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    },
  })
  const thinkMs = Number(values.think)
  const server = await startModelServer({ port: Number(values.port), thinkMs, keep: 0 })
  const line = { url: server.url, pid: process.pid }
  process.stdout.write(
    values.json ? `${JSON.stringify(line)}\n` : `scripted model at ${server.url}\n`,
  )
  // Started by `fork`, it ends with its parent.
  process.on('disconnect', () => process.exit())
}

if (import.meta.main) await main()
