/**
 * Parents and children on the real server, in real time: what the barrier waits for, what reaches
 * the parent, and what becomes of children that fail, dawdle or are no longer wanted.
 */

import { describe, expect, it } from 'vitest'
import { measured } from '../support/measured.ts'
import { until } from '../support/patience.ts'
import {
  childrenOf,
  createRun,
  eventPages,
  type Message,
  type RunShown,
  runToEnd,
  type Server,
  sharedServer,
  transcript,
  untilEnd,
} from '../support/server.ts'

const server = sharedServer({ LANE_MAIN: '2' })

const spawn = (call: object): string => `@spawn 1 ${JSON.stringify(call)}`
const script = (...lines: string[]): string => lines.join('\n')

/** A model call of ten minutes: a test that waited for it would fail by its own time-out. */
const ENDLESS = '@slow 600000'
const startOf = ({ started_at }: RunShown): number => Date.parse(started_at ?? '')
const endOf = ({ ended_at }: RunShown): number => Date.parse(ended_at ?? '')
/** The messages that brought results of subagents. */
const reports = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ text = '' }) => (text.includes('<subagent_result ') ? [text] : []))
const typesOf = async (id: string): Promise<string[]> =>
  (await eventPages(server(), id)).map(({ type }) => type)

/** The children once all of them have ended. */
async function endedChildren(from: Server, id: string): Promise<readonly RunShown[]> {
  const children = await childrenOf(from, id)
  return Promise.all(children.map((child) => untilEnd(from, child.id)))
}

describe('the barrier', () => {
  it('waits for three pending children, then sends one merged message in one more model call [MC-06]', async () => {
    const input = script(
      '@spawn 3 {"task":"@slow 1500\\n@say part {i}","label":"w{i}"}',
      '@await',
      '@say saw {results}',
    )
    const run = await runToEnd(server(), { input })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'saw 3' } })
    const messages = await transcript(server(), run.id)
    const [report = '', ...more] = reports(messages)
    expect(more).toEqual([])
    // A block per child, in the order in which they were spawned.
    expect([...report.matchAll(/\npart (\d)\n/g)].map(([, one]) => one)).toEqual(['1', '2', '3'])
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
    const types = await typesOf(run.id)
    expect(types.filter((type) => type === 'run.waiting')).toHaveLength(1)
    expect(types.filter((type) => type === 'barrier.released')).toHaveLength(1)
    expect(types.slice(types.indexOf('barrier.released'))).toEqual([
      'barrier.released',
      'assistant.message',
      'run.completed',
    ])
  })

  it('runs children that need 4 s each side by side [MC-07]', async () => {
    const input = script('@spawn 3 {"task":"@slow 4000\\n@say part {i}"}', '@await', '@say done')
    const run = await measured('three children', () => runToEnd(server(), { input }), {
      wallMs: 12_000,
    })
    expect(run.children).toMatchObject({ completed: 3 })
    expect(endOf(run) - startOf(run)).toBeGreaterThan(3_900)
    const children = await childrenOf(server(), run.id)
    expect(Math.max(...children.map(startOf))).toBeLessThan(Math.min(...children.map(endOf)))
  })

  it('reports a failed child with its error and leaves the others unaffected [MC-08]', async () => {
    const input = script(
      spawn({ label: 'good', task: '@say fine' }),
      spawn({ label: 'bad', task: '@text half-way\n@call file_list {}\n@fail 400' }),
      '@await',
      '@say saw {results}',
    )
    const run = await runToEnd(server(), { input })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'saw 2' } })
    expect(run.children).toMatchObject({ completed: 1, failed: 1 })
    const [report = ''] = reports(await transcript(server(), run.id))
    expect(report).toMatch(/"label":"good".*"status":"completed".*\n+fine\n/)
    expect(report).toMatch(/"label":"bad".*"status":"failed".*"error":\{"code":"model_rejected"/)
    expect(report, 'a partial text is told as no result').toMatch(
      /"label":"bad".*"note":"[^"]*not an answer/,
    )
    const types = await typesOf(run.id)
    expect(types.filter((type) => type === 'subagent.failed')).toHaveLength(1)
    expect(types.filter((type) => type === 'subagent.announced')).toHaveLength(1)
  })

  it('reports a child beyond the deadline as timed out, and the parent continues [MC-09]', async () => {
    const input = script(
      spawn({ label: 'fast', task: '@say fine' }),
      spawn({ label: 'slow', task: `${ENDLESS}\n@say late` }),
      '@await 2',
      '@say saw {results}',
    )
    const run = await runToEnd(server(), { input, join: { deadline_seconds: 5 } })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'saw 2' } })
    const [report = ''] = reports(await transcript(server(), run.id))
    expect(report).toMatch(/"label":"slow".*"status":"timed_out"/)
    const log = await eventPages(server(), run.id)
    const released = log.filter(({ type }) => type === 'barrier.released')
    expect(released.map(({ data }) => data.reason)).toEqual(['deadline'])
    expect(released[0]?.data.missing).toHaveLength(1)
    // By default the rest is not left running.
    const children = await endedChildren(server(), run.id)
    expect(children.map(({ label, status }) => `${label} ${status}`).sort()).toEqual([
      'fast completed',
      'slow cancelled',
    ])
  })

  it('with `any` releases the parent at the first result, and marks later results as late [X-08]', async () => {
    const input = script(
      spawn({ label: 'fast', task: '@say fine' }),
      spawn({ label: 'slower', task: '@slow 3000\n@say fine too' }),
      '@await 1',
      '@slow 6000',
      '@say saw {results}',
    )
    const join = { policy: 'any', cancel_rest: false }
    const run = await runToEnd(server(), { input, join })
    // One result, and one block that says who was not waited for.
    expect(run).toMatchObject({ status: 'completed', output: { text: 'saw 2' } })
    const log = await eventPages(server(), run.id)
    const released = log.filter(({ type }) => type === 'barrier.released')
    expect(released).toHaveLength(1)
    expect(released[0]?.data).toMatchObject({ reason: 'joined' })
    expect(released[0]?.data.calls).toHaveLength(1)
    expect(released[0]?.data.missing).toHaveLength(1)
    const types = log.map(({ type }) => type)
    const after = types.slice(types.indexOf('barrier.released') + 1)
    expect(after).toEqual(['subagent.announced', 'assistant.message', 'run.completed'])
  })

  it('reports children that end at the same moment, each once [X-06]', async () => {
    const input = script('@spawn 3 {"task":"@say part {i}"}', '@await', '@say saw {results}')
    for (let round = 0; round < 5; round += 1) {
      const run = await runToEnd(server(), { input })
      expect(run.output?.text).toBe('saw 3')
      const blocks = reports(await transcript(server(), run.id)).join('\n')
      expect([...blocks.matchAll(/<subagent_result /g)]).toHaveLength(3)
      const types = await typesOf(run.id)
      expect(types.filter((type) => type === 'subagent.announced')).toHaveLength(3)
    }
  })
})

describe('time limits', () => {
  it("a spawn's run_timeout_seconds applies to the child [MC-16]", async () => {
    const input = script(
      spawn({ label: 'slow', run_timeout_seconds: 1, task: `${ENDLESS}\n@say late` }),
      '@await',
      '@say saw {results}',
    )
    const run = await runToEnd(server(), { input })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'saw 1' } })
    const [child] = await childrenOf(server(), run.id)
    expect(child).toMatchObject({ status: 'timed_out', error: { code: 'timeout' } })
  })
  it('timeout_seconds of a run and timeoutSeconds of its agent file apply [MC-16]', async () => {
    const file = '---\nname: hasty\ndescription: Has no time.\ntimeoutSeconds: 1\n---\nHurry.\n'
    const path = '/v1/files/base/.agents/agents/hasty.md'
    expect((await server().ask(path, { method: 'PUT', body: file })).status).toBe(201)
    const input = `${ENDLESS}\n@say late`
    const runs = await Promise.all([
      runToEnd(server(), { input, agent: 'hasty' }),
      runToEnd(server(), { input, limits: { timeout_seconds: 1 } }),
    ])
    for (const run of runs) {
      expect(run).toMatchObject({ status: 'timed_out', stop_reason: 'timeout' })
    }
  })
})

const LIVE = /^(queued|running|waiting)$/

describe('cancellation', () => {
  /** Its answer waits two seconds for the end, which a busy machine may miss. */
  const cancel = async (id: string): Promise<RunShown> => {
    const asked = () => server().get<RunShown>(`/v1/runs/${id}/cancel`, { method: 'POST' })
    const answer = await asked()
    if (LIVE.test(answer.status)) await untilEnd(server(), id)
    return LIVE.test(answer.status) ? asked() : answer
  }

  it('of a parent marks its children as cancelled, not failed [MC-14]', async () => {
    const input = script(`@spawn 3 {"task":"${ENDLESS}\\n@say late"}`, '@await', '@say never')
    const { id } = await createRun(server(), { input })
    await until('three children', async () => (await childrenOf(server(), id)).length === 3)
    expect((await cancel(id)).status).toBe('cancelled')
    const children = await endedChildren(server(), id)
    expect(children.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })

  it('of a queued run prevents its start [X-18]', async () => {
    const blocking = `${ENDLESS}\n@say done`
    const busy = await Promise.all([1, 2].map(() => createRun(server(), { input: blocking })))
    const { id, status } = await createRun(server(), { input: '@say I ran' })
    expect(status).toBe('queued')
    expect((await cancel(id)).status).toBe('cancelled')
    // The lane is free again: who waits in it would start now, and does.
    for (const run of busy) await cancel(run.id)
    expect(await runToEnd(server(), { input: '@say next' })).toMatchObject({ status: 'completed' })
    expect(await typesOf(id)).toEqual(['run.created', 'cancel.requested', 'run.cancelled'])
    const asked = server().model.requests.filter(({ body }) =>
      JSON.stringify(body).includes('I ran'),
    )
    expect(asked).toEqual([])
  })

  it('of a cancelled or ended run changes nothing [X-20]', async () => {
    const { id } = await createRun(server(), { input: `${ENDLESS}\n@say late` })
    const first = await cancel(id)
    expect(first.status).toBe('cancelled')
    const log = await eventPages(server(), id)
    expect(await cancel(id)).toEqual(first)
    expect(await eventPages(server(), id)).toEqual(log)
    const done = await runToEnd(server(), { input: '@say done' })
    expect((await cancel(done.id)).status).toBe('completed')
    expect(await typesOf(done.id)).not.toContain('cancel.requested')
  })
})

describe('sessions_spawn', () => {
  it('refuses impossible spawns with the reason, and the run continues [GC-40 GC-41 GC-42]', async () => {
    await server().ask('/v1/files/repos/file', { method: 'PUT', body: 'x' })
    const input = script(
      spawn({ task: 'x', repo_dir: 'repos/none' }),
      spawn({ task: 'x', repo_dir: 'repos/file' }),
      spawn({ task: 'x', run_timeout_seconds: -1 }),
      spawn({ task: ' ' }),
      '@say saw {tools}',
    )
    const run = await runToEnd(server(), { input })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'saw 4' } })
    expect(run.children).toMatchObject({ total: 0 })
    const results = (await transcript(server(), run.id)).flatMap((one) => one.results ?? [])
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true, true])
    const [missing, file, negative, blank] = results.map(({ text }) => text)
    expect(missing).toMatch(/repos\/none.*does not exist/)
    expect(file).toMatch(/repos\/file.*is a file, not a directory/)
    expect(negative).toMatch(/run_timeout_seconds must be >= 0/)
    expect(blank).toMatch(/task is required/)
  })

  it('is not offered to a child, and its call is refused [NC-21]', async () => {
    const names = ['sessions_spawn', 'spawn_agent', 'Task', 'Agent']
    const task = script(
      ...names.map((name) => `@call ${name} {"task":"x"}`),
      '@say {tools} refused',
    )
    const input = script(spawn({ task }), '@await', '@say done')
    const run = await runToEnd(server(), { input })
    const [child] = await childrenOf(server(), run.id)
    expect(child).toMatchObject({ status: 'completed', output: { text: '4 refused' } })
    const results = (await transcript(server(), child!.id)).flatMap((one) => one.results ?? [])
    for (const { text } of results) expect(text).toMatch('Nested spawn is not allowed')
    const offered = server().model.requests.flatMap(({ body }) => {
      const own = body.messages.some(({ role, content }) => role === 'user' && content === task)
      return own ? (body.tools as { function: { name: string } }[]) : []
    })
    expect(offered.length).toBeGreaterThan(0)
    expect(offered.filter(({ function: { name } }) => names.includes(name))).toEqual([])
  })
})
