/** Sessions as people work with them: pages, search, titles, archive, retention, forks, export. */

import { describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

type Api = Awaited<ReturnType<typeof testApi>>
interface Shown {
  readonly position: string
  readonly text?: string
  readonly parts?: readonly { readonly text: string }[]
}

async function start(more: Record<string, unknown> = {}) {
  const api = await testApi()
  const { body } = await api.call('POST', '/v1/sessions', { json: more })
  const path = `/v1/sessions/${body.id}`
  const turn = async (input: string, given: Record<string, unknown> = {}, id = body.id) => {
    const { body: run } = await api.call('POST', '/v1/runs', {
      json: { input, session_id: id, ...given },
    })
    await api.settle()
    return run
  }
  return { api, id: body.id as string, path, turn }
}

/** All pages of a list, from its first to its last. */
async function pages<T>(api: Api, path: string): Promise<T[]> {
  const found: T[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await api.call('GET', `${path}${cursor}`)
    expect(status).toBe(200)
    found.push(...body.data)
    if (!body.has_more) return found
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}
const said = ({ text, parts }: Shown): string => text ?? parts?.[0]?.text ?? ''

describe('messages and runs of a session', () => {
  it('are paged from either end, each once, with stable positions', async () => {
    const { api, path, turn } = await start()
    const runs: string[] = []
    for (let at = 0; at < 7; at += 1) runs.push((await turn(`@say answer ${at}`)).id)
    const all = runs.flatMap((_, at) => [`@say answer ${at}`, `answer ${at}`])
    const oldest = await pages<Shown>(api, `${path}/messages?limit=3`)
    expect(oldest.map(said)).toEqual(all)
    const newest = await pages<Shown>(api, `${path}/messages?limit=5&order=desc`)
    expect(newest.map(said)).toEqual([...all].reverse())
    expect(newest.map(({ position }) => position).reverse()).toEqual(
      oldest.map(({ position }) => position),
    )
    await turn('@say one more')
    const after = await pages<Shown>(api, `${path}/messages?limit=100`)
    expect(after.slice(0, all.length)).toEqual(oldest)
    const ids = (await pages<{ id: string }>(api, `${path}/runs?limit=2`)).map(({ id }) => id)
    expect(ids.slice(0, 7)).toEqual(runs)
    const back = await pages<{ id: string }>(api, `${path}/runs?limit=3&order=desc`)
    expect(back.map(({ id }) => id).reverse()).toEqual(ids)
  })

  it('move out of the head after hundreds of turns, so that it stays small, without any loss', async () => {
    const { api, id, path, turn } = await start()
    const count = 150
    const head = async () => {
      const [row] = await api.world.store.heads([`${TENANT}/session/${id}`])
      return row!.body.length
    }
    let early = 0
    for (let at = 0; at < count; at += 1) {
      await turn(`@say ${at}`)
      if (at === 64) early = await head()
    }
    // 22 runs stand in the head then, as they did in the beginning; two parts more in the archive.
    expect(await head()).toBeLessThan(early + 3_000)
    const runs = await pages<{ id: string }>(api, `${path}/runs?limit=100`)
    expect(new Set(runs.map((run) => run.id)).size).toBe(count)
    const { body } = await api.call('GET', path)
    expect(body.runs).toBe(count)
    const messages = await pages<Shown>(api, `${path}/messages?limit=100`)
    expect(messages.map(said).filter((text) => !text.startsWith('@'))).toEqual(
      Array.from({ length: count }, (_, at) => String(at)),
    )
    expect(await rowsOf(api, id)).toBe(2)
  })

  it('are found by part of their text', async () => {
    const { api, path, turn } = await start()
    await turn('@say the otter swims')
    await turn('@say nothing here')
    const found = await pages<Shown>(api, `${path}/messages?limit=20&q=OTTER`)
    expect(found.map(said)).toEqual(['@say the otter swims', 'the otter swims'])
  })

  it('a cursor of another list is refused (400)', async () => {
    const { api, path, turn } = await start()
    for (let at = 0; at < 3; at += 1) await turn(`@say ${at}`)
    const { body } = await api.call('GET', `${path}/messages?limit=2`)
    const cursor = encodeURIComponent(body.next_cursor)
    const other = await api.call('GET', `${path}/messages?limit=2&order=desc&cursor=${cursor}`)
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
    expect((await api.call('GET', `${path}/messages?limit=0`)).status).toBe(400)
  })
})

const rowsOf = async (api: Api, id: string): Promise<number> =>
  (await api.world.store.read(`${TENANT}/session/${id}`)).length

describe('a session', () => {
  it('is renamed under its etag (412), and found by its title', async () => {
    const { api, id, path, turn } = await start()
    await turn('@say hello')
    const { headers, body: before } = await api.call('GET', path)
    expect([before.title, before.opening]).toEqual([null, '@say hello'])
    const etag = headers.get('etag') ?? ''
    const changed = await api.call('PATCH', path, {
      json: { title: ' Refund of 1042 ', metadata: { team: 'blue' } },
      headers: { 'if-match': etag },
    })
    expect([changed.status, changed.body.title]).toEqual([200, 'Refund of 1042'])
    const late = await api.call('PATCH', path, {
      json: { title: 'other' },
      headers: { 'if-match': etag },
    })
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    for (const q of ['refund', 'BLUE', 'say hello', 'hello 1042', id]) {
      const { body } = await api.call('GET', `/v1/sessions?q=${encodeURIComponent(q)}`)
      expect(
        body.data.map((one: { id: string }) => one.id),
        q,
      ).toContain(id)
    }
    expect((await api.call('GET', '/v1/sessions?q=nobody')).body.data).toEqual([])
    const cleared = await api.call('PATCH', path, { json: { title: null } })
    expect(cleared.body.title).toBeNull()
    const audit = (await api.call('GET', '/v1/audit')).body.data
    expect(audit).toContainEqual(expect.objectContaining({ kind: 'session', action: 'update' }))
  })

  it('is archived: lists omit it, and it refuses runs (409) until it is restored', async () => {
    const { api, id, path, turn } = await start()
    await turn('@say hello')
    expect((await api.call('PATCH', path, { json: { archived: true } })).body.archived).toBe(true)
    const listed = async (query: string) =>
      (await api.call('GET', `/v1/sessions${query}`)).body.data.map((one: { id: string }) => one.id)
    expect(await listed('')).not.toContain(id)
    expect(await listed('?archived=only')).toEqual([id])
    expect(await listed('?archived=include')).toContain(id)
    const json = { input: '@say more', session_id: id }
    const refused = await api.call('POST', '/v1/runs', { json })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    await api.call('PATCH', path, { json: { archived: false } })
    expect((await api.call('POST', '/v1/runs', { json })).status).toBe(202)
  })

  it('is deleted after inactivity for the whole retention period', async () => {
    const { api, path, turn } = await start({ retention_seconds: 3_600 })
    await turn('@say hello')
    const later = async (ms: number) => {
      api.world.clock.advance(ms)
      await tick(api.world)
      await api.settle()
    }
    await later(3_000_000)
    expect((await api.call('GET', path)).status).toBe(200)
    await turn('@say again')
    await later(3_000_000)
    expect((await api.call('GET', path)).status).toBe(200)
    await later(700_000)
    expect((await api.call('GET', path)).status).toBe(404)
    const audit = (await api.call('GET', '/v1/audit')).body.data
    expect(audit).toContainEqual(
      expect.objectContaining({ kind: 'session', action: 'delete', by: 'system' }),
    )
    for (const bad of [0, 59, 1.5, 'x']) {
      const json = { retention_seconds: bad }
      expect((await api.call('POST', '/v1/sessions', { json })).status, String(bad)).toBe(422)
    }
  })

  it('passes its agent to the next turn, unless that names another one', async () => {
    const { api, path, turn } = await start({ agent: 'explore' })
    expect((await turn('@say one')).agent).toBe('explore')
    expect((await turn('@say two', { agent: 'summarizer' })).agent).toBe('summarizer')
    expect((await turn('@say three')).agent).toBe('summarizer')
    expect((await api.call('PATCH', path, { json: { agent: null } })).body.agent).toBeNull()
    expect((await turn('@say four')).agent).toBe('general')
  })

  it('is forked at a message: the copy continues independently and outlives the original', async () => {
    const { api, path, turn } = await start({ agent: 'explore' })
    await turn(`@say ${'first '.repeat(3_000)}`)
    await turn('@say second')
    const [, answer] = await pages<Shown>(api, `${path}/messages?limit=20`)
    const json = { position: answer!.position, title: 'the other way' }
    const fork = await api.call('POST', `${path}/fork`, { json })
    expect(fork.status).toBe(201)
    expect(fork.body).toMatchObject({
      title: 'the other way',
      agent: 'explore',
      forked_from: { session_id: path.split('/').at(-1), position: answer!.position },
    })
    await turn('@say third', {}, fork.body.id)
    expect((await api.call('DELETE', path)).status).toBe(204)
    await api.settle()
    const texts = (await pages<Shown>(api, `/v1/sessions/${fork.body.id}/messages?limit=20`)).map(
      said,
    )
    expect(texts.map((text) => text.slice(0, 10))).toEqual([
      '@say first',
      'first firs',
      '@say third',
      'third',
    ])
    expect(texts[1]).toHaveLength('first '.repeat(3_000).trim().length)
    const wrong = await api.call('POST', `/v1/sessions/${fork.body.id}/fork`, {
      json: { position: '7.9' },
    })
    expect([wrong.status, wrong.body.errors?.[0].pointer]).toEqual([422, '/position'])
  })

  it('of a single run can be forked too, and a key creates one fork', async () => {
    const api = await testApi()
    const { body: run } = await api.call('POST', '/v1/runs', { json: { input: '@say alone' } })
    await api.settle()
    const path = `/v1/sessions/${run.session_id}/fork`
    const headers = { 'idempotency-key': 'a-fork-of-it' }
    const one = await api.call('POST', path, { json: {}, headers })
    const two = await api.call('POST', path, { json: {}, headers })
    expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id])
    const messages = await pages<Shown>(api, `/v1/sessions/${one.body.id}/messages?limit=20`)
    expect(messages.map(said)).toEqual(['@say alone', 'alone'])
  })

  it('is exported as JSON Lines, and as Markdown that no text can break', async () => {
    const { api, path, turn } = await start({ title: 'Otters' })
    await turn('@call file_write {"path":"a.md","content":"```\\n# no heading"}\n@then\n@say done')
    const jsonl = await api.call('GET', `${path}/export`)
    expect(jsonl.headers.get('content-disposition')).toContain('.jsonl"')
    const lines = jsonl.text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
    const { text: markdown } = await api.call('GET', `${path}/export?format=markdown`)
    expect(markdown).toMatch(/^# Otters\n/)
    expect(markdown).toContain('## Agent\n\ndone')
    expect(markdown).toContain('````json\n')
  })
})
