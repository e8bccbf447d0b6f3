/** Forks of a session at the end of a run, or of one of its steps. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { homeOfSession } from '../../../../src/engine/partition/home.ts'
import { readSession, writeSession } from '../../../../src/engine/session/store.ts'
import { putBlob } from '../../../../src/engine/tenant/blobs.ts'
import { putFiles, TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { scriptModel, spawn } from '../../../support/script.ts'

type Api = Awaited<ReturnType<typeof testApi>>
interface Message {
  readonly role: string
  readonly position: string
}

async function start(overrides: Parameters<typeof testApi>[0] = {}) {
  const api = await testApi(overrides)
  const { body } = await api.call('POST', '/v1/sessions', { json: {} })
  const id = body.id as string
  const turn = async (input: string, more: Record<string, unknown> = {}): Promise<string> => {
    const json = { input, session_id: id, ...more }
    const { body: run } = await api.call('POST', '/v1/runs', { json })
    await api.settle()
    return run.id
  }
  return { api, id, turn }
}

const fork = (api: Api, id: string, json: unknown) =>
  api.call('POST', `/v1/sessions/${id}/fork`, { json })

async function messagesOf(api: Api, id: string): Promise<Message[]> {
  const { body } = await api.call('GET', `/v1/sessions/${id}/messages?limit=100`)
  return body.data
}

/** Forks at the run, and at the position; both must be the same conversation. */
async function expectSameFork(api: Api, id: string, json: object, position: string) {
  const byRun = await fork(api, id, json)
  const byPosition = await fork(api, id, { position })
  expect([byRun.status, byPosition.status], byRun.text).toEqual([201, 201])
  expect(byRun.body.forked_from).toEqual({ session_id: id, position })
  const messages = await messagesOf(api, byRun.body.id)
  expect(messages).toEqual(await messagesOf(api, byPosition.body.id))
  return messages
}

const TOOLS = '@call file_write {"path":"a.md","content":"x"}\n@then\n@say done'

describe('a fork by run', () => {
  it('copies the conversation up to the end of that run, wherever it is', async () => {
    const { api, id, turn } = await start()
    // Small turns share a segment of 64 KB, which the last ones do not fit in.
    const inputs = ['@say one', '@say one', TOOLS, ...Array(12).fill(`@say ${'long '.repeat(700)}`)]
    const runs: string[] = []
    for (const input of inputs) runs.push(await turn(input))
    const all = await messagesOf(api, id)
    const lengths = [2, 2, 4, ...Array(12).fill(2)]
    expect(new Set(all.map(({ position }) => position.split('.')[0])).size).toBeGreaterThan(1)
    for (const [at, run_id] of runs.entries()) {
      const kept = lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0)
      const copied = await expectSameFork(api, id, { run_id }, all[kept - 1]!.position)
      expect(copied).toHaveLength(kept)
    }
  })

  it('and step copies the answer of this step and the results of its calls', async () => {
    const { api, id, turn } = await start()
    await turn('@say before')
    const run_id = await turn(TOOLS)
    await turn('@say after')
    const all = await messagesOf(api, id)
    const first = await expectSameFork(api, id, { run_id, step: 0 }, all[4]!.position)
    expect(first.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
    ])
    await expectSameFork(api, id, { run_id, step: 1 }, all[5]!.position)
  })

  it('reaches a run that owns its session, stored or not', async () => {
    const api = await testApi()
    const { body: run } = await api.call('POST', '/v1/runs', { json: { input: TOOLS } })
    await api.settle()
    const json = { run_id: run.id, step: 0 }
    expect(await expectSameFork(api, run.session_id, json, '0.2')).toHaveLength(3)
    const more = { input: '@say more', session_id: run.session_id }
    const { body: next } = await api.call('POST', '/v1/runs', { json: more })
    await api.settle()
    expect(await expectSameFork(api, run.session_id, json, '0.2')).toHaveLength(3)
    const whole = { run_id: next.id }
    expect(await expectSameFork(api, run.session_id, whole, '0.5')).toHaveLength(6)
  })

  it('finds runs before and after summaries', async () => {
    const { api, id, runs } = await summarized([
      '@say a',
      READS,
      '@say c',
      READS,
      '@say e',
      '@say f',
    ])
    const all = await messagesOf(api, id)
    const lengths = [2, 22, 2, 22, 2, 2]
    expect(all).toHaveLength(52)
    for (const [at, run_id] of runs.entries()) {
      const kept = lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0)
      const copied = await expectSameFork(api, id, { run_id }, all[kept - 1]!.position)
      expect(copied).toHaveLength(kept)
    }
  })
})

const FILES = Array.from({ length: 10 }, (_, at) => `repos/app/${at}.txt`)
/** More than the small window holds, so the run leaves a summary. */
const READS = `${FILES.map((_, at) => `@call file_read {"path":"${at}.txt"}\n@then`).join('\n')}\n@say read`

/** A session with these turns, in which a second summary has replaced the first one. */
async function summarized(inputs: readonly string[]) {
  const { api, id, turn } = await start({ model: scriptModel(undefined, 12_000) })
  await putFiles(api.world, {
    ...Object.fromEntries(FILES.map((path, at) => [path, `${at}`.repeat(9_000)])),
    'base/.agents/agents/lean.md': agent('You read.', 'lean', 'tools: [Read]\n'),
  })
  const runs: string[] = []
  const summaries = new Set<string | undefined>()
  for (const input of inputs) {
    runs.push(await turn(input, { agent: 'lean', repo_dir: 'repos/app' }))
    const { state } = (await readSession(api.world, `${TENANT}/session/${id}`))!
    summaries.add(state.compacted?.segment)
  }
  expect(summaries.size).toBeGreaterThanOrEqual(3)
  return { api, id, runs }
}

describe('a refused fork by run', () => {
  const refused = async (api: Api, id: string, json: unknown) => {
    const { status, body } = await fork(api, id, json)
    return [status, body.errors?.[0].pointer ?? body.code]
  }

  it('is reported with the reason when the run is no turn of the session (422)', async () => {
    const { api, id, turn } = await start()
    const run_id = await turn(`${spawn({ task: '@say child' })}\n@await\n@say parent`)
    const other = await api.call('POST', '/v1/runs', { json: { input: '@say other' } })
    await api.settle()
    const children = await api.call('GET', `/v1/runs/${run_id}/children`)
    const [child] = children.body.data
    for (const name of [other.body.id, child.id, `run_${'0'.repeat(26)}`, 'nonsense', `../${id}`]) {
      expect(await refused(api, id, { run_id: name }), name).toEqual([422, '/run_id'])
    }
    const { body } = await fork(api, id, { run_id: child.id })
    expect(body.errors[0].message).toContain(child.session_id)
    // In its own session the subagent is the turn.
    expect((await fork(api, child.session_id, { run_id: child.id })).status).toBe(201)
  })

  it('is reported for a step that the run did not have, and for mutually exclusive members', async () => {
    const { api, id, turn } = await start()
    const run_id = await turn('@say one')
    expect(await refused(api, id, { run_id, step: 1 })).toEqual([422, '/step'])
    expect(await refused(api, id, { run_id, step: -1 })).toEqual([422, '/step'])
    expect(await refused(api, id, { run_id, step: 0.5 })).toEqual([422, '/step'])
    expect(await refused(api, id, { step: 0 })).toEqual([422, '/step'])
    expect(await refused(api, id, { run_id, position: '0.1' })).toEqual([422, '/run_id'])
    expect(await refused(api, id, { run_id: 7 })).toEqual([422, '/run_id'])
  })

  it('is reported while the run is live, or when it ended before it began', async () => {
    const { api, id, turn } = await start()
    await turn('@say one')
    const live = await turn('@call ask_user {"question":"Go?"}')
    const waiting = await turn('@say later', { on_busy: 'enqueue' })
    expect((await api.call('GET', `/v1/runs/${live}`)).body.status).toBe('waiting')
    expect(await refused(api, id, { run_id: live })).toEqual([409, 'conflict'])
    expect(await refused(api, id, { run_id: waiting })).toEqual([409, 'conflict'])
    await api.call('POST', `/v1/runs/${waiting}/cancel`)
    await api.settle()
    expect(await refused(api, id, { run_id: waiting })).toEqual([422, '/run_id'])
  })

  it('is reported when an old summary makes two similar turns ambiguous (409)', async () => {
    const { api, id, runs } = await summarized(['@say a', READS, '@say c', READS, '@say c'])
    expect(await refused(api, id, { run_id: runs[2] })).toEqual([409, 'conflict'])
    expect((await fork(api, id, { run_id: runs[4] })).status).toBe(201)
  })

  it('is reported after more segments than a fork copies (413)', async () => {
    const { api, id, turn } = await start()
    const partition = `${TENANT}/session/${id}`
    const found = (await readSession(api.world, partition))!
    const segment = await putBlob(api.world, homeOfSession(TENANT, id), '[]')
    const segments = Array(LIMITS.fork_segments + 1).fill(segment)
    expect(await writeSession(api.world, found, { ...found.state, segments })).toBe(true)
    const run_id = await turn('@say behind')
    expect(await refused(api, id, { run_id })).toEqual([413, 'too_large'])
  })
})
