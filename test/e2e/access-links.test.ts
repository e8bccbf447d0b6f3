/** Signed links on a running server: what a person sees, decides, and can never do. */

import { expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'
import { startServer } from '../support/server.ts'

const HTML = { accept: 'text/html,application/xhtml+xml' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ASKS = '@call file_write {"path":"<b>a.txt","content":"pay 12345678901234567890 \\u202e"}'

const setPolicy = async (api: NodeApi, policy: object) => {
  const etag = (await ask(api, 'GET', '/v1/policy')).headers.get('etag') ?? ''
  return ask(api, 'PUT', '/v1/policy', policy, { 'if-match': etag })
}

async function asking(api: NodeApi, more: object = {}) {
  await setPolicy(api, { approvals: { file_write: 'ask' }, ...more })
  const input = `${ASKS}\n@then\n@say {last}`
  const { id } = (await ask(api, 'POST', '/v1/runs', { input })).body
  const approval = await until('an approval', async () => {
    const { data } = (await ask(api, 'GET', '/v1/approvals')).body
    return data.find(({ run_id }: { run_id: string }) => run_id === id)
  })
  return { run: id as string, approval }
}

const makeLink = (api: NodeApi, json: object, key = api.key) =>
  ask(api, 'POST', '/v1/access-links', json, bearer(key))

/** As a browser opens a link, without a key. */
async function browse(api: NodeApi, url: string, form?: Readonly<Record<string, string>>) {
  const response = await fetch(`${api.url}${new URL(url).pathname}`, {
    method: form ? 'POST' : 'GET',
    headers: form ? { ...HTML, ...FORM } : HTML,
    redirect: 'manual',
    ...(form && { body: new URLSearchParams(form).toString() }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it('a link shows an approval, decides it once, and changes nothing when opened', async () => {
  const api = await startNodeApi({ STRATA_PUBLIC_URL: 'https://strata.example' })
  const { run, approval } = await asking(api)
  const made = await makeLink(api, { for: { approval: approval.id }, expires_in: 604_800 })
  expect([made.status, made.body]).toMatchObject([201, { object: 'access_link', may: 'decide' }])
  const { url, id } = made.body
  expect(url).toBe(`https://strata.example/decide/${made.body.token}`)

  for (let count = 0; count < 3; count += 1) {
    const { status, text, headers } = await browse(api, url)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(text).toContain('file_write is waiting for a decision')
    expect(text).toContain('12345678901234567890 \\u202e')
    expect(text).toContain('&lt;b&gt;a.txt')
    expect(text).not.toMatch(/<b>|<script|\u202e/)
  }
  const { headers } = await browse(api, url)
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('ratelimit')).toContain('key-requests')
  expect((await ask(api, 'GET', `/v1/approvals/${approval.id}`)).body.status).toBe('pending')

  const deny = { args_hash: approval.args_hash, decision: 'deny', reason: 'Not <i>this</i> one.' }
  const decided = await browse(api, url, deny)
  expect([decided.status, decided.headers.get('location')]).toEqual([303, new URL(url).pathname])
  const after = await browse(api, url)
  expect(after.text).toContain('file_write was denied')
  expect(after.text).toContain('Not &lt;i&gt;this&lt;/i&gt; one.')
  expect(after.text).not.toContain('<form')
  expect((await browse(api, url, deny)).status).toBe(303)
  const late = await browse(api, url, { ...deny, decision: 'approve', reason: '' })
  expect([late.status, late.headers.get('content-type')]).toEqual([409, 'text/html; charset=UTF-8'])
  expect(late.text).toContain('The approval was already decided: deny.')
  const { data } = (await ask(api, 'GET', '/v1/audit')).body
  expect(data).toContainEqual(expect.objectContaining({ action: 'deny', by: id }))
  await until('the end', async () => {
    const { body } = await ask(api, 'GET', `/v1/runs/${run}`)
    return body.output?.text.includes('Not <i>this</i> one.')
  })
})

it('a link to a run shows it and cannot decide approvals', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: '@say <b>done</b>' })
  const { body } = await makeLink(api, { for: { run: run.id } })
  expect(body).toMatchObject({ may: 'read', url: `${api.url}/decide/${body.token}` })
  const { status, text } = await browse(api, body.url)
  expect(status).toBe(200)
  expect(text).toContain('general: completed')
  expect(text).toContain('&lt;b&gt;done&lt;/b&gt;')
  const posted = await browse(api, body.url, { args_hash: 'x', decision: 'approve' })
  expect([posted.status, posted.text]).toMatchObject([
    403,
    expect.stringContaining('approvals:write'),
  ])
  const read = await ask(api, 'GET', `/v1/runs/${run.id}`, undefined, bearer(body.token))
  expect(read.status).toBe(200)
})

it('a link never exceeds the permissions of its key, and ends with the key', async () => {
  const api = await startNodeApi()
  const { run, approval } = await asking(api)
  const subject = { approval: approval.id }
  const reader = (await ask(api, 'POST', '/v1/keys', { scopes: ['approvals:read'] })).body
  const wider = await makeLink(api, { for: subject }, reader.key)
  expect([wider.status, wider.body.code]).toEqual([403, 'insufficient_scope'])
  const { body } = await makeLink(api, { for: subject, may: 'read' }, reader.key)
  const shown = await browse(api, body.url)
  expect(shown.text).toContain('is waiting for a decision')
  expect(shown.text).not.toContain('<form')
  const form = { args_hash: approval.args_hash, decision: 'approve' }
  expect((await browse(api, body.url, form)).status).toBe(403)
  await ask(api, 'DELETE', `/v1/keys/${reader.id}`)
  const ended = await browse(api, body.url)
  expect([ended.status, ended.headers.get('content-type')]).toMatchObject([
    401,
    expect.stringMatching(/^text\/html/),
  ])
  expect(ended.text).toContain('Invalid link')

  const tenant = { for: { tenant: true }, scopes: ['approvals:read'] }
  const { token } = (await ask(api, 'POST', '/v1/tokens', tenant)).body
  const other = await browse(api, body.url.replace(body.token, token))
  expect([other.status, other.text]).toMatchObject([
    404,
    expect.stringMatching(/not for an approval or run/),
  ])

  const { key } = await createKey(api.host.world, 'stranger', ['*'])
  expect((await makeLink(api, { for: subject }, key)).body.code).toBe('not_found')
  expect((await makeLink(api, { for: { run } }, key)).body.code).toBe('not_found')
  for (const [json, pointer] of [
    [{ for: { run }, may: 'decide' }, '/may'],
    [{ for: subject, expires_in: 604_801 }, '/expires_in'],
    [{ for: subject, expires_in: 59 }, '/expires_in'],
    [{ for: { ...subject, run } }, '/for'],
    [{ for: {} }, '/for'],
    [{ for: subject, may: 'edit' }, '/may'],
  ] as const) {
    const { status, body: problem } = await makeLink(api, json)
    expect([json, status]).toEqual([json, 422])
    expect(problem.errors[0].pointer).toContain(pointer)
  }
})

it('a form that the page did not issue decides nothing', async () => {
  const api = await startNodeApi()
  const { approval } = await asking(api)
  const { body } = await makeLink(api, { for: { approval: approval.id } })
  const path = new URL(body.url).pathname
  const send = async (text: string, headers: Readonly<Record<string, string>> = FORM) => {
    const response = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: text })
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  const { args_hash } = approval
  for (const text of ['', 'decision=approve', `args_hash=${args_hash}&decision=yes`])
    expect(await send(text)).toEqual([422, 'invalid_request'])
  expect(await send(`args_hash=${args_hash}&decision=deny&decision=approve`)).toEqual([
    422,
    'invalid_request',
  ])
  expect(await send(`args_hash=${args_hash}&decision=approve&arguments=x`)).toEqual([
    422,
    'invalid_request',
  ])
  expect(await send('args_hash=other&decision=approve')).toEqual([409, 'args_changed'])
  expect(await send('{}', { 'content-type': 'application/json' })).toEqual([
    415,
    'unsupported_media_type',
  ])
  expect(await send(`reason=${'x'.repeat(20_000)}`)).toEqual([413, 'too_large'])
  expect((await ask(api, 'GET', `/v1/approvals/${approval.id}`)).body.status).toBe('pending')
})

it('no log and no answer repeats the token of a link, in any encoding', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const run = await server.get<{ id: string }>('/v1/runs', { method: 'POST', json: { input: 'x' } })
  const json = { for: { run: run.id } }
  const { token } = await server.get<{ token: string }>('/v1/access-links', {
    method: 'POST',
    json,
  })
  const secret = token.slice('strata_token_'.length)
  const encoded = `%73${token.slice(1)}`
  for (const path of [
    `/decide/${token}`,
    `/decide/${token}/`,
    `/decide/${token.slice(0, -4)}`,
    `/decide/${encoded}`,
    `/%64ecide/${token}`,
    `/decide%2F${token}`,
    `//decide/${token}`,
    `/DECIDE/${token}`,
    `/v1/${token}`,
    `/v1/runs/${encoded.replace('%', '%25')}`,
    `/decide/${token}?token=${token}`,
  ]) {
    const response = await fetch(`${server.url}${path}`)
    const told = `${await response.text()} ${JSON.stringify([...response.headers])}`
    expect(told).not.toContain(secret.slice(0, 40))
  }
  await until('the log', () => server.process.output().split('"event":"request"').length > 13)
  expect(server.process.output()).not.toContain(secret.slice(0, 40))
  expect(server.process.output()).toContain('/decide/{token}')
})

it('approval.requested webhooks carry a link when the policy names a key', async () => {
  const told: { type: string; data: { decide_url?: string | null } }[] = []
  const receiver = await startCannedServer(({ body }, response) => {
    told.push(JSON.parse(body))
    response.writeHead(200).end()
  })
  cleanup.push(receiver.close)
  const bare = await startNodeApi()
  const key = (await ask(bare, 'POST', '/v1/keys', { scopes: ['approvals:*'] })).body
  const refused = await setPolicy(bare, { approval_links: { key_id: key.id } })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    'Approval links cannot be created: STRATA_PUBLIC_URL is not set.',
  ])

  const api = await startNodeApi({ STRATA_PUBLIC_URL: 'https://strata.example' })
  const maker = (await ask(api, 'POST', '/v1/keys', { scopes: ['approvals:*'] })).body
  const writer = (await ask(api, 'POST', '/v1/keys', { scopes: ['policy:*'] })).body
  const links = { approval_links: { key_id: maker.id } }
  const etag = { 'if-match': '"0"', ...bearer(writer.key) }
  expect((await ask(api, 'PUT', '/v1/policy', links, etag)).body.code).toBe('insufficient_scope')
  const lacking = await setPolicy(api, { approval_links: { key_id: writer.id } })
  expect(lacking.body.detail).toContain(`the API key ${writer.id} lacks the scope approvals:read`)
  const unknown = await setPolicy(api, { approval_links: { key_id: 'none' } })
  expect(unknown.body.errors[0].pointer).toBe('/approval_links')

  const json = { url: `${receiver.origin}/in`, events: ['approval.requested'] }
  await ask(api, 'POST', '/v1/webhook-endpoints', json)
  await asking(api)
  await until('a webhook without a link', () => told.length === 1)
  expect(told[0]?.data).not.toHaveProperty('decide_url')

  const { approval } = await asking(api, links)
  await until('a webhook with a link', () => told.length === 2)
  const url = String(told[1]?.data.decide_url)
  const form = { args_hash: approval.args_hash, decision: 'approve' }
  expect((await browse(api, url, form)).status).toBe(303)
  expect((await browse(api, url)).text).toContain('file_write was approved')

  await ask(api, 'DELETE', `/v1/keys/${maker.id}`)
  expect((await browse(api, url)).status).toBe(401)
  await asking(api, links)
  await until('a webhook that names what is missing', () => told.length === 3)
  expect(told[2]?.data.decide_url).toBeNull()
})
