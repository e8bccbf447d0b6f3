/** Memory by REST: files, conditions, versions, search and its index. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { memorySecrets } from '../../../../src/hosts/memory/secrets.ts'
import { createApp } from '../../../../src/http/app.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { settle, TENANT } from '../../../support/drive.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const put = (path: string, content: string, headers = {}) =>
  api.call(`PUT /v1/memory/${path}`, { content }, headers)
const append = (path: string, content: string, heading?: string) =>
  api.call(`POST /v1/memory/${path}`, { content, heading })
const search = async (query: string, more = '') =>
  (await api.call(`GET /v1/memory/search?query=${encodeURIComponent(query)}${more}`)).body
const pathsFor = async (query: string): Promise<string[]> =>
  (await search(query)).passages.map(({ path }: { path: string }) => path)

describe('memory files', () => {
  it('200 201 412 a write is conditional, and replaced content becomes a version', async () => {
    const made = await put('shared/MEMORY.md', 'Ada likes tea.\n', { 'if-none-match': '*' })
    expect(made).toMatchObject({ status: 201, body: { created: true, path: 'shared/MEMORY.md' } })
    const again = await put('shared/MEMORY.md', 'no\n', { 'if-none-match': '*' })
    expect(again.status).toBe(412)
    const stale = await put('shared/MEMORY.md', 'no\n', { 'if-match': '"x"' })
    expect(stale.status).toBe(412)
    const replaced = await put('shared/MEMORY.md', 'Ada likes coffee.\n', {
      'if-match': made.etag!,
    })
    expect(replaced).toMatchObject({ status: 200, body: { created: false } })
    expect(await api.read('memory/shared/MEMORY.md')).toBe('Ada likes coffee.\n')
    const { body: versions } = await api.call('GET /v1/memory/versions?path=shared/MEMORY.md')
    expect(versions.data.map(({ action }: { action: string }) => action)).toEqual(['put', 'put'])
    const { version } = versions.data[1]
    const old = await api.call(`GET /v1/memory/versions/${version}?path=shared/MEMORY.md`)
    expect(old.body.contents).toMatchObject([{ text: 'Ada likes tea.\n' }])
    const gone = await api.call('DELETE /v1/memory/shared/MEMORY.md')
    expect(gone.body).toEqual({ path: 'shared/MEMORY.md', deleted: true })
    expect((await api.call('GET /v1/memory/shared/MEMORY.md')).status).toBe(404)
    const { body: audit } = await api.call('GET /v1/audit')
    const said = audit.data.filter(({ kind }: { kind: string }) => kind === 'memory')
    expect(said.map(({ action }: { action: string }) => action).sort()).toEqual([
      ...['delete', 'put', 'put'],
    ])
  })

  it('200 a read with the ETag of an earlier read returns the file, as browsers send it', async () => {
    const made = await put('shared/MEMORY.md', 'Ada likes tea.\n')
    const read = (headers: Readonly<Record<string, string>>) =>
      api.call('GET /v1/memory/shared/MEMORY.md', undefined, headers)
    for (const headers of [{ 'if-none-match': made.etag! }, { 'if-match': 'no etag' }])
      expect(await read(headers)).toMatchObject({ status: 200, body: { text: 'Ada likes tea.' } })
  })

  it('lines: start 0 is line 1, and beyond the end and limit 0 are empty [MC-44]', async () => {
    await put('shared/MEMORY.md', 'one\ntwo\nthree\n')
    const lines = async (query: string) =>
      (await api.call(`GET /v1/memory/shared/MEMORY.md?${query}`)).body
    expect(await lines('start=0&limit=2')).toMatchObject({
      text: 'one\ntwo',
      lines: { from: 1, to: 2, total: 3 },
      more: true,
    })
    expect(await lines('start=4')).toMatchObject({ text: '', more: false })
    expect(await lines('start=40')).toMatchObject({ text: '' })
    expect(await lines('limit=0')).toMatchObject({ text: '' })
    expect((await lines('')).text).toBe('one\ntwo\nthree')
  })

  it('a path with `..`, absolute, with NUL, or outside every memory is refused [MC-45 X-49]', async () => {
    await api.write({ 'base/.agents/agents/a.md': 'secret', 'memory/loose.md': 'loose' })
    const bad = ['..%2Fx.md', 'shared/..%2F..%2Fx.md', '%2Fetc%2Fx.md', 'shared/a%00b.md']
    for (const path of [...bad, 'loose.md', 'shared', 'shared/a.txt', 'agents/x.md', 'a%5Cb.md']) {
      for (const method of ['GET', 'DELETE']) {
        const { status } = await api.call(`${method} /v1/memory/${path}`)
        expect([path, [400, 404].includes(status)]).toEqual([path, true])
      }
      const { status } = await put(path, 'x')
      expect([path, [400, 404].includes(status)]).toEqual([path, true])
    }
    expect(await api.read('base/.agents/agents/a.md')).toBe('secret')
    expect(await api.read('memory/loose.md')).toBe('loose')
  })

  it('entries are added under their headings, and never twice [ME-01]', async () => {
    expect((await append('shared/n.md', '- likes tea', 'Wishes')).status).toBe(201)
    const second = await append('shared/n.md', '- Likes  tea\n- by post', 'wishes')
    expect(second.body).toMatchObject({ added: 1, duplicates: 1, created: false })
    const third = await append('shared/n.md', '## Wishes\n- by post\n\n## Orders\n- 48213')
    expect(third.body).toMatchObject({ added: 1, duplicates: 1 })
    const before = await api.read('memory/shared/n.md')
    expect(before).toBe('## Wishes\n\n- likes tea\n- by post\n\n## Orders\n\n- 48213\n')
    const same = await append('shared/n.md', '- 48213', 'Orders')
    expect(same.body).toMatchObject({ added: 0, duplicates: 1, etag: third.body.etag })
    expect(await api.read('memory/shared/n.md')).toBe(before)
  })

  it('secret values are removed before anything is written', async () => {
    const secrets = memorySecrets({ [TENANT]: { TOKEN: 'sk-live-very-secret-1' } })
    api = await testApi({ secrets })
    const written = await append('shared/n.md', '- the token is sk-live-very-secret-1', 'Keys')
    expect(written.body.redacted).toBe(true)
    await put('shared/m.md', 'sk-live-very-secret-1')
    expect(await api.read('memory/shared/n.md')).toContain('the token is [redacted]')
    expect(await api.read('memory/shared/m.md')).toBe('[redacted]')
  })

  it('403 413 422 scopes and limits apply', async () => {
    const { key } = await createKey(api.world, TENANT, ['memory:read'])
    const { app } = createApp(api.world)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ content: 'x' })
    const url = '/v1/memory/shared/a.md'
    expect((await app.request(url, { method: 'PUT', headers, body })).status).toBe(403)
    expect((await app.request('/v1/memory', { headers })).status).toBe(200)
    expect((await put('shared/a.md', 'x'.repeat(262_145))).status).toBe(422)
    const whole = await put('shared/a.md', 'x'.repeat(262_144))
    expect(whole.status).toBe(201)
    expect((await append('shared/a.md', 'one more')).status).toBe(413)
  })
})

describe('dream', () => {
  it('tidies memory when a schedule runs it, and never otherwise', async () => {
    await append('shared/MEMORY.md', '- tea\n- likes tea')
    const given = { path: 'shared/MEMORY.md', content: '- likes tea\n', mode: 'replace' }
    const input = `@call memory_write ${JSON.stringify(given)}\n@say joined`
    const made = await api.call('PUT /v1/schedules/dream', {
      cron: '0 3 * * *',
      agent: 'dream',
      input,
    })
    expect([made.status, made.body.status]).toEqual([201, 'active'])
    await settle(api.world)
    expect((await api.call('GET /v1/runs')).body.data).toEqual([])
    const fired = await api.call('POST /v1/schedules/dream/run')
    await settle(api.world)
    const { body: run } = await api.call(`GET /v1/runs/${fired.body.run_id}`)
    expect(run).toMatchObject({ status: 'completed', agent: 'dream', output: { text: 'joined' } })
    expect(await api.read('memory/shared/MEMORY.md')).toBe('- likes tea\n')
    const { body: versions } = await api.call('GET /v1/memory/versions?path=shared/MEMORY.md')
    expect(versions.data.map(({ action }: { action: string }) => action)).toEqual(['put', 'found'])
  })
})

describe('memory search', () => {
  it('finds words, prefixes, and misspellings, and returns their locations', async () => {
    await put('shared/a.md', '# Customers\n\nAda wants her parcels by post.\n')
    await put('agents/helper/b.md', 'Nothing of interest.\n')
    const { passages, stale } = await search('parcels')
    expect(stale).toBe(false)
    expect(passages).toHaveLength(1)
    const [{ path, lines, heading, text, highlights }] = passages
    expect({ path, lines, heading }).toEqual({
      path: 'shared/a.md',
      lines: { from: 1, to: 3 },
      heading: 'Customers',
    })
    expect(
      highlights.map(({ from, to }: { from: number; to: number }) => text.slice(from, to)),
    ).toEqual(['parcels'])
    expect(await pathsFor('parc')).toEqual(['shared/a.md'])
    expect(await pathsFor('parcles')).toEqual(['shared/a.md'])
    expect(await pathsFor('PÄRCELS')).toEqual(['shared/a.md'])
    expect(await pathsFor('elephant')).toEqual([])
    expect((await search('interest', '&prefix=shared/')).passages).toEqual([])
  })

  it('finds Chinese and Japanese text by any part of a word', async () => {
    await put('shared/jp.md', '会議は東京都庁で行われます。\n')
    await put('shared/zh.md', '客户喜欢喝绿茶。\n')
    expect(await pathsFor('東京')).toEqual(['shared/jp.md'])
    expect(await pathsFor('都庁')).toEqual(['shared/jp.md'])
    expect(await pathsFor('絵画')).toEqual([])
    expect(await pathsFor('绿茶')).toEqual(['shared/zh.md'])
    expect(await pathsFor('茶')).toEqual(['shared/zh.md'])
  })

  it('a write, change, or deletion on any route is visible to the next search [X-50 ME-04 ME-05]', async () => {
    await append('shared/n.md', '- the zebra is called Otto')
    expect(await pathsFor('zebra')).toEqual(['shared/n.md'])
    // By other means than this API.
    await api.write({ 'memory/shared/n.md': '- the giraffe is called Uta\n' })
    expect(await pathsFor('zebra')).toEqual([])
    expect(await pathsFor('giraffe')).toEqual(['shared/n.md'])
    await api.world.objects.delete(`${TENANT}/files/memory/shared/n.md`, 'any')
    expect(await pathsFor('giraffe')).toEqual([])
  })

  it("changed files beyond one search's limit are reported as stale and found later", async () => {
    const files = Array.from({ length: 620 }, (_, at) => [
      `memory/shared/${String(at).padStart(4, '0')}.md`,
      `Note ${at} about walrus${at}.\n`,
    ])
    await api.write(Object.fromEntries(files))
    const first = await search('walrus3')
    expect(first.stale).toBe(true)
    expect(first.notes.join()).toContain('120 changed files')
    const second = await search('walrus3')
    expect(second).toMatchObject({ stale: false, notes: [] })
    expect(second.passages[0].path).toBe('shared/0003.md')
  })

  it('a search during an index rebuild sees all of the index, never half of it [MC-43]', async () => {
    const paths = Array.from({ length: 40 }, (_, at) => `shared/zebra-${at}.md`)
    for (const path of paths) await put(path, `The zebra of ${path}.\n`)
    const all = [...paths].sort()
    const found = async () =>
      (await search('zebra', '&limit=50')).passages.map(({ path }: { path: string }) => path).sort()
    expect(await found()).toEqual(all)
    let isMade = false
    const making = (async () => {
      for (let times = 0; times < 3; times += 1) await api.call('POST /v1/memory/rebuild', {})
      isMade = true
    })()
    let searches = 0
    for (; !isMade; searches += 1) expect(await found()).toEqual(all)
    await making
    expect(searches).toBeGreaterThan(3)
  })

  it('the index can be deleted at any time, and a rebuild gives identical results', async () => {
    for (let at = 0; at < 30; at += 1) {
      await append(`shared/${at % 7}.md`, `- fact ${at} about ${at % 3 ? 'tea' : 'coffee and tea'}`)
      if (at % 5 === 0) await search('tea')
    }
    await api.call('DELETE /v1/memory/shared/3.md')
    const ask = () =>
      Promise.all(['tea', 'coffee', 'fact 12', 'cofee'].map((query) => search(query, '&limit=50')))
    const before = await ask()
    expect(before[0].passages.length).toBeGreaterThan(3)
    const index = `${TENANT}/index/memory/`
    const parts = (await api.world.objects.list(index)).objects
    expect(parts.length).toBeGreaterThan(0)
    for (const { key } of parts) await api.world.objects.delete(key, 'any')
    expect(await ask()).toEqual(before)
    const rebuilt = await api.call('POST /v1/memory/rebuild', {})
    expect(rebuilt.body).toMatchObject({ files: 6, stale: false, healed: 6 })
    expect(await ask()).toEqual(before)
    // Whatever lies there instead of it.
    const [part] = (await api.world.objects.list(index)).objects
    await api.world.objects.put(part!.key, new TextEncoder().encode('{"magic":"x"'), 'any')
    expect(await ask()).toEqual(before)
  })

  it('the status reports what the index contains without changing it', async () => {
    await put('shared/a.md', 'one\n')
    const { body: empty } = await api.call('GET /v1/memory/status')
    expect(empty).toMatchObject({ files: 1, stale: true, healed: 0 })
    await search('one')
    const { body: known } = await api.call('GET /v1/memory/status')
    expect(known).toMatchObject({ files: 1, passages: 1, stale: false })
    expect(known.memories).toMatchObject([{ folder: 'shared/', files: 1 }])
  })
})
