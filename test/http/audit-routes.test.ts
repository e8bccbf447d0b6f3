/**
 * Every route that may change something: which entry of the audit it leaves, or why none. A route
 * without a line here fails. Each line that leaves one is carried out.
 */

import { describe, expect, it } from 'vitest'
import { chainVerifier, type ExportLine } from '../../src/core/audit-chain.ts'
import { createApp } from '../../src/http/app.ts'
import { BANK, bank, setPolicy } from '../support/approvals.ts'
import { putFiles, settle, startRun, testWorld } from '../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../support/http.ts'
import { agent } from '../support/layers.ts'
import { receivers } from '../support/receivers.ts'

interface Step {
  readonly json?: unknown
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}
type Do = (api: TestApi) => Promise<Answer>
type Line = { readonly none: string } | { readonly leaves: string; readonly by: Do }

const none = (why: string): Line => ({ none: why })
const OPERATOR = 'its entry stands in the audit of the operator (tenants.test.ts)'
const leaves = (entry: string, by: Do): Line => ({ leaves: entry, by })
const on =
  (method: string, path: string, step: Step = {}): Do =>
  (api) =>
    api.call(method, path, step)
/** Made first, and then used by its path. */
const made =
  (make: Do, method: string, path: (made: Answer['body']) => string, step: Step = {}): Do =>
  async (api) => {
    const { status, text, body } = await make(api)
    expect(status, text).toBeLessThan(300)
    return api.call(method, path(body ?? {}), step)
  }

const LOG = 'It is an event of the log of its run, which says by whom'
const READ = 'It changes nothing'
const START = 'The start of a run is its own record, with the key that asked'

const skill = on('PUT', '/v1/skills/deploy', {
  json: { skill_md: '---\nname: deploy\ndescription: x\n---\nGo.\n' },
})
const scout = on('PUT', '/v1/agents/scout', { json: { agent_md: agent('Look.', 'scout') } })
const docs = on('PUT', '/v1/mcp-servers/docs', { json: { url: 'https://docs.example/mcp' } })
const rollback =
  (make: Do, path: string): Do =>
  async (api) => {
    await make(api)
    const [{ version }] = (await api.call('GET', `${path}/versions`)).body.data
    return api.call('POST', `${path}/rollback`, { json: { version } })
  }
const run = on('POST', '/v1/runs', { json: { input: '@say x' } })
const ended: Do = async (api) => {
  const answer = await run(api)
  await api.settle()
  return answer
}
const fanout = on('POST', '/v1/fanouts', { json: { tasks: [{ task: '@say z' }] } })
const response = on('POST', '/v1/responses', {
  json: { input: '@say x', model: 'agent', background: true },
})
const key = on('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })
const browser = on('POST', '/v1/browser-sessions')
const secret = on('PUT', '/v1/secrets/TOKEN', {
  json: { value: 'a long value', hosts: ['docs.example'] },
})
const url = 'https://one.example/hook'
const endpoint = on('POST', '/v1/webhook-endpoints', { json: { url } })
const hook = on('POST', '/v1/hooks', { json: { scheme: 'standard' } })
const session = on('POST', '/v1/sessions', { json: {} })
const schedule = on('PUT', '/v1/schedules/daily', { json: { input: 'Go.', cron: '0 7 * * *' } })
const memory = on('PUT', '/v1/memory/shared/notes.md', { json: { content: '- one\n' } })
const file = on('PUT', '/v1/files/base/notes.txt', { body: 'hello' })
const fileBack: Do = async (api) => {
  await file(api)
  const path = 'base/notes.txt'
  const [{ version }] = (await api.call('GET', `/v1/file-versions?path=${path}`)).body.data
  return api.call('POST', '/v1/file-versions/rollback', { json: { path, version } })
}
const delivered: Do = async (api) => {
  await api.call('POST', '/v1/runs', { json: { input: '@say y', webhook: { url } } })
  await api.settle()
  return api.call('GET', '/v1/webhook-deliveries')
}
const byId =
  (path: string, more = '') =>
  (body: { id: string }) =>
    `${path}/${body.id}${more}`
const at = (path: string) => () => path

/** A run that waits for a person, or has a subagent that does. */
async function asking({ world }: TestApi, input: string): Promise<string> {
  await putFiles(world, { 'base/.agents/config.toml': BANK })
  await setPolicy(world, { approvals: { mcp__bank__pay: 'ask' } })
  const id = await startRun(world, { input })
  await settle(world)
  return id
}

const LINES: Readonly<Record<string, Line>> = {
  createRun: none(START),
  sendRunMessage: none(LOG),
  createFanout: none(START),
  addFanoutTasks: none(LOG),
  sealFanout: none(LOG),
  createResponse: none(START),
  createChatCompletion: none(START),
  callAgent: none(`${START}; its cancel is that of the run`),
  runAgUi: none(START),
  tryHook: none(READ),
  receiveHook: none(`${START}; a body that may not be is \`hook refuse\``),
  createSession: none('Like the start of a run; its event says by whom'),
  testWebhookEndpoint: none('The delivery is its own record'),
  resolveLayers: none(READ),
  diffResolved: none(READ),
  reloadRuntime: none('What is cached is read anew; nothing that is stored changes'),
  testMcpServer: none(READ),
  authorizeMcpServer: none('A link alone; who answers it leaves `authorization authorize`'),
  forgetMcpServerAuthorization: none(
    '`authorization forget`, by the tools port: test/e2e/oauth.test.ts',
  ),
  callMcp: none('Its tools are these operations, which leave their own entries'),
  cancelRun: leaves('run cancel', made(run, 'POST', byId('/v1/runs', '/cancel'))),
  deleteRun: leaves('run delete', made(ended, 'DELETE', byId('/v1/runs'))),
  cancelRunChildren: leaves('run cancel_children', async (api) => {
    const task = '@call mcp__bank__pay {"amount":1}\n@say paid'
    const input = `@call sessions_spawn ${JSON.stringify({ task })}\n@await\n@say {results}`
    return api.call('POST', `/v1/runs/${await asking(api, input)}/children/cancel`)
  }),
  deleteFanout: leaves('fanout delete', async (api) => {
    const { id } = (await fanout(api)).body
    await api.settle()
    return api.call('DELETE', `/v1/fanouts/${id}`)
  }),
  cancelFanout: leaves('fanout cancel', made(fanout, 'POST', byId('/v1/fanouts', '/cancel'))),
  migrateLayer: leaves('skill put', async (api) => {
    await putFiles(api.world, {
      'base/skills/main/old/SKILL.md': '---\nname: old\ndescription: x\n---\nGo.\n',
    })
    return api.call('POST', '/v1/layers/migrate', { json: { dry_run: false } })
  }),
  putSkill: leaves('skill put', skill),
  setSkillEnabled: leaves(
    'skill disable',
    made(skill, 'PATCH', at('/v1/skills/deploy'), { json: { enabled: false } }),
  ),
  deleteSkill: leaves('skill delete', made(skill, 'DELETE', at('/v1/skills/deploy'))),
  rollbackSkill: leaves('skill rollback', rollback(skill, '/v1/skills/deploy')),
  putAgent: leaves('agent put', scout),
  updateAgent: leaves(
    'agent put',
    made(scout, 'PATCH', at('/v1/agents/scout'), { json: { description: 'New' } }),
  ),
  deleteAgent: leaves('agent delete', made(scout, 'DELETE', at('/v1/agents/scout'))),
  rollbackAgent: leaves('agent rollback', rollback(scout, '/v1/agents/scout')),
  putMcpServer: leaves('server put', docs),
  updateMcpServer: leaves(
    'server put',
    made(docs, 'PATCH', at('/v1/mcp-servers/docs'), { json: { enabled: false } }),
  ),
  deleteMcpServer: leaves('server delete', made(docs, 'DELETE', at('/v1/mcp-servers/docs'))),
  rollbackMcpServer: leaves('server rollback', rollback(docs, '/v1/mcp-servers/docs')),
  putPolicy: leaves('policy put', async (api) => {
    const etag = (await api.call('GET', '/v1/policy')).headers.get('etag')!
    const headers = { 'if-match': etag }
    return api.call('PUT', '/v1/policy', { json: { strict: true }, headers })
  }),
  putFile: leaves('file put', file),
  deleteFile: leaves('file delete', made(file, 'DELETE', at('/v1/files/base/notes.txt'))),
  rollbackFile: leaves('file rollback', fileBack),
  rebuildMemory: leaves('memory update', on('POST', '/v1/memory/rebuild', { json: {} })),
  putMemory: leaves('memory put', memory),
  appendMemory: leaves(
    'memory put',
    on('POST', '/v1/memory/shared/notes.md', { json: { content: 'two' } }),
  ),
  deleteMemory: leaves('memory delete', made(memory, 'DELETE', at('/v1/memory/shared/notes.md'))),
  createToken: leaves('token create', async (api) => {
    const { body } = await ended(api)
    return api.call('POST', '/v1/tokens', { json: { for: body.id, actions: ['read'] } })
  }),
  putSecret: leaves('secret create', secret),
  deleteSecret: leaves('secret delete', made(secret, 'DELETE', at('/v1/secrets/TOKEN'))),
  // With secrets each batch of them has an entry beside it.
  resealSecrets: leaves('secret reseal', on('POST', '/v1/secrets/reseal', { json: {} })),
  createTenant: none(OPERATOR),
  updateTenant: none(OPERATOR),
  deleteTenant: none(OPERATOR),
  createApiKey: leaves('key create', key),
  rotateApiKey: leaves('key rotate', made(key, 'POST', byId('/v1/keys', '/rotate'))),
  revokeApiKey: leaves('key delete', made(key, 'DELETE', byId('/v1/keys'))),
  createBrowserSession: leaves('browser_session create', browser),
  createSignInLink: leaves('sign_in_link create', on('POST', '/v1/browser-sessions/links')),
  deleteBrowserSession: leaves('browser_session delete', async (api) => {
    const cookie = (await browser(api)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { cookie, 'x-strata-console': '1' }
    return api.call('DELETE', '/v1/browser-sessions/current', { key: null, headers })
  }),
  revokeBrowserSession: leaves(
    'browser_session delete',
    made(browser, 'DELETE', byId('/v1/browser-sessions')),
  ),
  createWebhookEndpoint: leaves('endpoint create', endpoint),
  updateWebhookEndpoint: leaves(
    'endpoint update',
    made(endpoint, 'PATCH', byId('/v1/webhook-endpoints'), { json: { description: 'x' } }),
  ),
  deleteWebhookEndpoint: leaves(
    'endpoint delete',
    made(endpoint, 'DELETE', byId('/v1/webhook-endpoints')),
  ),
  rotateWebhookEndpointSecret: leaves(
    'endpoint rotate',
    made(endpoint, 'POST', byId('/v1/webhook-endpoints', '/rotate-secret')),
  ),
  replayWebhookDelivery: leaves(
    'delivery replay',
    made(delivered, 'POST', ({ data }) => `/v1/webhook-deliveries/${data[0].id}/replay`),
  ),
  replayWebhookDeliveries: leaves('delivery replay', async (api) => {
    await delivered(api)
    const json = { status: 'delivered' }
    return api.call('POST', '/v1/webhook-deliveries/replay', { json })
  }),
  createHook: leaves('hook create', hook),
  updateHook: leaves(
    'hook update',
    made(hook, 'PATCH', byId('/v1/hooks'), { json: { agent: 'x' } }),
  ),
  deleteHook: leaves('hook delete', made(hook, 'DELETE', byId('/v1/hooks'))),
  rotateHookSecret: leaves('hook rotate', made(hook, 'POST', byId('/v1/hooks', '/rotate-secret'))),
  updateSession: leaves(
    'session update',
    made(session, 'PATCH', byId('/v1/sessions'), { json: { title: 'New' } }),
  ),
  deleteSession: leaves('session delete', made(session, 'DELETE', byId('/v1/sessions'))),
  forkSession: leaves('session fork', async (api) => {
    const { id } = (await session(api)).body
    await api.call('POST', '/v1/runs', { json: { input: '@say x', session_id: id } })
    await api.settle()
    return api.call('POST', `/v1/sessions/${id}/fork`, { json: {} })
  }),
  createSchedule: leaves(
    'schedule create',
    on('POST', '/v1/schedules', { json: { name: 'daily', input: 'Go.', cron: '0 7 * * *' } }),
  ),
  putSchedule: leaves('schedule create', schedule),
  updateSchedule: leaves(
    'schedule update',
    made(schedule, 'PATCH', at('/v1/schedules/daily'), { json: { cron: '0 8 * * *' } }),
  ),
  deleteSchedule: leaves('schedule delete', made(schedule, 'DELETE', at('/v1/schedules/daily'))),
  putScheduleSource: leaves('schedule create', async (api) => {
    const text = '---\ncron: "0 7 * * *"\n---\nGo.\n'
    await putFiles(api.world, { 'base/.agents/schedules/daily.md': text })
    return api.call('PUT', '/v1/schedules/daily/source', { json: {} })
  }),
  pauseSchedule: leaves(
    'schedule pause',
    made(schedule, 'POST', at('/v1/schedules/daily/pause'), { json: { reason: 'x' } }),
  ),
  resumeSchedule: leaves(
    'schedule resume',
    made(
      async (api) => {
        await schedule(api)
        return api.call('POST', '/v1/schedules/daily/pause', { json: { reason: 'x' } })
      },
      'POST',
      at('/v1/schedules/daily/resume'),
    ),
  ),
  runSchedule: leaves('schedule run', made(schedule, 'POST', at('/v1/schedules/daily/run'))),
  decideApproval: leaves('approval approve', async (api) => {
    await asking(api, '@call mcp__bank__pay {"amount":1}\n@say ok')
    const [asked] = (await api.call('GET', '/v1/approvals')).body.data
    const json = { decision: 'approve' }
    return api.call('POST', `/v1/approvals/${asked.id}/decision`, { json })
  }),
  deleteResponse: leaves('run delete', async (api) => {
    const { id } = (await response(api)).body
    await api.settle()
    return api.call('DELETE', `/v1/responses/${id}`)
  }),
  cancelResponse: leaves('run cancel', made(response, 'POST', byId('/v1/responses', '/cancel'))),
}

const routes = createApp(testWorld()).routes.filter(({ method }) => method !== 'get')

describe('H22 every route that is no GET', () => {
  it('has a line that says what it leaves in the audit, or why nothing', () => {
    expect(routes.length).toBeGreaterThan(60)
    expect(routes.map(({ id }) => id).toSorted()).toEqual(Object.keys(LINES).toSorted())
  })

  for (const [id, line] of Object.entries(LINES)) {
    if ('none' in line) continue
    it(`${id} leaves \`${line.leaves}\`, once, with its key and its request`, async () => {
      const { tools } = bank()
      const api = await testApi({ tools, web: receivers() })
      const { status, text, headers } = await line.by(api)
      expect(status, text).toBeLessThan(300)
      await api.settle()
      const [kind, action] = line.leaves.split(' ')
      const query = `kind=${kind}&action=${action}`
      const { data } = (await api.call('GET', `/v1/audit?${query}`)).body
      const request = headers.get('x-request-id')
      const found = data.filter((one: { request_id?: string }) => one.request_id === request)
      expect(found).toMatchObject([{ by: expect.stringMatching(/^[0-9a-z]{16}$/) }])
      expect(JSON.stringify(data)).not.toMatch(/whsec_|strata_(?:browser_|link_)?[0-9a-z]{16}/)
      const verifier = chainVerifier()
      const lines = (await api.call('GET', '/v1/audit/export')).text.trimEnd().split('\n')
      for (const one of lines) expect(verifier.line(JSON.parse(one) as ExportLine)).toBeUndefined()
      expect(verifier.end()).toMatchObject({ unsealed: 0, rowless: 0 })
    })
  }
})
