import { beforeEach, describe, expect, it } from 'vitest'
import { manage } from '../../../../src/engine/manage/index.ts'
import { hiding } from '../../../../src/lib/hide.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { TENANT } from '../../../support/drive.ts'
import { skill } from '../../../support/layers.ts'

const URL = 'https://docs.example/mcp'
const CONFIG = 'base/.agents/config.toml'
const LEGACY = 'base/.goclaw/mcp.json'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const put = (fields: object) => api.call('PUT /v1/mcp-servers/docs', fields)
const resolve = async (selection = {}) => (await api.call('POST /v1/resolve', selection)).body
/** The findings of the config file. */
const findings = async (path: string) => {
  const { records } = await resolve()
  return records.find((one: { path: string; layer: string }) => one.layer + one.path === path)
    .diagnostics
}
const enabled = async () =>
  (await resolve()).servers.map((one: { enabled: boolean }) => one.enabled)

describe('a suspicious server configuration', () => {
  it('reports a header that the bearer token would replace, and headers that differ only in case', async () => {
    const both = { url: URL, bearer_token_env_var: 'T', env_http_headers: { authorization: 'U' } }
    const replaced = await put(both)
    expect([replaced.status, replaced.body.detail]).toEqual([
      422,
      expect.stringContaining('which bearer_token_env_var also sets; keep one of them'),
    ])
    const twice = { url: URL, http_headers: { 'X-A': '1', 'x-a': '2' } }
    expect((await put(twice)).body.detail).toContain('differ only in case')
    const across = { url: URL, http_headers: { 'X-A': '1' }, env_http_headers: { 'x-a': 'S' } }
    expect((await put(across)).body.detail).toContain('differ only in case')
    await api.write({
      [CONFIG]: `[mcp_servers.docs]\nurl = "${URL}"\nhttp_headers = { X-A = "1", x-a = "2" }\n`,
    })
    expect(await findings(CONFIG)).toMatchObject([{ code: 'duplicate_header', line: 3 }])
  })

  it('an overlay that writes a header in another case replaces it instead of sending both', async () => {
    await api.write({
      [CONFIG]: `[mcp_servers.docs]\nurl = "${URL}"\nhttp_headers = { X-A = "1", X-B = "1" }\n`,
      'repos/app/.agents/config.toml': '[mcp_servers.docs]\nhttp_headers = { x-a = "2" }\n',
    })
    const { servers, unavailable } = await resolve({ repo_dir: 'repos/app' })
    expect(Object.keys(servers[0].http_headers)).toEqual(['X-B', 'x-a'])
    expect(unavailable).toEqual([])
  })

  it('reports `timeoutSeconds: 0` of older clients as such, and uses the default', async () => {
    const { status, body } = await put({ url: URL, timeoutSeconds: 0 })
    expect([status, body.server.startup_timeout_sec]).toEqual([201, 20])
    expect(body.warnings).toMatchObject([
      { code: 'timeout_zero', hint: 'omit it to use the default of 20 seconds' },
    ])
    const json = { url: URL, toolTimeoutSeconds: 0 }
    const strict = await api.call('PUT /v1/mcp-servers/b?strict=true', json)
    expect([strict.status, JSON.stringify(strict.body.errors)]).toEqual([
      422,
      expect.stringContaining('timeout_zero'),
    ])
  })

  it('reports which key to use for a literal bearer_token, on every route', async () => {
    const KEY = /name it in `bearer_token_env_var`/
    expect(JSON.stringify((await put({ url: URL, bearer_token: 'x' })).body)).toMatch(KEY)
    await put({ url: URL })
    const patched = await api.call('PATCH /v1/mcp-servers/docs', { bearer_token: 'x' })
    expect([patched.status, JSON.stringify(patched.body)]).toEqual([
      422,
      expect.stringMatching(KEY),
    ])
    const inline = { input: 'x', mcp_servers: { a: { url: URL, bearer_token: 'x' } } }
    expect(JSON.stringify((await api.call('POST /v1/runs', inline)).body)).toMatch(KEY)
    // As POST /mcp and the model's tool call it.
    const manager = { world: api.world, tenant: TENANT, by: 'test' }
    const given = { name: 'a', url: URL, bearer_token: 'x' }
    expect(JSON.stringify(await manage(manager, 'mcp_put_server', given))).toMatch(KEY)
    await api.write({ [CONFIG]: `[mcp_servers.docs]\nurl = "${URL}"\nbearer_token = "x"\n` })
    expect((await findings(CONFIG))[0].message).toMatch(KEY)
  })
})

describe('an item inherited from another layer', () => {
  const REPO = '/v1/mcp-servers/docs?layer=repos/app'

  it('PATCH amends an inherited server, and refuses members that would replace it', async () => {
    await put({ url: URL, tool_timeout_sec: 9 })
    await api.write({ 'repos/app/README.md': 'x' })
    const { status, body } = await api.call(`PATCH ${REPO}`, { startup_timeout_sec: 7 })
    expect([status, body.created]).toEqual([200, true])
    const { servers } = await resolve({ repo_dir: 'repos/app' })
    expect(servers[0]).toMatchObject({ url: URL, startup_timeout_sec: 7, tool_timeout_sec: 9 })
    await api.call(`DELETE ${REPO}`)
    for (const patch of [{ url: 'https://b.example/mcp' }, { tool_timeout_sec: null }])
      expect((await api.call(`PATCH ${REPO}`, patch)).status).toBe(422)
    const nowhere = await api.call('PATCH /v1/mcp-servers/none?layer=repos/app', {})
    expect(nowhere.status).toBe(404)
  })

  it("404 for switching off a skill or server that no layer has; the role's layer is included", async () => {
    await api.write({
      'repos/app/README.md': 'x',
      'roles/qa/.agents/skills/check/SKILL.md': skill('x', 'check'),
      'roles/qa/.agents/config.toml': `[mcp_servers.qa]\nurl = "${URL}"\n`,
    })
    const off = (path: string) => api.call(`PATCH ${path}?layer=repos/app`, { enabled: false })
    expect((await off('/v1/skills/nowhere')).status).toBe(404)
    expect((await off('/v1/mcp-servers/nowhere')).status).toBe(404)
    expect((await off('/v1/skills/check')).status).toBe(200)
    expect((await off('/v1/mcp-servers/qa')).status).toBe(200)
  })
})

describe('the older disabled switch', () => {
  const old = { servers: { a: { url: URL, disabled: true }, b: { url: URL, disabled: false } } }

  it('`disabled: true` of an older file switches the server off, with a warning', async () => {
    await api.write({ [LEGACY]: JSON.stringify(old) })
    expect(await enabled()).toEqual([false, true])
    const codes = (await findings(LEGACY)).map(({ code }: { code: string }) => code)
    expect(codes).toContain('legacy_key')
    const both = { servers: { a: { url: URL, enabled: true, disabled: true } } }
    await api.write({ [LEGACY]: JSON.stringify(both) })
    expect(await enabled()).toEqual([false])
  })

  it('is migrated as enabled = false', async () => {
    await api.write({ [LEGACY]: JSON.stringify(old) })
    await api.call('POST /v1/layers/migrate', { dry_run: false })
    expect(await api.read(CONFIG)).toContain('enabled = false')
    expect(await enabled()).toEqual([false, true])
  })
})

describe('the redaction of secrets', () => {
  it('leaves other text intact when a secret is short', () => {
    const hide = hiding(['x', 'ab', '1234567', ' '])
    expect(hide('x marks the box; ab 1234567')).toBe('x marks the box; ab 1234567')
    expect(hiding(['x', 'long-secret-value'])('x long-secret-value')).toBe('x [redacted]')
  })
})
