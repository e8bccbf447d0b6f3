/** Each operation that changes something writes an audit entry, or has a reason why it does not. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createApp } from '../../../../src/http/app.ts'
import { BANK, bank, setPolicy } from '../../../support/approvals.ts'
import { putFiles, testWorld } from '../../../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

/** Reasons why operations other than GET write no audit entry. */
const UNAUDITED: Readonly<Record<string, readonly string[]>> = {
  'It starts or continues work, and the log of the run or fan-out records it': [
    ...['createRun', 'sendRunMessage', 'answerFunctionCall', 'createSession', 'receiveHook'],
    ...['createFanout', 'addFanoutTasks', 'sealFanout', 'createResponse', 'createChatCompletion'],
    ...['runAgUi', 'callAgent'],
  ],
  'It calls other operations, which write their entries': ['callMcp'],
  'It changes nothing': [
    ...['resolveLayers', 'diffResolved', 'previewHook', 'previewSchedule', 'testMcpServer'],
    'reloadRuntime',
  ],
  'The delivery records it': ['testWebhookEndpoint'],
  'The entry is written when a person has completed the authorization': ['authorizeMcpServer'],
}

/** Operations whose entries other tests check, with the file of the test and the action. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, action: string]>> = {
  forgetMcpServerAuthorization: ['test/e2e/oauth.test.ts', 'forget'],
  createTenant: ['test/unit/http/tenant/tenants.test.ts', 'create'],
  updateTenant: ['test/unit/http/tenant/tenant-quotas.test.ts', 'update'],
  pauseTenant: ['test/unit/http/tenant/tenants.test.ts', 'pause'],
  suspendTenant: ['test/unit/http/tenant/tenants.test.ts', 'suspend'],
  resumeTenant: ['test/unit/http/tenant/tenants.test.ts', 'resume'],
  deleteTenant: ['test/unit/http/tenant/tenant-delete.test.ts', 'delete'],
  importTenant: ['test/unit/http/tenant/tenant-export.test.ts', 'import'],
  retryRun: ['test/unit/engine/run/outages.test.ts', 'retry'],
  cancelRunChildren: ['test/unit/http/runs/late-results.test.ts', 'cancel_children'],
}

const { routes } = createApp(testWorld())
const changing = routes.filter(({ method }) => method !== 'get').map(({ id }) => id)

type Init = Parameters<TestApi['call']>[2]
/** Requests that were made by operation, and the audit entry that each must have written. */
interface Made {
  readonly operation: string
  readonly request: string | null
  readonly entry: string
}

class Caller {
  readonly made: Made[] = []
  readonly api: TestApi

  constructor(api: TestApi) {
    this.api = api
  }

  /** Calls an operation, which must succeed and write the entry, such as `key create`. */
  async call(entry: string, operation: string, path: string, init: Init = {}): Promise<Answer> {
    const method = routes.find(({ id }) => id === operation)!.method.toUpperCase()
    const answer = await this.api.call(method, path, init)
    expect([operation, answer.status < 400, answer.text]).toEqual([operation, true, answer.text])
    this.made.push({ operation, entry, request: answer.headers.get('x-request-id') })
    this.api.world.clock.advance(10)
    return answer
  }

  async post(path: string, json: object = {}): Promise<Answer['body']> {
    const answer = await this.api.call('POST', path, { json })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
}

const AGENT = '---\nname: scout\ndescription: Looks.\n---\nLook.'
const SKILL = '---\nname: deploy\ndescription: Deploys.\n---\nDeploy.'

async function changeLayers(caller: Caller): Promise<void> {
  const versionsOf = async (path: string): Promise<string> =>
    (await caller.api.call('GET', `${path}/versions`)).body.data.at(-1).version
  await caller.call('agent put', 'putAgent', '/v1/agents/scout', { json: { agent_md: AGENT } })
  const model = { json: { description: 'Looks twice.' } }
  await caller.call('agent put', 'updateAgent', '/v1/agents/scout', model)
  const version = await versionsOf('/v1/agents/scout')
  const rollback = { json: { version } }
  await caller.call('agent rollback', 'rollbackAgent', '/v1/agents/scout/rollback', rollback)
  await caller.call('agent delete', 'deleteAgent', '/v1/agents/scout')
  await caller.call('skill put', 'putSkill', '/v1/skills/deploy', { json: { skill_md: SKILL } })
  const disabled = { json: { enabled: false } }
  await caller.call('skill disable', 'setSkillEnabled', '/v1/skills/deploy', disabled)
  const skill = { json: { version: await versionsOf('/v1/skills/deploy') } }
  await caller.call('skill rollback', 'rollbackSkill', '/v1/skills/deploy/rollback', skill)
  await caller.call('skill delete', 'deleteSkill', '/v1/skills/deploy')
  const server = '/v1/mcp-servers/time'
  const url = { json: { url: 'https://time.example/mcp' } }
  await caller.call('server put', 'putMcpServer', server, url)
  const note = { json: { enabled: false } }
  await caller.call('server put', 'updateMcpServer', server, note)
  const old = { json: { version: await versionsOf(server) } }
  await caller.call('server rollback', 'rollbackMcpServer', `${server}/rollback`, old)
  await caller.call('server delete', 'deleteMcpServer', server)
}

async function changeFiles(caller: Caller): Promise<void> {
  const file = '/v1/files/base/.agents/notes.md'
  await caller.call('file put', 'putFile', file, { body: 'one' })
  await caller.call('file delete', 'deleteFile', file)
  await putFiles(caller.api.world, {
    'imports/x/AGENTS.md': 'Be kind.',
    'base/skills/main/old/SKILL.md': SKILL.replace('deploy', 'old'),
  })
  const plan = { from: 'imports/x', layer: 'repos/app' }
  await caller.call('file put', 'importLayer', '/v1/layers/import', {
    json: { ...plan, dry_run: false },
  })
  await caller.call('file put', 'migrateLayer', '/v1/layers/migrate', { json: { dry_run: false } })
  const memory = '/v1/memory/shared/notes.md'
  await caller.call('memory put', 'putMemory', memory, { json: { content: 'one' } })
  await caller.call('memory put', 'appendMemory', memory, { json: { content: 'two' } })
  await caller.call('memory update', 'rebuildMemory', '/v1/memory/rebuild', { json: {} })
  await caller.call('memory delete', 'deleteMemory', memory)
}

async function changeCredentials(caller: Caller): Promise<void> {
  const policy = await caller.api.call('GET', '/v1/policy')
  const headers = { 'if-match': policy.headers.get('etag')! }
  const json = { ...policy.body, strict: true }
  await caller.call('policy put', 'putPolicy', '/v1/policy', { json, headers })
  const scopes = { json: { scopes: ['runs:read'] } }
  const { id } = (await caller.call('key create', 'createApiKey', '/v1/keys', scopes)).body
  const name = { json: { name: 'reader' } }
  await caller.call('key update', 'updateApiKey', `/v1/keys/${id}`, name)
  const overlap = { json: { overlap_seconds: 60 } }
  await caller.call('key rotate', 'rotateApiKey', `/v1/keys/${id}/rotate`, overlap)
  await caller.call('key delete', 'revokeApiKey', `/v1/keys/${id}`)
  const subject = { json: { for: { tenant: true }, scopes: ['runs:read'] } }
  await caller.call('token create', 'createToken', '/v1/tokens', subject)
  await caller.call('sign_in_link create', 'createSignInLink', '/v1/sign-in-links', { json: {} })
  const session = await caller.call(
    ...(['browser_session create', 'createBrowserSession', '/v1/browser-sessions'] as const),
    {
      json: { key: caller.api.key },
      headers: { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
      key: null,
    },
  )
  const path = `/v1/browser-sessions/${session.body.id}`
  await caller.call('browser_session delete', 'deleteBrowserSession', path)
}

async function changeSecrets(caller: Caller): Promise<void> {
  const path = '/v1/secrets/SHOP_TOKEN'
  const json = { value: 'shpat-of-the-shop', hosts: ['mcp.shop.example'] }
  await caller.call('secret create', 'putSecret', path, { json })
  await caller.call('secret reseal', 'resealSecrets', '/v1/secrets/reseal')
  await caller.call('secret delete', 'deleteSecret', path)
}

async function changeWebhooks(caller: Caller): Promise<void> {
  const json = { url: 'https://one.example/hook', events: ['run.completed'] }
  const all = '/v1/webhook-endpoints'
  const { id } = (await caller.call('endpoint create', 'createWebhookEndpoint', all, { json })).body
  const path = `${all}/${id}`
  const note = { json: { description: 'mine' } }
  await caller.call('endpoint update', 'updateWebhookEndpoint', path, note)
  const rotate = `${path}/rotate-secret`
  await caller.call('endpoint rotate', 'rotateWebhookEndpointSecret', rotate)
  await caller.post('/v1/runs', { input: '@say hi' })
  await caller.api.settle()
  const deliveries = '/v1/webhook-deliveries'
  const [delivery] = (await caller.api.call('GET', deliveries)).body.data
  const replay = `${deliveries}/${delivery.id}/replay`
  await caller.call('delivery replay', 'replayWebhookDelivery', replay)
  await caller.api.settle()
  const range = { json: { endpoint_id: id, status: 'delivered' } }
  await caller.call('delivery replay', 'replayWebhookDeliveries', `${deliveries}/replay`, range)
  await caller.api.settle()
  await caller.call('endpoint delete', 'deleteWebhookEndpoint', path)
  const scheme = { json: { scheme: 'standard' } }
  const hook = (await caller.call('hook create', 'createHook', '/v1/hooks', scheme)).body.id
  await caller.call('hook update', 'updateHook', `/v1/hooks/${hook}`, note)
  await caller.call('hook rotate', 'rotateHookSecret', `/v1/hooks/${hook}/rotate-secret`)
  await caller.call('hook delete', 'deleteHook', `/v1/hooks/${hook}`)
}

async function changeSchedules(caller: Caller): Promise<void> {
  const definition = { cron: '0 * * * *', input: '@say hi' }
  const created = { json: { ...definition, name: 'hourly' } }
  await caller.call('schedule create', 'createSchedule', '/v1/schedules', created)
  const path = '/v1/schedules/hourly'
  const other = { json: { ...definition, input: '@say ho' } }
  await caller.call('schedule update', 'putSchedule', path, other)
  await caller.call('schedule update', 'updateSchedule', path, { json: { description: 'mine' } })
  await caller.call('schedule pause', 'pauseSchedule', `${path}/pause`, { json: {} })
  await caller.call('schedule resume', 'resumeSchedule', `${path}/resume`)
  await caller.call('schedule run', 'runSchedule', `${path}/run`)
  await caller.api.settle()
  await caller.call('schedule delete', 'deleteSchedule', path)
  await putFiles(caller.api.world, {
    'base/.agents/schedules/daily.md': '---\ncron: "0 9 * * *"\n---\n@say hi\n',
  })
  const source = '/v1/schedules/daily/source'
  await caller.call('schedule create', 'putScheduleSource', source, { json: {} })
}

async function changeWork(caller: Caller): Promise<void> {
  const start = async (input = '@wait 600'): Promise<string> =>
    (await caller.post('/v1/runs', { input })).id
  const run = await start()
  await caller.call('run cancel', 'cancelRun', `/v1/runs/${run}/cancel`, { json: {} })
  await caller.api.settle()
  await caller.call('run delete', 'deleteRun', `/v1/runs/${run}`)
  await start()
  await caller.call('run cancel', 'cancelRuns', '/v1/runs/cancel', { json: { all: true } })
  await caller.api.settle()
  const fanouts = [0, 1].map(() => caller.post('/v1/fanouts', { tasks: [{ task: '@say hi' }] }))
  const [{ id: cancelled }, { id: ended }] = await Promise.all(fanouts)
  const cancel = `/v1/fanouts/${cancelled}/cancel`
  await caller.call('fanout cancel', 'cancelFanout', cancel, { json: {} })
  await caller.api.settle()
  await caller.call('fanout delete', 'deleteFanout', `/v1/fanouts/${ended}`)
  const session = (await caller.post('/v1/sessions')).id
  await caller.post('/v1/runs', { input: '@say hi', session_id: session })
  await caller.api.settle()
  const path = `/v1/sessions/${session}`
  await caller.call('session update', 'updateSession', path, { json: { title: 'Mine' } })
  await caller.call('session fork', 'forkSession', `${path}/fork`, { json: {} })
  await caller.api.settle()
  await caller.call('session delete', 'deleteSession', path)
  await caller.api.settle()
  const response = async () => (await caller.post('/v1/responses', BACKGROUND)).id
  const [first, second] = [await response(), await response()]
  await caller.call('run cancel', 'cancelResponse', `/v1/responses/${first}/cancel`)
  await caller.api.settle()
  await caller.call('run delete', 'deleteResponse', `/v1/responses/${second}`)
}
const BACKGROUND = { input: '@say hi', background: true, store: true }

async function decide(caller: Caller): Promise<void> {
  await putFiles(caller.api.world, { 'base/.agents/config.toml': BANK })
  await setPolicy(caller.api.world, { approvals: { mcp__bank__pay: 'ask' } })
  const ask = async (): Promise<string> => {
    await caller.post('/v1/runs', { input: '@call mcp__bank__pay {"amount":1}\n@say ok' })
    await caller.api.settle()
    return (await caller.api.call('GET', '/v1/approvals?status=pending')).body.data[0].id
  }
  const decision = 'approve'
  const one = `/v1/approvals/${await ask()}/decision`
  await caller.call('approval approve', 'decideApproval', one, { json: { decision } })
  await caller.api.settle()
  const json = { ids: [await ask()], decision: 'deny' }
  await caller.call('approval deny', 'decideApprovals', '/v1/approvals/decisions', { json })
  await caller.api.settle()
  const approval = await ask()
  const subject = { json: { for: { approval } } }
  const links = '/v1/access-links'
  const { url } = (await caller.call('token create', 'createAccessLink', links, subject)).body
  const { pathname } = new URL(url)
  const form = { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost' }
  const { args_hash } = (await caller.api.call('GET', `/v1/approvals/${approval}`)).body
  const body = `decision=approve&args_hash=${args_hash}`
  const init = { body, headers: form, key: null }
  await caller.call('approval approve', 'decideByAccessLink', pathname, init)
}

async function callAll(): Promise<Caller> {
  const { tools } = bank()
  const caller = new Caller(await testApi({ tools, web: receivers() }))
  await changeLayers(caller)
  await changeFiles(caller)
  await changeCredentials(caller)
  await changeSecrets(caller)
  await changeWebhooks(caller)
  await changeSchedules(caller)
  await changeWork(caller)
  await decide(caller)
  return caller
}

it('each operation writes an audit entry with its request, or has a reason', async () => {
  const { made, api } = await callAll()
  await api.settle()
  const entries: Record<string, string>[] = []
  for (let cursor = ''; ; ) {
    const { body } = await api.call('GET', `/v1/audit?limit=100${cursor}`)
    entries.push(...body.data)
    if (body.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  const missing = made.filter(
    ({ request, entry }) =>
      !entries.some((one) => one.request_id === request && `${one.kind} ${one.action}` === entry),
  )
  expect(missing).toEqual([])
  const audited = new Set(made.map(({ operation }) => operation))
  const reasons = Object.values(UNAUDITED).flat()
  const listed = [...audited, ...reasons, ...Object.keys(ELSEWHERE)]
  expect(listed.toSorted()).toEqual(changing.toSorted())
})

it.each(Object.entries(ELSEWHERE))('the entry of %s is checked elsewhere', (_, [file, action]) => {
  expect(readFileSync(file, 'utf8')).toContain(`'${action}'`)
})
