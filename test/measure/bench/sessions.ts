/**
 * `npm run bench -- sessions [folder] [--turns N]`: one session of 10,000 turns on the real server.
 * The cost of a turn early and late: milliseconds of the server's processor, milliseconds of the
 * clock, and bytes that the folder grew by. The model's window is small, so that a conversation is
 * shortened every few dozen turns and what a turn shows stays alike; what is left must be flat.
 */

import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startBenchModel, startBenchServer } from './processes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: 'string', default: '10000' } },
})
const TURNS = Number(values.turns)
const STRETCH = Math.floor(TURNS / 10)

/** Milliseconds of processor time that a process has taken. */
async function processorMs(pid: number): Promise<number> {
  const [, rest = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Bytes of all files below a folder. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(positionals[0] ?? '.', '.bench-'))
  const model = await startBenchModel(0)
  const models = { 'openai/scripted': { window: 6_000 } }
  const server = await startBenchServer(resolve(dir, 'data'), model.url, {
    env: { STRATA_PROVIDERS: JSON.stringify({ models }) },
  })
  try {
    const call = async (path: string, body: object): Promise<Record<string, string>> =>
      (await server.api.call('POST', path, body, WAIT)).json() as Promise<Record<string, string>>
    const session_id = (await call('/v1/sessions', {})).id
    const rows: Record<string, number>[] = []
    for (let from = 0; from < TURNS; from += STRETCH) {
      const [cpu, bytes, began] = [
        await processorMs(server.pid),
        await bytesIn(dir),
        performance.now(),
      ]
      for (let turn = from; turn < from + STRETCH; turn += 1) {
        const input = `@say answer ${turn}`
        const { status } = await call('/v1/runs', { input, session_id })
        if (status !== 'completed') throw new Error(`turn ${turn} is ${status}`)
      }
      rows.push({
        turns: from + STRETCH,
        cpu_ms: ((await processorMs(server.pid)) - cpu) / STRETCH,
        ms: (performance.now() - began) / STRETCH,
        bytes: ((await bytesIn(dir)) - bytes) / STRETCH,
      })
    }
    const [, first = {}] = rows
    const last = rows.at(-1) ?? {}
    const ratio = (name: string): string => (last[name]! / first[name]!).toFixed(2)
    console.table(rows)
    console.log(
      `last tenth to second: cpu ${ratio('cpu_ms')}, ms ${ratio('ms')}, bytes ${ratio('bytes')}`,
    )
  } finally {
    server.stop()
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

const WAIT = { prefer: 'wait=60' }

await main()
