/**
 * Long processes (`shell_start` and its like): read, written to, killed; they die with their run
 * and with the server, and a read after a restart says so.
 */

import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { allowCommands } from '../contract/host-shell.ts'
import { eventually } from '../contract/store/kit.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { noSandbox } from '../support/sandbox.ts'
import {
  createRun,
  eventPages,
  runToEnd,
  type Server,
  startServer,
  transcript,
  untilEnd,
} from '../support/server.ts'

/** Processes that together take what none of them may take. */
const HUNGRY =
  "for n in 1 2 3 4 5 6 7 8; do (x=$(head -c 50000000 /dev/zero | tr '\\0' x); sleep 60) & done; wait"

const TOOLS = ['shell_execute', 'shell_start', 'shell_write']

async function serverWith(env: Readonly<Record<string, string>> = {}) {
  const model = await startModelServer()
  cleanup.push(model.close)
  const all = { OPENAI_BASE_URL: model.url, ALLOW_SHELL: 'true', ...env }
  const server = await startServer({ env: all })
  await allowCommands(server, TOOLS)
  return { server, env: all }
}

const call = (tool: string, given: object): string =>
  `@call ${tool} ${JSON.stringify(given)}\n@then\n`

async function resultsOf(server: Server, id: string): Promise<{ status: string; text: string }[]> {
  const events = await eventPages(server, id)
  return events
    .filter(({ type }) => type === 'tool.result')
    .map(({ data }) => data as unknown as { status: string; text: string })
}

/** The sleepers of this length on the machine, in whatever sandbox. */
async function sleepers(seconds: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  )
  return lines.filter((line) => line === `sleep\0${seconds}\0`)
}

/** Ids are told by the results of starts, which a scripted model must know beforehand. */
async function idOf(server: Server, index: number): Promise<string> {
  const probe = await runToEnd(server, {
    input: `${call('shell_start', { command: 'true' })}@say x`,
  })
  const [result] = await resultsOf(server, probe.id)
  const [, count, nonce] = /^shell_id: sh(\d+)-([0-9a-f]{8})$/.exec(result!.text)!
  return `sh${Number(count) + index}-${nonce}`
}

describe.skipIf(noSandbox)(`long processes${noSandbox ? `: ${noSandbox}` : ''}`, () => {
  it('can be read, written to, and killed, and their changes are written back', async () => {
    const { server } = await serverWith()
    const shell_id = await idOf(server, 1)
    const steps = [
      call('file_write', { path: 'a.txt', content: 'one' }),
      call('shell_start', {
        command: 'echo begun; while read x; do echo "got $x"; echo $x > a.txt; done',
      }),
      call('shell_read', { shell_id, wait_seconds: 10 }),
      call('shell_write', { shell_id, input: 'two\n' }),
      call('shell_read', { shell_id, wait_seconds: 10 }),
      call('shell_read', { shell_id }),
      call('shell_kill', { shell_id }),
      call('file_read', { path: 'a.txt' }),
      call('shell_write', { shell_id, input: 'three\n' }),
      call('shell_read', { shell_id }),
      call('shell_read', { shell_id: 'sh999-none' }),
    ]
    const { id } = await runToEnd(server, { input: `${steps.join('')}@say x` })
    const texts = (await resultsOf(server, id)).map(({ text }) => text).slice(1)
    expect(texts[0]).toBe(`shell_id: ${shell_id}`)
    expect(texts[1]).toBe('running\noutput:\nbegun')
    expect(texts.slice(2, 5)).toEqual(['written', 'running\noutput:\ngot two', 'running'])
    expect(texts[5]).toBe('exit code: 137; 1 files written\n[ended because it was killed]')
    expect(texts[6]).toContain('two')
    expect(texts[7]).toContain('has ended; nothing was written')
    expect(texts[8]).toBe('exit code: 137')
    expect(texts[9]).toBe('This run has no process with that shell_id.')
  })

  it('end with their run, completed or cancelled, and leave nothing behind', async () => {
    const { server } = await serverWith()
    const start = call('shell_start', { command: 'sleep 98761' })
    await runToEnd(server, { input: `${start}@say x` })
    await eventually(async () => expect(await sleepers(98_761)).toEqual([]))
    const { id } = await createRun(server, { input: `${start}${start}@slow 60000\n@say never` })
    await eventually(async () => expect(await sleepers(98_761)).toHaveLength(2))
    await server.get(`/v1/runs/${id}/cancel`, { method: 'POST' })
    await untilEnd(server, id)
    await eventually(async () => expect(await sleepers(98_761)).toEqual([]))
    const folders = `strata-shell-${server.process.child.pid}-`
    await eventually(async () =>
      expect((await readdir(tmpdir())).filter((name) => name.startsWith(folders))).toEqual([]),
    )
  })

  it('die with the server; a read after its restart reports that, and the run continues', async () => {
    const { server, env } = await serverWith()
    const shell_id = await idOf(server, 1)
    const start = call('shell_start', { command: 'sleep 98762' })
    const waits = '@call ask_user {"question":"Go on?"}\n@then\n'
    const reads = call('shell_read', { shell_id })
    const asked = await createRun(server, { input: `${start}${waits}${reads}@say {last}` })
    await eventually(async () =>
      expect(await server.get(`/v1/runs/${asked.id}`)).toMatchObject({ waiting_on: 'input' }),
    )
    await eventually(async () => expect(await sleepers(98_762)).toHaveLength(1))
    await server.process.stop('SIGKILL')
    await eventually(async () => expect(await sleepers(98_762)).toEqual([]))
    const after = await startServer({ before: server, env })
    await after.get(`/v1/runs/${asked.id}/messages`, { method: 'POST', json: { content: 'yes' } })
    expect(await untilEnd(after, asked.id)).toMatchObject({ status: 'completed' })
    const last = (await resultsOf(after, asked.id)).at(-1)
    expect(last).toMatchObject({ status: 'unknown' })
    expect(last!.text).toContain('ended when its server restarted')
    const left = `${tmpdir()}/strata-shell-${server.process.child.pid}-`
    expect((await readdir(tmpdir())).some((name) => left.endsWith(name))).toBe(false)
  })

  it('are limited per run, a fork bomb ends alone, and endless output is cut', async () => {
    const { server } = await serverWith()
    const printing = await idOf(server, 1)
    const hungry = printing.replace(/\d+/, (count) => String(Number(count) + 1))
    const steps = [
      call('shell_start', { command: 'yes otter' }),
      call('shell_start', {
        command: HUNGRY,
      }),
      call('shell_read', { shell_id: hungry, wait_seconds: 60 }),
      call('shell_read', { shell_id: printing, wait_seconds: 1 }),
      ...Array.from({ length: 4 }, () => call('shell_start', { command: 'sleep 60' })),
    ]
    const { id } = await runToEnd(server, { input: `${steps.join('')}@say x` })
    const results = await resultsOf(server, id)
    expect(results[2]!.text).toContain('bytes of memory')
    // A long text lies beside the log.
    const shown = (await transcript(server, id)).flatMap(({ results: all = [] }) => all)
    expect(shown[3]!.text).toMatch(/^running\n\[cut: first \d+ bytes\]\noutput:/)
    expect(shown[3]!.text.length).toBeLessThan(70_000)
    expect(results[7]).toMatchObject({
      status: 'error',
      text: expect.stringContaining('limit of 4 live processes'),
    })
  })
})
