/** The client of `src/client` against the real server: restarts, pages, errors, conditions, files. */

import { describe, expect, it } from 'vitest'
import {
  ConnectionError,
  createClient,
  ProblemError,
  type RunEvent,
  type StrataError,
  TimeoutError,
} from '../../src/client/index.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { measured } from '../support/measured.ts'
import { startModelServer } from '../support/model-server.ts'
import { eventually } from '../support/patience.ts'
import { PNG } from '../support/pictures.ts'
import { sharedServer, startServer } from '../support/server.ts'

const FREE = '49'
const spawns = (count: number): string =>
  `@spawn ${count} {"task":"@say child"}\n@await\n@say {results} reported`

describe('the client', () => {
  const server = sharedServer()
  const strata = () => createClient({ url: server().url, apiKey: server().key })

  it('creates a run, waits for it, and reads its transcript', async () => {
    const run = await strata().runs.createAndWait({ input: '@say hello' })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'hello' } })
    const { data } = await strata().runs.transcript(run.id)
    expect(data.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('sends the request of a run again, as it is and edited', async () => {
    const data = Buffer.from('@say hello').toString('base64')
    const input = [
      { type: 'text' as const, text: '@say hello' },
      { type: 'file' as const, data, name: 'a.txt' },
    ]
    const first = await strata().runs.createAndWait({ input, context: 'Known.', label: 'one' })
    const { request, omitted } = await strata().runs.input(first.id)
    expect({ request, omitted }).toEqual({
      request: { input, context: 'Known.', label: 'one' },
      omitted: [],
    })
    const second = await strata().runs.createAndWait(request)
    expect((await strata().runs.input(second.id)).request).toEqual(request)
    const edited = await strata().runs.createAndWait({ ...request, label: 'two' })
    expect(edited).toMatchObject({ status: 'completed', label: 'two' })
  })

  it('reads the policy with the ETag that a change of it requires, and limits by name', async () => {
    const { policy, etag } = await strata().policy.getVersion()
    expect(await strata().policy.get()).toEqual(policy)
    const changed = { ...policy, strict: !policy.strict }
    expect(await strata().policy.put(changed, { ifMatch: etag })).toEqual(changed)
    await expect(strata().policy.put(policy, { ifMatch: etag })).rejects.toMatchObject({
      code: 'precondition_failed',
    })
    const next = await strata().policy.getVersion()
    await strata().policy.put(policy, { ifMatch: next.etag })
    const limits = await strata().limits.list()
    expect(limits.steps_max?.value).toBeGreaterThan(0)
  })

  it('returns the unfinished run when the time to wait is over', async () => {
    const { id } = await strata().runs.create({ input: '@slow 20000\n@say late' })
    const run = await strata().runs.wait(id, { forMs: 300 })
    expect(['queued', 'running', 'waiting']).toContain(run.status)
    expect((await strata().runs.cancel(id)).id).toBe(id)
    expect(await strata().runs.wait(id)).toMatchObject({ status: 'cancelled' })
  })

  it('streams typed events with live text, including those of subagents on request', async () => {
    const types: string[] = []
    let text = ''
    for await (const event of strata().runs.stream({ input: '@say one two' })) {
      types.push(event.type)
      if (event.type === 'run.completed') text = String(event.data.output?.text)
    }
    expect(types[0]).toBe('run.created')
    expect(types.at(-1)).toBe('run.completed')
    expect(text).toBe('one two')
    const { id } = await strata().runs.create({ input: spawns(2) })
    const completed = new Set<string>()
    for await (const event of strata().runs.stream(id, { tree: true }))
      if (event.type === 'run.completed') completed.add(event.run_id)
    expect(completed.size).toBe(3)
    // A run that has ended is streamed from its log.
    const again: string[] = []
    for await (const { type } of strata().runs.stream(id)) again.push(type)
    expect(again.at(-1)).toBe('run.completed')
  })

  it('reads the bytes of a picture that an event names by digest', async () => {
    const data = PNG.toString('base64')
    const input = [
      { type: 'text' as const, text: '@say seen' },
      { type: 'image' as const, data },
    ]
    const { id } = await strata().runs.createAndWait({ input })
    const { data: events } = await strata().runs.events(id)
    const [, digest = ''] =
      /"media":.*"digest":"([0-9a-f]{64})"/.exec(JSON.stringify(events[0])) ?? []
    expect(Buffer.from(await strata().runs.media(id, digest)).equals(PNG)).toBe(true)
  })

  it('reads the full text of which an event shows the beginning', async () => {
    const input = `@say ${'\ufeffaé水🦦'.repeat(18_000)}`
    const { id } = await strata().runs.createAndWait({ input })
    const { data: events } = await strata().runs.events(id)
    const [, digest = ''] = /"digest":"([0-9a-f]{64})"/.exec(JSON.stringify(events[0])) ?? []
    expect((await strata().runs.text(id, digest)) === input).toBe(true)
  })

  it('gets the same run for the same Idempotency-Key, and generates one key per call', async () => {
    const options = { idempotencyKey: 'the-same-order-17' }
    const first = await strata().runs.create({ input: '@say a' }, options)
    const second = await strata().runs.create({ input: '@say a' }, options)
    const third = await strata().runs.create({ input: '@say a' })
    expect(second.id).toBe(first.id)
    expect(third.id).not.toBe(first.id)
  })

  it('lists page by page, and iterates over all pages', async () => {
    const made: string[] = []
    for (let at = 0; at < 5; at += 1) {
      const run = await strata().runs.create({ input: '@say x', metadata: { batch: 'pages' } })
      made.push(run.id)
    }
    const filter = { 'metadata.batch': 'pages' as const, order: 'asc' as const, limit: 2 }
    const page = await strata().runs.list(filter)
    expect(page.data.length).toBeLessThanOrEqual(2)
    expect(page.has_more).toBe(true)
    const found: string[] = []
    for await (const { id } of strata().runs.list(filter)) found.push(id)
    expect(found).toEqual(made)
  })

  it('throws refusals as errors with their code, their fields, and the request ID', async () => {
    const error = await strata()
      .runs.create({ input: '' })
      .catch((one: ProblemError) => one)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ status: 422, code: 'invalid_request' })
    expect((error as ProblemError).errors[0]?.pointer).toBe('/input')
    expect((error as ProblemError).requestId).toMatch(/^req_/)
    const stranger = createClient({ url: server().url, apiKey: 'strata_nobody' })
    await expect(stranger.runs.list()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(strata().runs.get('run_none')).rejects.toMatchObject({ status: 404 })
    // Nothing of the path is left to chance.
    await expect(strata().runs.get('')).rejects.toThrow('is missing')
  })

  it('writes files under conditions and reads them back as bytes', async () => {
    const { files } = strata()
    const path = 'base/notes/a b+ü.md'
    const { etag } = await files.put(path, 'grün', { ifNoneMatch: '*' })
    const found = await files.get(path)
    expect(new TextDecoder().decode(found?.bytes)).toBe('grün')
    expect(await files.get(path, { ifNoneMatch: found!.etag! })).toBeUndefined()
    await expect(files.put(path, 'x', { ifMatch: '"other"' })).rejects.toMatchObject({
      code: 'precondition_failed',
    })
    await files.delete(path, { ifMatch: `"${etag}"` })
    await expect(files.get(path)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('reads a schedule with the ETag that an update requires', async () => {
    const { schedules } = strata()
    const { id } = await schedules.create({ every: '1d', input: '@say x' })
    const { schedule, etag } = await schedules.getWithEtag(id)
    expect(schedule).toMatchObject({ id, every_seconds: 86_400 })
    await schedules.update(id, { description: 'first' }, { ifMatch: etag })
    await expect(
      schedules.update(id, { description: 'second' }, { ifMatch: etag }),
    ).rejects.toMatchObject({ code: 'precondition_failed' })
    await schedules.delete(id)
  })

  it("stops with the caller's reason when the caller aborts", async () => {
    const stop = new AbortController()
    const { id } = await strata().runs.create({ input: '@slow 20000\n@say late' })
    const waited = strata().runs.wait(id, { signal: stop.signal })
    const streamed = (async () => {
      for await (const _ of strata().runs.stream(id, { signal: stop.signal }));
    })()
    setTimeout(() => stop.abort(new Error('enough')), 200)
    await expect(waited).rejects.toThrow('enough')
    await expect(streamed).rejects.toThrow('enough')
    await strata().runs.cancel(id)
  })

  it('creates a fan-out, waits for it, and lists its tasks', async () => {
    const { fanouts } = strata()
    const tasks = [{ task: '@say a' }, { task: '@say b' }]
    const { id } = await fanouts.create({ tasks })
    const ended = await fanouts.wait(id)
    expect(ended.results.map(({ result }) => result)).toEqual(['a', 'b'])
    const types: string[] = []
    for await (const { type } of fanouts.stream(id)) types.push(type)
    expect(types.at(-1)).toBe('fanout.completed')
  })
})

it('the client resumes a stream where it was when the server is killed and another one starts', async () => {
  const model = await startModelServer({ thinkMs: 150 })
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url }
  const first = await startServer({ env })
  const strata = createClient({ url: first.url, apiKey: first.key })
  const { id } = await strata.runs.create({ input: spawns(3) })
  const seqs: number[] = []
  const lost: string[] = []
  let restarted: Promise<unknown> | undefined
  const onLost = (error: StrataError): unknown => lost.push(error.name)
  const onBack = (): unknown => lost.push('back')
  for await (const event of strata.runs.stream(id, { onLost, onBack })) {
    if (!('seq' in event)) continue
    seqs.push((event as RunEvent).seq)
    if (event.type !== 'subagent.spawned' || restarted) continue
    await first.process.stop('SIGKILL')
    const { port } = new URL(first.url)
    restarted = startServer({ before: first, env: { ...env, PORT: port } })
  }
  await restarted
  expect(lost[0]).toBe('ConnectionError')
  expect(lost.at(-1)).toBe('back')
  expect(seqs).toEqual(seqs.map((_, at) => at + 1))
})

it('the client resumes the stream of a tree after the event ID of another stream', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const strata = createClient({ url: server.url, apiKey: server.key })
  const { id } = await strata.runs.createAndWait({ input: spawns(2) })
  const ids: string[] = []
  const logged: RunEvent[] = []
  const onEventId = (eventId: string): unknown => ids.push(eventId)
  for await (const event of strata.runs.stream(id, { tree: true, onEventId }))
    if ('seq' in event && event.run_id === id) logged.push(event as RunEvent)
  expect(ids).toHaveLength(logged.length)
  const resumed: number[] = []
  for await (const event of strata.runs.stream(id, { tree: true, lastEventId: ids[3] }))
    if ('seq' in event && event.run_id === id) resumed.push((event as RunEvent).seq)
  expect(resumed).toEqual(logged.slice(4).map(({ seq }) => seq))
})

it('the client streams a fan-out, waits for it, and announces it to its webhook', async () => {
  const came: string[] = []
  const receiver = await startCannedServer(({ body }, response) => {
    came.push((JSON.parse(body) as { type: string }).type)
    response.writeHead(204).end()
  })
  cleanup.push(receiver.close)
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const strata = createClient({ url: server.url, apiKey: server.key })
  const { id } = await strata.fanouts.create({
    tasks: [{ task: 'Read a.md.' }, { task: 'Read b.md.' }],
    then: { input: 'Compare them.' },
    webhook: { url: receiver.origin },
  })
  const types: string[] = []
  for await (const { type } of strata.fanouts.stream(id)) types.push(type)
  expect(types).toContain('fanout.completed')
  const { results, output } = await strata.fanouts.wait(id)
  const texts = results.map(({ result }) => result)
  expect(texts).toEqual([expect.stringMatching(/^ok: .*a\.md/), expect.stringMatching(/b\.md/)])
  expect(output?.text).toMatch(/^ok: /)
  await eventually(() => expect(came).toContain('fanout.completed'))
})

describe('retries', () => {
  /** Answers each request with the next of these. */
  async function answering(...answers: readonly [number, Record<string, string>][]) {
    const keys: unknown[] = []
    const server = await startCannedServer(({ headers }, response) => {
      keys.push(headers['idempotency-key'])
      const [status, given] = answers[keys.length - 1] ?? [200, {}]
      response.writeHead(status, { 'content-type': 'application/json', ...given }).end('{"id":"1"}')
    })
    cleanup.push(server.close)
    return { keys, origin: server.origin }
  }

  it('repeat a request under the same key when the server asks for a later attempt', async () => {
    const { keys, origin } = await answering([503, {}], [429, { 'retry-after': '1' }], [202, {}])
    const pauses: number[] = []
    const onRetry = (_: unknown, pauseMs: number): unknown => pauses.push(pauseMs)
    const strata = createClient({ url: origin, apiKey: 'x', onRetry })
    expect(await strata.runs.create({ input: 'a' })).toEqual({ id: '1' })
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(pauses[1]).toBe(1_000)
  })

  it('end when the server names a time that lies after all pauses', async () => {
    const { keys, origin } = await answering([429, { 'retry-after': '3600' }], [202, {}])
    const strata = createClient({ url: origin, apiKey: 'x' })
    const refused = strata.runs.create({ input: 'a' })
    await expect(refused).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
    expect(keys).toHaveLength(1)
  })

  it('are bounded, and never repeat a request that is not idempotent', async () => {
    const { keys, origin } = await answering([503, {}], [503, {}], [503, {}])
    const strata = createClient({ url: origin, apiKey: 'x', retries: 1 })
    await expect(strata.runs.list()).rejects.toMatchObject({ status: 503 })
    expect(keys).toHaveLength(2)
    let retries = 0
    const onRetry = (): unknown => (retries += 1)
    const unreachable = createClient({ url: `http://127.0.0.1:${FREE}`, apiKey: 'x', onRetry })
    const cancel = () =>
      expect(unreachable.runs.cancel('run_1')).rejects.toBeInstanceOf(ConnectionError)
    await measured('a request without a server', cancel, { wallMs: 1_000 })
    expect(retries).toBe(0)
  })

  it('end with a TimeoutError when the server is too slow', async () => {
    const server = await startCannedServer(() => {})
    cleanup.push(server.close)
    const strata = createClient({ url: server.origin, apiKey: 'x', retries: 0, timeoutMs: 100 })
    await expect(strata.models.list()).rejects.toBeInstanceOf(TimeoutError)
  })
})
