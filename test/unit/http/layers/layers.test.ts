import { beforeEach, describe, expect, it } from 'vitest'
import { Resolved } from '../../../../src/http/schemas/layers/config.ts'
import { sha256 } from '../../../../src/lib/digest.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { TENANT } from '../../../support/drive.ts'
import { startEverything } from '../../../support/everything.ts'
import { skill } from '../../../support/layers.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { BASE_CONFIG, server } from '../../../support/resolved.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const SKILL = 'base/.agents/skills/deploy/SKILL.md'

describe('POST /v1/layers/migrate', () => {
  const old = {
    'base/.goclaw/mcp.json': JSON.stringify({
      version: 1,
      servers: {
        time: {
          enabled: true,
          type: 'stdio',
          command: 'uvx',
          env: { K: 'canary' },
          timeoutSeconds: 9,
        },
      },
    }),
    'base/.goclaw/skills/deploy/SKILL.md': skill('from goclaw', 'deploy'),
    'base/skills/main/deploy/SKILL.md': skill('from main', 'deploy'),
    'base/skills/main/notes/SKILL.md': skill('notes', 'notes'),
    'base/skills/main/notes/scripts/x.sh': 'echo',
  }
  const shown = (resolved: {
    skills: { id: string; body: string }[]
    servers: { name: string }[]
  }) => [
    resolved.skills.map(({ id, body }) => [id, body]),
    resolved.servers.map(({ name }) => name),
  ]
  const resolve = async () => shown((await api.call('POST /v1/resolve', {})).body)

  it('is a dry run by default: it shows what it would write with values hidden, and writes nothing', async () => {
    await api.write(old)
    const { status, body } = await api.call('POST /v1/layers/migrate', {})
    expect([status, body.dry_run]).toEqual([200, true])
    const [write] = body.steps
    expect(write).toMatchObject({ action: 'write', path: BASE_CONFIG })
    expect(write.content).toContain('[mcp_servers.time]\nenabled = true\ntype = "stdio"')
    expect(JSON.stringify(body)).not.toContain('canary')
    expect(await api.read(BASE_CONFIG)).toBeUndefined()
  })

  it('rewrites the layer so that it resolves to the same result without findings', async () => {
    await api.write(old)
    const before = await resolve()
    await api.call('POST /v1/layers/migrate', { dry_run: false })
    expect(await resolve()).toEqual(before)
    expect(await api.read(BASE_CONFIG)).toContain('K = "canary"')
    expect(await api.read('base/.agents/skills/notes/scripts/x.sh')).toBe('echo')
    expect(await api.read('base/.goclaw/mcp.json')).toBeUndefined()
    const { records } = (await api.call('POST /v1/resolve', {})).body
    const codes = records.flatMap((one: { diagnostics: { code: string }[] }) =>
      one.diagnostics.map(({ code }) => code),
    )
    expect(codes).not.toContain('legacy_layout')
    const again = await api.call('POST /v1/layers/migrate', { dry_run: false })
    expect(again.body.steps.every(({ action }: { action: string }) => action === 'skip')).toBe(true)
  })

  it('creates a version of each server and skill, and preserves what it removes', async () => {
    await api.write(old)
    await api.call('POST /v1/layers/migrate', { dry_run: false })
    for (const one of ['mcp-servers/time', 'skills/deploy', 'skills/notes']) {
      const { body } = await api.call(`GET /v1/${one}/versions`)
      expect([one, body.data.map(({ action }: { action: string }) => action)]).toEqual([
        one,
        ['put'],
      ])
    }
    const { data } = (await api.call('GET /v1/audit')).body
    expect(data.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'file',
      'server',
      'skill',
      'skill',
    ])
    for (const text of [old['base/.goclaw/mcp.json'], old['base/skills/main/notes/scripts/x.sh']]) {
      expect(await api.world.objects.get(`${TENANT}/blobs/${sha256(text)}`)).not.toBeNull()
    }
  })

  it('leaves the content of .agents/ unchanged, and refuses what it cannot parse', async () => {
    await api.write({ ...old, [BASE_CONFIG]: server('mine'), [SKILL]: skill('mine', 'deploy') })
    await api.call('POST /v1/layers/migrate', { dry_run: false })
    expect(await api.read(BASE_CONFIG)).toBe(server('mine'))
    expect(await api.read(SKILL)).toBe(skill('mine', 'deploy'))
    await api.write({ 'roles/x/.goclaw/mcp.json': '{"servers":[' })
    const broken = await api.call('POST /v1/layers/migrate', { layer: 'roles/x', dry_run: false })
    expect([broken.status, broken.body.code]).toEqual([422, 'invalid_config'])
  })

  it('refuses to write an entry that the loader would reject, and then changes nothing', async () => {
    const both = '{"servers":{"a":{"url":"https://x.example","command":"run"}}}'
    await api.write({ 'roles/x/.goclaw/mcp.json': both })
    for (const dry_run of [true, false]) {
      const answer = await api.call('POST /v1/layers/migrate', { layer: 'roles/x', dry_run })
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_config'])
    }
    expect(await api.read('roles/x/.goclaw/mcp.json')).toBe(both)
    expect(await api.read('roles/x/.agents/config.toml')).toBeUndefined()
  })

  it('drops no server because of its name, and neither does the first typed write', async () => {
    const named = '{"servers":{"Context 7":{"command":"npx"},"b":{"command":"x"}}}'
    await api.write({ 'base/.goclaw/mcp.json': named })
    const answers = [
      await api.call('POST /v1/layers/migrate', { dry_run: false }),
      await api.call('PUT /v1/mcp-servers/new', { url: 'https://new.example/mcp' }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([422, 'invalid_config'])
      expect(body.detail).toContain('Context 7')
    }
    expect(await api.read('base/.goclaw/mcp.json')).toBe(named)
    expect(await api.read(BASE_CONFIG)).toBeUndefined()
  })

  it('reports what it does not migrate', async () => {
    const text = '{"servers":{"b":{"command":"x","autoApprove":["read"]}}}'
    await api.write({ 'base/.goclaw/mcp.json': text })
    const { body } = await api.call('POST /v1/layers/migrate', {})
    expect(body.steps[0].diagnostics[0].message).toContain('autoApprove')
  })

  it('continues after an interruption, between copies or between deletions', async () => {
    const main = skill('notes', 'notes')
    const home = 'base/.agents/skills/notes'
    const whole = { 'base/skills/main/notes/SKILL.md': main, 'base/skills/main/notes/x.sh': 'echo' }
    for (const interrupted of [
      { ...whole, [`${home}/SKILL.md`]: main },
      {
        [`${home}/SKILL.md`]: main,
        [`${home}/x.sh`]: 'echo',
        'base/skills/main/notes/x.sh': 'echo',
      },
    ]) {
      await api.write(interrupted)
      await api.call('POST /v1/layers/migrate', { dry_run: false })
      expect([await api.read(`${home}/SKILL.md`), await api.read(`${home}/x.sh`)]).toEqual([
        main,
        'echo',
      ])
      for (const path of Object.keys(whole)) expect(await api.read(path)).toBeUndefined()
    }
  })
})

describe('POST /v1/resolve', () => {
  it('answers as the contract states, also for servers from the request or from a file it names', async () => {
    await api.write({ 'repos/app/mcp.toml': server('own'), [BASE_CONFIG]: server('a') })
    for (const [given, name] of [
      [{ mcp_servers: { own: { url: 'https://own.example/mcp' } } }, 'own'],
      [{ mcp_config_path: 'repos/app/mcp.toml' }, 'own'],
      [{}, 'a'],
    ] as const) {
      const { status, body } = await api.call('POST /v1/resolve', given)
      expect(status).toBe(200)
      expect(Resolved.parse(body).servers.map((one) => one.name)).toEqual([name])
    }
  })
})

describe('POST /v1/resolve/diff', () => {
  it('compares two inputs field by field, without values', async () => {
    await api.write({ [BASE_CONFIG]: server('a'), 'roles/qa/.agents/config.toml': server('b') })
    const { body } = await api.call('POST /v1/resolve/diff', { left: {}, right: { role: 'qa' } })
    expect(body.differences).toEqual([
      { kind: 'server', id: 'a', change: 'removed', fields: [] },
      { kind: 'server', id: 'b', change: 'added', fields: [] },
    ])
  })

  it('compares the digests of a run and of a resolve, and returns 404 for an unknown digest', async () => {
    await api.write({ [SKILL]: skill('one', 'deploy') })
    const left = (await api.call('POST /v1/resolve', {})).body.digest
    await api.write({ [SKILL]: skill('two', 'deploy') })
    const right = (await api.call('POST /v1/resolve', {})).body.digest
    const sides = { left: { digest: left }, right: { digest: right } }
    const { body } = await api.call('POST /v1/resolve/diff', sides)
    expect(body).toEqual({
      left,
      right,
      differences: [{ kind: 'skill', id: 'deploy', change: 'changed', fields: ['skill_md'] }],
    })
    const none = { left: { digest: '0'.repeat(64) }, right: {} }
    expect((await api.call('POST /v1/resolve/diff', none)).status).toBe(404)
  })

  it('names the side that caused a refusal', async () => {
    for (const bad of [{ repo_dir: 'none' }, { role: 'a b' }]) {
      const { body } = await api.call('POST /v1/resolve/diff', { left: {}, right: bad })
      expect(body.errors[0].pointer).toBe(`/right/${Object.keys(bad)[0]}`)
    }
  })
})

describe('POST /v1/runtime/reload', () => {
  it('reads everything again and returns the digest of the next run', async () => {
    await api.write({ [SKILL]: skill('one', 'deploy') })
    const { body } = await api.call('POST /v1/runtime/reload', {})
    expect(body.reloaded).toBe(true)
    expect(body.config_digest).toBe((await api.call('POST /v1/resolve', {})).body.digest)
    expect((await api.call('POST /v1/runtime/reload', { role: 'qa' })).status).toBe(200)
  })
})

describe('POST /v1/mcp-servers/{name}/test', () => {
  const probe = (name: string) => api.call(`POST /v1/mcp-servers/${name}/test`)
  const tools = mcp

  it('reports whether the server is reachable, its protocol and tools, and the time taken', async () => {
    const everything = await startEverything('streamableHttp')
    cleanup.push(everything.close)
    api = await testApi({ tools: tools() })
    const body = { url: everything.url, enabled: false }
    await api.call('PUT /v1/mcp-servers/everything', body)
    const { body: shown } = await probe('everything')
    expect(shown).toMatchObject({ reachable: true, error: null, missing_secrets: [] })
    expect(shown.protocol_version).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(shown.tools.map(({ name }: { name: string }) => name)).toContain('echo')
    expect(shown.latency_ms).toBeGreaterThanOrEqual(0)
  })

  it('reports a server that is down, denied, or not found', async () => {
    api = await testApi({ tools: tools() })
    const { server: gone } = await canned()
    await api.call('PUT /v1/mcp-servers/gone', { url: gone.url, bearer_token_env_var: 'NONE' })
    await gone.close()
    const down = (await probe('gone')).body
    expect(down).toMatchObject({ reachable: false, missing_secrets: ['NONE'] })
    expect(down.error).toBe('the server is unreachable')
    const { etag } = await api.call('GET /v1/policy')
    const deny = { deny: { servers: ['gone'], skills: [], tools: [] } }
    await api.call('PUT /v1/policy', deny, { 'if-match': etag! })
    expect((await probe('gone')).body.error).toMatch(/policy/)
    expect((await probe('none')).status).toBe(404)
  })

  it('tests an amending repository entry together with what it inherits', async () => {
    api = await testApi({ tools: tools() })
    const { server: there } = await canned()
    await api.call('PUT /v1/mcp-servers/docs', { url: there.url })
    await api.write({
      'repos/a/.agents/config.toml': '[mcp_servers.docs]\ntool_timeout_sec = 5\n',
      'repos/a/x.md': '',
    })
    await there.close()
    const answer = await api.call('POST /v1/mcp-servers/docs/test?layer=repos/a/')
    expect([answer.status, answer.body.error]).toEqual([200, 'the server is unreachable'])
  })
})

describe('file keys', () => {
  it('a name that differs only in case is refused [K15]', async () => {
    const put = (path: string) => {
      const headers = { 'content-type': 'application/octet-stream' }
      return api.call(`PUT /v1/files/${path}`, 'x', headers)
    }
    expect((await put('base/x/SKILL.md')).status).toBe(201)
    const clash = await put('base/x/skill.md')
    expect([clash.status, clash.body.code]).toEqual([409, 'case_conflict'])
  })

  it('another spelling of a route grants no access [K29]', async () => {
    for (const path of ['//v1/skills', '/V1/skills', '/v1/skills;jsessionid=1', '/v1//skills']) {
      expect([path, (await api.call(`GET ${path}`)).status]).toEqual([path, 404])
    }
  })

  it('a listing returns only keys under its own prefix, whatever the query [K31]', async () => {
    await api.write({ 'base/x': '1' })
    await api.world.objects.put('other/files/base/secret', new Uint8Array(), 'any')
    const list = async (prefix: string) => {
      const { status, body } = await api.call(`GET /v1/files?prefix=${prefix}`)
      return [status, body.data?.map(({ path }: { path: string }) => path)]
    }
    expect(await list('')).toEqual([200, ['base/x']])
    expect(await list('../')).toEqual([400, undefined])
    expect(await list('other/files/')).toEqual([200, []])
    expect(await list(`${TENANT}/files/`)).toEqual([200, []])
  })

  it.each([
    ['go', (shown: string) => api.call(`DELETE /v1/files/${shown}`)],
    ['come', (shown: string) => api.write({ [shown.replace('/f', '/a')]: 'x' })],
  ])('a paged listing returns each file once when others %s meanwhile', async (_, change) => {
    const names = Array.from({ length: 9 }, (_, i) => `repos/app/f${i}`)
    await api.write(Object.fromEntries(names.map((name) => [name, 'x'])))
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await api.call(`GET /v1/files?prefix=repos/app/&limit=2${cursor}`)
      seen.push(...body.data.map(({ path }: { path: string }) => path))
      await change(seen.at(-1) ?? '')
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(seen).toEqual(names)
  })

  it('a write with a stale If-Match is a 412 [K35]', async () => {
    const headers = { 'content-type': 'application/octet-stream' }
    const { etag } = await api.call('PUT /v1/files/base/x', 'one', headers)
    await api.call('PUT /v1/files/base/x', 'two', headers)
    const stale = await api.call('PUT /v1/files/base/x', 'three', { ...headers, 'if-match': etag! })
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
  })
})
