/** Short-lived tokens: what each opens, and when it ends. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { environmentSecrets } from '../../src/hosts/shared/secrets.ts'
import { BANK, bank, OPEN, setPolicy } from '../support/approvals.ts'
import { putFiles } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const started = async (json: object = { input: '@say done' }) => {
  const { body } = await api.call('POST', '/v1/runs', { json })
  await api.settle()
  return body.id as string
}
const make = (json: object, key = api.key) => api.call('POST', '/v1/tokens', { json, key })
const tokenFor = async (id: string, ...actions: string[]) => {
  const { status, body } = await make({ for: id, actions })
  expect(status).toBe(201)
  return body.token as string
}
const SSE = { accept: 'text/event-stream' }
const answerTo = async (key: string, path: string, headers = {}, method = 'GET', json?: object) => {
  const sent = json === undefined ? {} : { json }
  const { status, body } = await api.call(method, path, { key, headers, ...sent })
  return [status, body?.code]
}
const OK = [200, undefined]
const NO = [403, 'insufficient_scope']
const NONE = [404, 'not_found']

describe('a token for a run', () => {
  it('reads it, its transcript and its events, and streams when it may', async () => {
    const id = await started()
    const [reads, streams] = [await tokenFor(id, 'read'), await tokenFor(id, 'stream')]
    const events = `/v1/runs/${id}/events`
    for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}/transcript`, events]) {
      expect(await answerTo(reads, path)).toEqual(OK)
      expect(await answerTo(streams, path)).toEqual(NO)
    }
    expect(await answerTo(reads, events, SSE)).toEqual(NO)
    const { status, text } = await api.call('GET', events, { key: streams, headers: SSE })
    expect([status, text.includes('event: run.completed')]).toEqual([200, true])
  })

  it('opens nothing else: every other route is refused, every other run is not there', async () => {
    const id = await started()
    const other = await started()
    const token = await tokenFor(id, 'read', 'stream')
    for (const [method, path] of [
      ['GET', '/v1/runs'],
      ['GET', `/v1/runs/${id}/config`],
      ['GET', `/v1/runs/${id}/children`],
      ['POST', `/v1/runs/${id}/cancel`],
      ['DELETE', `/v1/runs/${id}`],
      ['GET', '/v1/keys'],
      ['GET', '/v1/files'],
      ['GET', '/v1/policy'],
      ['GET', '/v1/audit'],
      ['GET', '/v1/sessions'],
      ['GET', '/metrics'],
    ] as const)
      expect([path, ...(await answerTo(token, path, {}, method))]).toEqual([path, ...NO])
    for (const [path, json] of [
      ['/v1/tokens', { for: id, actions: ['read'] }],
      ['/v1/runs', { input: 'more' }],
      [`/v1/runs/${id}/messages`, { content: 'more' }],
      ['/v1/keys', { scopes: ['runs:read'] }],
    ] as const)
      expect([path, ...(await answerTo(token, path, {}, 'POST', json))]).toEqual([path, ...NO])
    const nobody = `run_${'0'.repeat(26)}`
    for (const one of [other, nobody, 'run_x', id.toUpperCase()]) {
      expect(await answerTo(token, `/v1/runs/${one}`)).toEqual(NONE)
      expect(await answerTo(token, `/v1/runs/${one}/events`, SSE)).toEqual(NONE)
    }
    const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { accept: 'application/json, text/event-stream' }
    expect((await api.call('POST', '/mcp', { key: token, json: mcp, headers })).status).toBe(403)
  })

  it('is not made for what is not in the tenant, or for what has no such action', async () => {
    const id = await started()
    const foreign = await createKey(api.world, 'stranger', ['*'])
    const theirs = await make({ for: id, actions: ['read'] }, foreign.key)
    const none = await make({ for: `run_${'0'.repeat(26)}`, actions: ['read'] })
    expect([theirs.status, none.status]).toEqual([404, 404])
    expect(theirs.body.detail).toBe(none.body.detail)
    for (const json of [
      { for: id, actions: [] },
      { for: id, actions: ['decide'] },
      { for: id, actions: ['write'] },
      { for: 'fan_1', actions: ['read'] },
      { for: '', actions: ['read'] },
      { for: id, actions: ['read'], expires_in_seconds: 0 },
      { for: id, actions: ['read'], expires_in_seconds: 3_601 },
      { for: id, actions: ['read'], tenant: 'stranger' },
    ]) {
      const { status, body } = await make(json)
      expect([json, status, body.code]).toEqual([json, 422, 'invalid_request'])
    }
  })

  it('hands on what its maker may do, and needs leave to hand on', async () => {
    const id = await started()
    const by = async (...scopes: string[]) => {
      const { body } = await api.call('POST', '/v1/keys', { json: { scopes } })
      const { status, body: made } = await make({ for: id, actions: ['read'] }, body.key)
      return [status, made.code]
    }
    expect(await by('runs:*')).toEqual(NO)
    expect(await by('tokens:write')).toEqual(NO)
    expect(await by('tokens:write', 'sessions:*')).toEqual(NO)
    expect(await by('tokens:write', 'runs:read')).toEqual([201, undefined])
  })

  it('ends with its time, in another deployment, and by one changed character', async () => {
    const id = await started()
    const made = await make({ for: id, actions: ['read'], expires_in_seconds: 60 })
    const { token, expires_at } = made.body
    expect(Date.parse(expires_at)).toBe(api.world.clock.now() + 60_000)
    const path = `/v1/runs/${id}`
    const refused = [401, 'unauthorized']
    for (const at of [14, 40, token.length - 2]) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const forged = token.slice(0, at) + other + token.slice(at + 1)
      expect(await answerTo(forged, path)).toEqual(refused)
    }
    expect(await answerTo('strata_token_', path)).toEqual(refused)
    // Sealed for something else by the same deployment.
    const sealed = await api.world.secrets.seal(JSON.stringify({}), 'download')
    expect(await answerTo(`strata_token_${sealed}`, path)).toEqual(refused)
    expect(await answerTo(token, path)).toEqual(OK)
    api.world.clock.advance(60_000)
    expect(await answerTo(token, path)).toEqual(refused)
  })

  it('ends with the key that made it', async () => {
    const id = await started()
    const { body } = await api.call('POST', '/v1/keys', { json: { scopes: ['*'] } })
    const { token } = (await make({ for: id, actions: ['read'] }, body.key)).body
    expect(await answerTo(token, `/v1/runs/${id}`)).toEqual(OK)
    await api.call('DELETE', `/v1/keys/${body.id}`)
    expect(await answerTo(token, `/v1/runs/${id}`)).toEqual([401, 'unauthorized'])
  })

  it('is in the audit, without its text', async () => {
    const id = await started()
    const { body } = await make({ for: id, actions: ['read', 'stream', 'read'] })
    expect(body.actions).toEqual(['read', 'stream'])
    const { body: audit, text } = await api.call('GET', '/v1/audit')
    expect(audit.data[0]).toMatchObject({
      ...{ kind: 'token', action: 'create', name: body.id },
      detail: `${id} read stream until ${body.expires_at}`,
    })
    expect(text).not.toContain(body.token)
  })
})

it('a token for a session reads it and its runs, and no other ones', async () => {
  const id = await started()
  const other = await started()
  const { body: run } = await api.call('GET', `/v1/runs/${id}`)
  const session = run.session_id as string
  const token = await tokenFor(session, 'read', 'stream')
  for (const path of ['', '/messages', '/runs'])
    expect(await answerTo(token, `/v1/sessions/${session}${path}`)).toEqual(OK)
  expect(await answerTo(token, `/v1/runs/${id}`)).toEqual(OK)
  expect(await answerTo(token, `/v1/runs/${id}/transcript`)).toEqual(OK)
  expect(
    (await api.call('GET', `/v1/runs/${id}/events`, { key: token, headers: SSE })).status,
  ).toBe(200)
  expect(await answerTo(token, `/v1/runs/${other}`)).toEqual(NONE)
  expect(await answerTo(token, `/v1/runs/${other}/events`, SSE)).toEqual(NONE)
  expect(await answerTo(token, `/v1/sessions/${session}/export`)).toEqual(NO)
  expect(await answerTo(token, `/v1/sessions/${session}`, {}, 'DELETE')).toEqual(NO)
})

it('a token for an approval looks at it and decides it, and the audit says so', async () => {
  const { tools } = bank()
  api = await testApi({ tools, web: OPEN })
  await putFiles(api.world, { 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  await started({ input: '@call mcp__bank__pay {"amount":1}\n@say {last}' })
  const { body: pending } = await api.call('GET', '/v1/approvals')
  const { id } = pending.data[0]
  const path = `/v1/approvals/${id}`
  const reads = await tokenFor(id, 'read')
  expect(await answerTo(reads, path)).toEqual(OK)
  // All that a page needs for its form, so that the token need open nothing of the run.
  const { body: whole } = await api.call('GET', path, { key: reads })
  expect(whole.input_schema).toMatchObject({ type: 'object' })
  expect('input_schema' in pending.data[0]).toBe(false)
  const approve = { decision: 'approve' }
  expect(await answerTo(reads, `${path}/decision`, {}, 'POST', approve)).toEqual(NO)
  const { body: made } = await make({ for: id, actions: ['read', 'decide'] })
  expect(await answerTo(made.token, '/v1/approvals')).toEqual(NO)
  expect(await answerTo(made.token, `${path}/decision`, {}, 'POST', approve)).toEqual(OK)
  const { body: decided } = await api.call('GET', path, { key: made.token })
  expect([decided.status, 'input_schema' in decided]).toEqual(['approved', false])
  for (const other of [
    '/v1/runs',
    `/v1/runs/${decided.run_id}`,
    `/v1/runs/${decided.run_id}/config`,
  ])
    expect([other, ...(await answerTo(made.token, other))]).toEqual([other, ...NO])
  const { body: audit } = await api.call('GET', '/v1/audit')
  const [entry] = audit.data.filter(({ kind }: { kind: string }) => kind === 'approval')
  expect(entry).toMatchObject({ action: 'approve', by: made.id })
})

it('a token outlives an exchange of the master key, while the one before is still known', async () => {
  const [old, next] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const secretsOf = (key: Uint8Array, env: Record<string, string> = {}) =>
    environmentSecrets({ env, tenant: 'none', key })
  let secrets = secretsOf(old)
  const current: typeof secrets = {
    ...secrets,
    seal: (text, context) => secrets.seal(text, context),
    open: (sealed, context) => secrets.open(sealed, context),
  }
  api = await testApi({ secrets: current })
  const id = await started()
  const token = await tokenFor(id, 'read')
  expect(await answerTo(token, `/v1/runs/${id}`)).toEqual(OK)
  secrets = secretsOf(next, { STRATA_MASTER_KEY_PREVIOUS: Buffer.from(old).toString('hex') })
  expect(await answerTo(token, `/v1/runs/${id}`)).toEqual(OK)
  secrets = secretsOf(next)
  expect(await answerTo(token, `/v1/runs/${id}`)).toEqual([401, 'unauthorized'])
})
