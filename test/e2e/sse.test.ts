/** Events over a connection that breaks: what a client puts together equals the log. */

import { beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/run/views/event.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import type { Server } from '../support/server.ts'
import { createRun, eventPages, sharedServer, startServer, untilEnd } from '../support/server.ts'
import { blocks, stream } from '../support/sse.ts'

const TERMINAL = /^run\.(completed|failed|cancelled|timed_out)$/
/** What a model may write that looks like the protocol it travels in (C12). */
const HOSTILE =
  'one\ntwo\r\nthree\rfour\u2028five\u0000six\ndata: seven\nevent: run.failed\nid: 99\n\n'

const shared = sharedServer()

const TREE = {
  input: [
    '@call file_list {}',
    '@then',
    '@spawn 3 {"task":"@call file_list {}\\n@say part {i}","label":"w{i}"}',
    '@await',
    '@say saw {results}',
  ].join('\n'),
}

/** Takes one event from each connection, cuts it, and resumes after what it has. */
async function cutAfterEvery(server: Server, run: string): Promise<Event[]> {
  const got: Event[] = []
  for (;;) {
    const response = await stream(server, run, got.at(-1)?.seq ?? 0)
    if (response.status === 204) return got
    expect(response.status).toBe(200)
    for await (const block of blocks(response)) {
      if (block.id === undefined) continue
      const event = JSON.parse(block.data) as Event
      expect(block).toMatchObject({ id: String(event.seq), event: event.type })
      got.push(event)
      break
    }
  }
}

describe('GET /v1/runs/{id}/events', () => {
  it('returns 200, and a stream cut and resumed after every event equals the log', async () => {
    const server = shared()
    const { id } = await createRun(server, TREE)
    // While the run is going on, then once more from its beginning when it has ended.
    const live = await cutAfterEvery(server, id)
    await untilEnd(server, id)
    const log = await eventPages(server, id, 3)
    expect(log.length).toBeGreaterThan(12)
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
    expect(live).toEqual(log)
    expect(await cutAfterEvery(server, id)).toEqual(log)
    const children = log.filter(({ type }) => type === 'subagent.spawned')
    for (const { data } of children) {
      const child = String(data.run_id)
      expect(await cutAfterEvery(server, child)).toEqual(await eventPages(server, child))
    }
  })

  it('returns 200 for a fan-out, resumes after every event, and closes after its end', async () => {
    const server = shared()
    const tasks = [1, 2, 3, 4].map((n) => ({ task: `@call file_list {}\n@say part ${n}` }))
    const json = { tasks, then: { input: '@say all' } }
    const response = await server.ask('/v1/fanouts', { method: 'POST', json })
    const { id } = (await response.json()) as { id: string }
    const live = await cutAfterEvery(server, id)
    const log = await eventPages(server, id, 3)
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
    expect(log.length).toBeGreaterThanOrEqual(2 * 5 + 3)
    expect(log.at(-1)?.type).toBe('fanout.completed')
    expect(live).toEqual(log)
    expect(await cutAfterEvery(server, id)).toEqual(log)
  })

  it('returns 200 and closes after the terminal event, and a reconnect gets 204', async () => {
    const server = shared()
    const { id } = await createRun(server, { input: '@say hello' })
    const types: string[] = []
    let last = 0
    for await (const block of blocks(await stream(server, id))) {
      if (block.id === undefined) continue
      last = Number(block.id)
      types.push(block.event ?? '')
    }
    expect(types.filter((type) => TERMINAL.test(type))).toEqual(['run.completed'])
    expect(types.at(-1)).toBe('run.completed')
    const again = await stream(server, id, last)
    expect([again.status, await again.text()]).toEqual([204, ''])
  })

  it('returns 200 and begins with the full text so far when reloaded during an answer', async () => {
    const server = shared()
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
    const { id: run } = await createRun(server, { input: `@slow 4000\n@say ${words}` })
    const deltas = async (until: 'one' | 'the end') => {
      const found: { at: number; text: string }[] = []
      for await (const { event, data } of blocks(await stream(server, run))) {
        if (event === 'assistant.delta') found.push(JSON.parse(data))
        if (found.length > 0 && until === 'one') break
      }
      return found
    }
    const [first] = await deltas('one')
    const again = await deltas('the end')
    expect(first?.text.length).toBeGreaterThan(0)
    expect(again[0]).toMatchObject({ at: 0 })
    expect(again[0]?.text.startsWith(first!.text)).toBe(true)
    const whole = again.reduce((text, piece) => text.slice(0, piece.at) + piece.text, '')
    expect(words.startsWith(whole)).toBe(true)
  })

  it('returns 200 on creation and streams the run from its first event', async () => {
    const server = shared()
    const response = await server.ask('/v1/runs', {
      method: 'POST',
      headers: { accept: 'text/event-stream' },
      json: { input: '@say hello' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const location = response.headers.get('location') ?? ''
    const got: Event[] = []
    for await (const block of blocks(response)) {
      if (block.id !== undefined) got.push(JSON.parse(block.data) as Event)
    }
    expect(got).toEqual(await eventPages(server, location.slice('/v1/runs/'.length)))
  })

  describe('an invalid event ID', () => {
    let id: string
    beforeAll(async () => {
      id = (await createRun(shared(), { input: '@say hello' })).id
      await untilEnd(shared(), id)
    })
    it.each([
      ['-1', 'invalid_header'],
      ['1e9', 'invalid_header'],
      ['NaN', 'invalid_header'],
      ['0x10', 'invalid_header'],
      ['1 1', 'invalid_header'],
      ['99', 'event_ahead'],
    ])('in Last-Event-ID: %s returns 400 [C07]', async (given, code) => {
      const response = await shared().ask(`/v1/runs/${id}/events`, {
        headers: { accept: 'text/event-stream', 'last-event-id': given },
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code })
    })
    it('of 400 digits in Last-Event-ID returns 400 [C07]', async () => {
      const response = await shared().ask(`/v1/runs/${id}/events`, {
        headers: { 'last-event-id': '9'.repeat(400) },
      })
      expect(response.status).toBe(400)
    })
    it('in the header overrides ?after= [C10]', async () => {
      const response = await shared().ask(`/v1/runs/${id}/events?after=1`, {
        headers: { 'last-event-id': '2' },
      })
      const { data } = (await response.json()) as { data: Event[] }
      expect(data[0]?.seq).toBe(3)
    })
  })

  it('text that looks like the protocol stays one event and round-trips unchanged [C12]', async () => {
    const said = { reasoning: '', calls: [], finish: 'stop', slowMs: 100, fault: undefined }
    const model = await startModelServer({ script: () => ({ ...said, text: HOSTILE }) })
    cleanup.push(model.close)
    const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
    const { id } = await createRun(server, { input: 'hello', label: HOSTILE })
    // Followed while it is written, so that the unfinished text goes over the wire too.
    const raw = await (await stream(server, id)).text()
    const log = await eventPages(server, id)
    const lines = (begin: string) => raw.split('\n').filter((line) => line.startsWith(begin))
    expect(lines('id: ')).toEqual(log.map(({ seq }) => `id: ${seq}`))
    expect(lines('event: run.')).toHaveLength(3)
    const named = lines('data: ').map((line) => JSON.parse(line.slice('data: '.length)) as Event)
    expect(named.filter(({ id: name }) => name !== undefined)).toEqual(log)
    expect(log[0]?.data.label).toBe(HOSTILE)
    expect(log.at(-1)?.data.output).toMatchObject({ text: HOSTILE })
  })
})
