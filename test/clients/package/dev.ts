/** `npx strata dev` and `init` in a folder that has the package: what a person types first. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reference } from '../../support/reference.ts'
import { environment, ran, ranWith } from './packed.ts'

const FIRST_RUN_MS = 20_000
const PATIENCE_MS = 60_000
const STOP_MS = 6_000

interface Dev {
  readonly url: string
  readonly key: string
  output(): string
  /** What Ctrl-C in its terminal does; the exit code. */
  interrupt(): Promise<number | null>
}

/** Resolves once it has printed its last line; it must have said where it is and what its key is. */
async function started(folder: string, command: readonly [string, ...string[]]): Promise<Dev> {
  const [program, ...args] = command
  const child = spawn(program, [...args, 'dev', '--port', '0'], {
    ...{ cwd: folder, env: environment(), detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const add = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const ended = once(child, 'exit') as Promise<[number | null]>
  const kill = (): void => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  }
  process.once('exit', kill)
  for (let waited = 0; !output.includes('Press Ctrl-C to stop'); waited += 20) {
    if (child.exitCode !== null || waited > PATIENCE_MS) throw new Error(`strata dev:\n${output}`)
    await sleep(20)
  }
  const part = (pattern: RegExp): string => {
    const [, found] = pattern.exec(output) ?? []
    if (found === undefined) throw new Error(`strata dev never printed ${pattern}:\n${output}`)
    return found
  }
  return {
    url: part(/listens on (\S+)/),
    key: part(/API key: +(strata_\S+)/),
    output: () => output,
    async interrupt() {
      process.kill(-child.pid!, 'SIGINT')
      const [code] = await ended
      // npx dies of the signal at once; the server has to come to its end.
      for (let waited = 0; isAlive(child.pid!); waited += 20) {
        if (waited > STOP_MS) throw new Error(`it goes on after Ctrl-C:\n${output}`)
        await sleep(20)
      }
      process.off('exit', kill)
      return code
    },
  }
}

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

async function asked<T>({ url, key }: Dev, path: string, json?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    prefer: 'wait=30',
  }
  const body = json && { method: 'POST', body: JSON.stringify(json) }
  const answer = await fetch(url + path, { headers, ...body })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

interface Run {
  readonly status: string
  readonly output: { readonly text: string } | null
}
const expectRun = ({ status, output }: Run, text: string): void => {
  if (status === 'completed' && output?.text === text) return
  throw new Error(`a run ended as ${status} with ${JSON.stringify(output)}, not with ${text}`)
}

/** Milliseconds from the command to the end of the first run. */
export async function firstRun(folder: string): Promise<number> {
  const began = performance.now()
  const dev = await started(folder, ['npx', 'strata'])
  expectRun(await asked(dev, '/v1/runs', { input: '@say Hello.' }), 'Hello.')
  const took = performance.now() - began
  if (took > FIRST_RUN_MS * Math.max(1, reference()))
    throw new Error(`the first run ended after ${Math.round(took)} ms`)
  if (!/scripted model answers/.test(dev.output())) throw new Error(`not said:\n${dev.output()}`)
  const docs = await fetch(`${dev.url}/docs`)
  if (docs.status !== 200) throw new Error(`/docs answers ${docs.status}`)
  await layerIsRead(dev, folder)
  await dev.interrupt()
  await sameKey(folder, dev.key)
  return took
}

/** What `strata init` writes while it runs is pushed; it loads with no finding, and runs. */
async function layerIsRead(dev: Dev, folder: string): Promise<void> {
  const mine = join(folder, '.env.example')
  await writeFile(mine, '# mine\n')
  const said = ran(folder, 'npx', 'strata', 'init')
  if (!/kept +\.env\.example/.test(said) || (await readFile(mine, 'utf8')) !== '# mine\n')
    throw new Error(`init does not say that it kept a file:\n${said}`)
  const findings = ran(folder, 'npx', 'strata', 'check', 'base', '--json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: string; diagnostics: readonly unknown[] })
  if (findings.some((one) => one.status !== 'loaded' || one.diagnostics.length > 0))
    throw new Error(`a layer of init has findings: ${JSON.stringify(findings)}`)
  const tested = ran(folder, 'npx', 'strata', 'test')
  if (!tested.includes('1 test: 1 ok')) throw new Error(`the test of init fails:\n${tested}`)
  for (let waited = 0; !/pushed 4 files to base\//.test(dev.output()); waited += 20) {
    if (waited > PATIENCE_MS) throw new Error(`the layer was not pushed:\n${dev.output()}`)
    await sleep(20)
  }
  const env = { STRATA_URL: dev.url, STRATA_API_KEY: dev.key }
  const resolved = ranWith(env, folder, 'npx', 'strata', 'resolve')
  for (const row of [/^agent +researcher /m, /^skill +report /m, /^server +tickets /m])
    if (!row.test(resolved)) throw new Error(`no ${row} in:\n${resolved}`)
  ranWith(env, folder, 'npx', 'strata', 'schedule', 'morning', '--on')
  const run = { input: '@call skill {"name": "report"}\n@say Done.', agent: 'researcher' }
  expectRun(await asked(dev, '/v1/runs', run), 'Done.')
}

async function sameKey(folder: string, key: string): Promise<void> {
  const again = await started(folder, [join(folder, 'node_modules/.bin/strata')])
  if (again.key !== key) throw new Error('the next start has another key')
  const code = await again.interrupt()
  if (code !== 0) throw new Error(`after Ctrl-C it ended with ${code}:\n${again.output()}`)
}
