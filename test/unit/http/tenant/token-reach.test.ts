/** Every route of the app under every kind of token: what it reaches, and what is outside. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { LINK_PATH, TOKEN_SCOPES, type TokenKind } from '../../../../src/core/token.ts'
import { createApp } from '../../../../src/http/app.ts'
import { TOKEN_REACH } from '../../../../src/http/request/token-reach.ts'
import { testWorld } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const { routes } = createApp(testWorld())

/** Routes that no token bound to one thing reaches. A new route stands here or in `TOKEN_REACH`. */
const CLOSED = `
  deleteRun createFanout deleteFanout listLayers importLayer resolveLayers diffResolved reloadRuntime migrateLayer
  listSkills getSkill putSkill setSkillEnabled deleteSkill listSkillVersions getSkillVersion
  compareSkillVersion rollbackSkill listAgents getAgent putAgent updateAgent deleteAgent
  listAgentVersions getAgentVersion compareAgentVersion rollbackAgent listMcpServers getMcpServer
  putMcpServer updateMcpServer deleteMcpServer listMcpServerVersions getMcpServerVersion
  compareMcpServerVersion rollbackMcpServer testMcpServer authorizeMcpServer
  forgetMcpServerAuthorization getPolicy putPolicy listAuditEntries getAuditEntry exportAudit callMcp listFiles getFile
  putFile deleteFile listFileVersions getFileVersion searchMemory getMemoryStatus rebuildMemory listMemoryVersions
  getMemoryVersion listMemory getMemory putMemory appendMemory deleteMemory createApiKey
  listApiKeys getApiKey updateApiKey rotateApiKey revokeApiKey createToken createAccessLink
  createTenant updateTenant listTenants getTenant pauseTenant suspendTenant resumeTenant
  deleteTenant exportTenant importTenant cancelRuns
  createWebhookEndpoint
  listBrowserSessions getBrowserSession deleteBrowserSession createSignInLink
  listWebhookEndpoints getWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint
  rotateWebhookEndpointSecret testWebhookEndpoint listWebhookDeliveries getWebhookDelivery
  replayWebhookDelivery replayWebhookDeliveries createHook listHooks getHook deleteHook
  updateHook rotateHookSecret previewHook previewSchedule createSession deleteSession forkSession createSchedule
  listSchedules getSchedule putSchedule putScheduleSource updateSchedule deleteSchedule
  pauseSchedule resumeSchedule runSchedule listScheduleRuns listTools listLimits getMetrics
  listModels getModel createResponse getResponse listResponseInputItems cancelResponse
  putSecret deleteSecret listSecrets getSecret resealSecrets
  deleteResponse createChatCompletion listAgentCards getAgentCard callAgent getUsage
`
  .split(/\s+/)
  .filter((id) => id !== '')

it('every route declares whether tokens reach it', () => {
  const declared = [...Object.keys(TOKEN_REACH), ...CLOSED]
  const open = routes.filter(({ scope }) => scope === null).map(({ id }) => id)
  const ids = routes.map(({ id }) => id).filter((id) => !open.includes(id))
  expect(ids.filter((id) => !declared.includes(id))).toEqual([])
  expect(declared.filter((id) => !ids.includes(id))).toEqual([])
  expect(CLOSED.filter((id) => Object.hasOwn(TOKEN_REACH, id))).toEqual([])
})

const OTHER: Readonly<Record<string, string>> = {
  run: `run_${'0'.repeat(26)}`,
  session: `ses_${'0'.repeat(26)}`,
  fanout: `fan_${'0'.repeat(26)}`,
  approval: `apr_${'0'.repeat(52)}`,
}

/** A token with all scopes that its kind may have. */
async function tokens(api: TestApi): Promise<Readonly<Record<TokenKind, string>>> {
  const run = (await api.call('POST', '/v1/runs', { json: { input: '@say done' } })).body
  const fanout = await api.call('POST', '/v1/fanouts', { json: { tasks: [{ task: '@say x' }] } })
  await api.settle()
  const make = async (kind: TokenKind, subject: string | true) => {
    const json = { for: { [kind]: subject }, scopes: TOKEN_SCOPES[kind] }
    const made = await api.call('POST', '/v1/tokens', { json })
    expect([kind, made.status]).toEqual([kind, 201])
    return made.body.token as string
  }
  return {
    run: await make('run', run.id),
    session: await make('session', run.session_id),
    fanout: await make('fanout', fanout.body.id),
    approval: '',
    tenant: await make('tenant', true),
  }
}

it('a bound token gets 404 for foreign IDs, and 403 on routes that its kind cannot use', async () => {
  const api = await testApi()
  const made = await tokens(api)
  for (const { id, method, path, scope } of routes) {
    if (scope === null || path === '/mcp' || path.startsWith(LINK_PATH)) continue
    const reach = TOKEN_REACH[id]
    for (const kind of ['run', 'session', 'fanout'] as const) {
      const isReached = reach?.kinds.includes(kind) === true
      if (isReached && reach.by === 'handler') continue
      const other = OTHER[reach?.by ?? 'run'] ?? ''
      const place = path.replaceAll(/\{id\}/g, other).replaceAll(/\{\w+\+?\}/g, 'x')
      const json = method === 'get' || method === 'delete' ? {} : { json: {} }
      const answer = await api.call(method.toUpperCase(), place, { key: made[kind], ...json })
      const expected =
        isReached && scope !== 'any' ? [404, 'not_found'] : [403, 'insufficient_scope']
      expect([id, kind, answer.status, answer.body?.code]).toEqual([id, kind, ...expected])
    }
  }
})

it('a token for the tenant changes nothing, on any route', async () => {
  const api = await testApi()
  const { tenant } = await tokens(api)
  for (const { id, method, path, scope } of routes) {
    if (scope === null || method === 'get' || path === '/mcp' || path.startsWith(LINK_PATH))
      continue
    const place = path.replaceAll(/\{id\}/g, OTHER.run!).replaceAll(/\{\w+\+?\}/g, 'x')
    const json = method === 'delete' ? {} : { json: {} }
    const answer = await api.call(method.toUpperCase(), place, { key: tenant, ...json })
    expect([id, answer.status, answer.body?.code]).toEqual([id, 403, 'insufficient_scope'])
  }
})

it('a token has at most the current rights of its key', async () => {
  const api = await testApi()
  const scopes = ['runs:read', 'policy:read']
  const made = (await api.call('POST', '/v1/keys', { json: { scopes } })).body
  const json = { for: { tenant: true }, scopes }
  const { token } = (await api.call('POST', '/v1/tokens', { key: made.key, json })).body
  const status = async (path: string) => (await api.call('GET', path, { key: token })).status
  expect([await status('/v1/runs'), await status('/v1/policy')]).toEqual([200, 200])
  await api.call('PATCH', `/v1/keys/${made.id}`, { json: { scopes: ['runs:read'] } })
  expect([await status('/v1/runs'), await status('/v1/policy')]).toEqual([200, 403])
})

it("a token expires by the server's clock, to the millisecond", async () => {
  const api = await testApi()
  const json = { for: { tenant: true }, scopes: ['runs:read'], expires_in: 300 }
  const { body } = await api.call('POST', '/v1/tokens', { json })
  const status = async () => (await api.call('GET', '/v1/runs', { key: body.token })).status
  await api.world.clock.advance(299_999)
  expect(await status()).toBe(200)
  await api.world.clock.advance(1)
  expect(await status()).toBe(401)
})

it('a token of a run lists the run only if it matches the filters', async () => {
  const api = await testApi()
  const input = '@call ask_user {"question":"Which?"}'
  const run = (await api.call('POST', '/v1/runs', { json: { input } })).body.id
  await api.call('POST', '/v1/runs', { json: { input } })
  await api.settle()
  const json = { for: { run }, scopes: ['runs:read'] }
  const { token: key } = (await api.call('POST', '/v1/tokens', { json })).body
  const listed = async (query: string) =>
    (await api.call('GET', `/v1/runs?${query}`, { key })).body.data.map(
      (one: { id: string }) => one.id,
    )
  expect(await listed('q=which%20ask')).toEqual([run])
  expect(await listed('waiting_on=input')).toEqual([run])
  expect(await listed('q=other')).toEqual([])
  expect(await listed('waiting_on=approval')).toEqual([])
  expect(await listed('model=none/none')).toEqual([])
})

it('a revoked key ends the open streams of its tokens', async () => {
  const api = await testApi()
  const made = (await api.call('POST', '/v1/keys', { json: { scopes: ['runs:*'] } })).body
  const run = (await api.call('POST', '/v1/runs', { json: { input: '@say later' } })).body.id
  const json = { for: { run }, scopes: ['runs:read'] }
  const { token } = (await api.call('POST', '/v1/tokens', { key: made.key, json })).body
  const headers = { accept: 'text/event-stream', authorization: '' }
  let hasEnded = false
  const opened = api
    .call('GET', `/v1/runs/${run}/events?token=${token}`, { headers })
    .finally(() => {
      hasEnded = true
    })
  await look(api)
  expect(hasEnded).toBe(false)
  await api.call('DELETE', `/v1/keys/${made.id}`)
  await look(api)
  expect(hasEnded).toBe(true)
  expect((await opened).text).toContain(': unauthorized')
})

/** So long as an open stream goes on before it looks at its credential again. */
async function look(api: TestApi): Promise<void> {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await turns()
  await api.world.clock.advance(LIMITS.key_cache_seconds * 1_000)
  await turns()
}
