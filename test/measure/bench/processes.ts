/** The model and the server of a benchmark, each a process of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { apiCalls, works } from './works.ts'

/** Of Linux, for every process (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100

/** Waits for the first line of output that `pick` finds something in. */
async function started<T>(child: ChildProcess, pick: (line: string) => T | undefined): Promise<T> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const found = pick(line)
    if (found !== undefined) {
      child.stdout!.resume()
      return found
    }
  }
  throw new Error('the process ended before it was ready')
}

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): ChildProcess {
  return spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

export async function startBenchModel(thinkMs: number) {
  const args = ['test/support/model-server.ts', '--port', '0', '--think', `${thinkMs}`, '--json']
  const child = run(args, {})
  const { url } = await started(child, (line) => JSON.parse(line) as { url: string })
  const stats = url.replace(/\/v1$/, '/stats')
  return {
    url,
    stop: () => child.kill(),
    async stats() {
      return (await (await fetch(stats)).json()) as { calls: number; p50_ms: number }
    },
  }
}

/** A receiver of traces as a process of its own. */
export async function startBenchReceiver() {
  const child = run(['test/measure/bench/receiver.ts'], {})
  const url = await started(child, (line) => line)
  return { url, stop: () => child.kill() }
}

export type BenchServer = Awaited<ReturnType<typeof startBenchServer>>

interface ServerOptions {
  /** For Node. */
  readonly flags?: readonly string[]
  /** The checkout whose server it is; this one unless set. */
  readonly root?: string
  /** Settings besides those of every bench. */
  readonly env?: Readonly<Record<string, string>>
}

/** Settings of the Node host with lanes and live children opened to 64. */
export const benchEnv = (data: string, modelUrl: string) => ({
  DATA_DIR: data,
  PORT: '0',
  OPENAI_BASE_URL: modelUrl,
  OPENAI_API_KEY: 'bench',
  STRATA_MODEL: 'openai/scripted',
  LANE_MAIN: '64',
  LANE_SUBAGENT: '64',
  LANE_BACKGROUND: '64',
  MAX_LIVE_CHILDREN: '64',
})

/** The Node host as a process of its own. */
export async function startBenchServer(
  data: string,
  modelUrl: string,
  { flags = [], root, env = {} }: ServerOptions = {},
) {
  const settings = { ...benchEnv(data, modelUrl), ...env }
  const child = run([...flags, 'src/cli/strata.ts', 'serve'], settings, root)
  let url: string | undefined
  const key = await started(child, (line) => {
    url ??= /listens on (\S+)/.exec(line)?.[1]
    return /(strata_\w+)$/.exec(line)?.[1]
  })
  const api = apiCalls(url!, key)
  await api.call(
    'PUT',
    '/v1/policy',
    { approvals: { file_write: 'ask' } },
    { 'if-none-match': '*' },
  )
  return {
    ...works(api),
    url: url!,
    api,
    /** Resident memory of the process. */
    async rssMb(): Promise<number> {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    },
    /** What it has used of the processors so far, in seconds (proc(5): fields 14 and 15). */
    async cpuSeconds(): Promise<number> {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    },
    pid: child.pid!,
    stop: () => child.kill(),
    /** Lets it finish, and write what its flags ask for. */
    async end(): Promise<void> {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
