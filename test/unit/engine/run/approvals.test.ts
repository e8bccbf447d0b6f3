import { beforeEach, describe, expect, it } from 'vitest'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import { type Answered, type TestApi, testApi } from '../../../support/api.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { factsOf, look, settle, startRun, TENANT } from '../../../support/drive.ts'
import { agent, skill } from '../../../support/layers.ts'
import type { ScriptModel } from '../../../support/script.ts'

let api: TestApi
let calls: { tool: string; arguments: unknown }[]
beforeEach(async () => {
  const server = bank()
  calls = server.calls
  api = await testApi({ tools: server.tools, web: OPEN, settings: { maxDepth: 2 } })
  await api.write({ 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
})

const PAY = '@call mcp__bank__pay {"amount":1}'
const run = async (input: string, more = {}): Promise<string> => {
  const id = await startRun(api.world, { input, ...more })
  await settle(api.world)
  return id
}
const stateOf = async (id: string) => (await look(api.world, id)).state
const pending_input = async (status = 'pending') =>
  (await api.call(`GET /v1/approvals?status=${status}`)).body.data
const decide = async (id: string, body: unknown): Promise<Answered> => {
  const answered = await api.call(`POST /v1/approvals/${id}/decision`, body)
  await settle(api.world)
  return answered
}
const types = async (id: string): Promise<string[]> =>
  (await factsOf(api.world, id)).map(({ type }) => type)
const resultOf = async (id: string): Promise<string> =>
  String([...(await stateOf(id)).calls.values()].at(-1)?.result?.text)
const later = async (ms: number) => {
  api.world.clock.advance(ms)
  await tick(api.world)
  await settle(api.world)
}
const waits = (facts: readonly RunFact[]) =>
  facts.flatMap((fact) => (fact.type === 'run.waiting' ? [fact.on] : []))

describe('a call that requires approval', () => {
  it('parks the run without using resources, and runs once when approved [MC-24]', async () => {
    const id = await run(`${PAY}\n@say paid: {last}`)
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', waiting: { on: 'approval' } })
    expect(calls).toEqual([])
    const [asked] = await pending_input()
    expect(asked).toMatchObject({ status: 'pending', run_id: id, tool: 'mcp__bank__pay' })
    expect(asked).toMatchObject({ arguments: '{"amount":1}', reason: "the tenant's policy" })
    const decided = await decide(asked.id, { decision: 'approve', args_hash: asked.args_hash })
    expect(decided).toMatchObject({ status: 200, body: { status: 'approved' } })
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(calls).toEqual([{ tool: 'pay', arguments: { amount: 1 } }])
    expect(await types(id)).toEqual([
      'run.created',
      'run.started',
      'assistant.message',
      'approval.requested',
      'run.waiting',
      'approval.decided',
      'run.resumed',
      'tool.call',
      'tool.result',
      'assistant.message',
      'run.completed',
    ])
    expect(await pending_input()).toEqual([])
    expect(await pending_input('decided')).toMatchObject([{ id: asked.id, status: 'approved' }])
  })

  it('accepts the same decision again without effect, and rejects a different one as a conflict [AP-14 MC-25]', async () => {
    const id = await run(PAY)
    const [{ id: approval }] = await pending_input()
    await decide(approval, { decision: 'approve' })
    const again = await decide(approval, { decision: 'approve', reason: 'sure' })
    expect(again).toMatchObject({ status: 200, body: { status: 'approved' } })
    const other = await decide(approval, { decision: 'deny' })
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const changed = await decide(approval, { decision: 'approve', arguments: { amount: 2 } })
    expect(changed.status).toBe(409)
    expect(calls).toHaveLength(1)
    expect((await types(id)).filter((type) => type === 'approval.decided')).toHaveLength(1)
    const unknown = await decide(`apr_${'0'.repeat(52)}`, { decision: 'deny' })
    expect(unknown.status).toBe(404)
  })

  it('is found by its ID before any list shows it: lists may lag, reads by ID never', async () => {
    const id = await run(`${PAY}\n@say {last}`)
    const asked = (await factsOf(api.world, id)).find(({ type }) => type === 'approval.requested')
    Object.assign(api.world.store, { list: async () => [] })
    const decided = await decide((asked as { id: string }).id, { decision: 'approve' })
    expect(decided).toMatchObject({ status: 200, body: { status: 'approved', run_id: id } })
    expect(calls).toHaveLength(1)
  })

  it('accepts exactly one of two concurrent decisions', async () => {
    await run(PAY)
    const [{ id }] = await pending_input()
    const path = `POST /v1/approvals/${id}/decision`
    const both = await Promise.all([
      api.call(path, { decision: 'approve' }),
      api.call(path, { decision: 'deny' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('when denied returns the reason to the model, and calls no tool', async () => {
    const id = await run(`${PAY}\n@say {last}`)
    const [{ id: approval }] = await pending_input()
    await decide(approval, { decision: 'deny', reason: 'too much' })
    expect(await resultOf(id)).toBe('Tool execution rejected by user: too much')
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(calls).toEqual([])
  })

  it('is performed with the arguments a person changed, and both versions are kept [MC-28]', async () => {
    const id = await run(`${PAY}\n@say {last}`)
    const [{ id: approval }] = await pending_input()
    const wrong = await decide(approval, { decision: 'approve', arguments: { amount: 'x' } })
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/arguments' }] } })
    await decide(approval, { decision: 'approve', arguments: { amount: 7 } })
    expect(calls).toEqual([{ tool: 'pay', arguments: { amount: 7 } }])
    expect((await api.call(`GET /v1/approvals/${approval}`)).body).toMatchObject({
      arguments: '{"amount":1}',
      decision: { arguments: '{"amount":7}', decision: 'approve' },
    })
    expect(await resultOf(id)).toContain('approved with changed arguments: {"amount":7}')
  })

  it('treats changed arguments with reordered keys as the same decision [AP-14]', async () => {
    const open = { description: 'Pays.', input_schema: { type: 'object' }, repeatable: false }
    Object.assign(api.world.tools, { list: async () => ok([{ name: 'pay', ...open }]) })
    const id = await run(PAY)
    const [{ id: approval }] = await pending_input()
    const approve = (args: object) => decide(approval, { decision: 'approve', arguments: args })
    expect((await approve({ amount: 2, more: { b: 1, a: 2 } })).status).toBe(200)
    expect((await approve({ more: { a: 2, b: 1 }, amount: 2 })).status).toBe(200)
    expect((await approve({ more: { a: 2, b: 2 }, amount: 2 })).status).toBe(409)
    expect((await types(id)).filter((type) => type === 'approval.decided')).toHaveLength(1)
  })

  it('refuses a decision about arguments other than those shown [A24 AP-07]', async () => {
    await run(PAY)
    const [{ id, args_hash }] = await pending_input()
    const other = await decide(id, { decision: 'approve', args_hash: '0'.repeat(64) })
    expect(other).toMatchObject({ status: 409, body: { code: 'args_changed' } })
    expect(calls).toEqual([])
    expect((await decide(id, { decision: 'approve', args_hash })).status).toBe(200)
  })

  it('never reads a text as a decision: nothing runs, and expiry denies [GC-72 GC-73]', async () => {
    const id = await run(PAY)
    const [{ id: approval }] = await pending_input()
    for (const decision of ['I would allow this', '', 'allow', null, undefined]) {
      expect((await decide(approval, { decision })).status).toBe(422)
    }
    expect(await pending_input()).toHaveLength(1)
    await later(86_400_000)
    expect(await resultOf(id)).toBe(
      'Tool execution rejected by user: it expired without a decision',
    )
    expect(calls).toEqual([])
  })

  it('is rejected without a decision in time, and later decisions return 410 [MC-27]', async () => {
    const approvals = { expires_seconds: 300, on_expiry: 'deny', unattended: false } as const
    const id = await run(PAY, { approvals })
    const [{ id: approval }] = await pending_input()
    await later(299_000)
    expect(await stateOf(id)).toMatchObject({ status: 'waiting' })
    await later(2_000)
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(await resultOf(id)).toContain('Tool execution rejected by user')
    expect((await decide(approval, { decision: 'approve' })).status).toBe(410)
    expect(await pending_input('decided')).toMatchObject([{ status: 'expired' }])
  })

  it('is approved on expiry when configured so', async () => {
    const approvals = { expires_seconds: 60, on_expiry: 'approve', unattended: false } as const
    await run(PAY, { approvals })
    await later(61_000)
    expect(calls).toHaveLength(1)
  })

  it('returns 410 after the end of the run, and calls no tool [AP-06]', async () => {
    const id = await run(PAY)
    const [{ id: approval }] = await pending_input()
    await api.call(`POST /v1/runs/${id}/cancel`)
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled' })
    expect(await pending_input()).toEqual([])
    expect(await pending_input('decided')).toMatchObject([{ id: approval, status: 'closed' }])
    expect((await decide(approval, { decision: 'approve' })).status).toBe(410)
    expect(calls).toEqual([])
  })

  it('lets the other calls of its step continue [AP-09 OP-07]', async () => {
    const id = await run(`@call mcp__bank__look {"amount":1}\n${PAY}\n@call file_list {}`)
    expect(calls).toEqual([{ tool: 'look', arguments: { amount: 1 } }])
    const results = (await factsOf(api.world, id)).filter(({ type }) => type === 'tool.result')
    expect(results).toHaveLength(2)
    expect(await stateOf(id)).toMatchObject({ waiting: { on: 'approval' } })
  })

  it('is shown with at most 20 per run at a time, and the next ones follow [A26]', async () => {
    const id = await run(
      Array.from({ length: 25 }, (_, at) => PAY.replace('1}', `${at}}`)).join('\n'),
    )
    const shown = (await api.call('GET /v1/approvals?limit=100')).body.data
    expect(shown).toHaveLength(20)
    await decide(shown[0].id, { decision: 'deny' })
    expect((await api.call('GET /v1/approvals?limit=100')).body.data).toHaveLength(20)
    for (;;) {
      const [next] = await pending_input()
      if (!next) break
      await decide(next.id, { decision: 'deny' })
    }
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  })
})

describe('the rule that decides an approval', () => {
  const ask = async (files: Record<string, string>, tool: string, given: unknown) => {
    await setPolicy(api.world, {})
    await api.write(files)
    await run(`@call ${tool} ${JSON.stringify(given)}`, { agent: 'careful' })
    return (await pending_input())[0]?.reason
  }
  const CAREFUL = { 'base/.agents/agents/careful.md': agent('Be careful.', 'careful') }

  it('is the strictest: deny before ask before allow [AP-13]', async () => {
    await setPolicy(api.world, { approvals: { '*': 'allow', 'mcp__*': 'ask', '*__pay': 'deny' } })
    const id = await run(`${PAY}\n@call mcp__bank__look {"amount":2}`)
    const [pay] = [...(await stateOf(id)).calls.values()]
    expect(pay?.result?.text).toBe("denied_by_policy: the tenant's policy denies mcp__bank__pay.")
    expect(await pending_input()).toMatchObject([{ tool: 'mcp__bank__look' }])
    expect(calls).toEqual([])
  })

  it('may come from the approval map of a server', async () => {
    const config = `${BANK}[mcp_servers.bank.approval]\n"p*" = "ask"\n`
    const files = { ...CAREFUL, 'base/.agents/config.toml': config }
    expect(await ask(files, 'mcp__bank__pay', { amount: 1 })).toBe('the MCP server bank')
  })

  it('may come from confirm-before of a skill, although the tool is otherwise safe [MC-32]', async () => {
    const text = skill('how', 'deploy').replace(
      'description:',
      'metadata:\n  confirm-before: [Read]\ndescription:',
    )
    const files = { ...CAREFUL, 'base/.agents/skills/deploy/SKILL.md': text }
    expect(await ask(files, 'file_read', { path: 'x' })).toBe('the skill deploy')
  })

  it('may come from the agent file: confirm-before, and permission ask', async () => {
    for (const line of ['confirm-before: file_read', 'permission: {read: ask}']) {
      const file = agent('Be careful.', 'careful', `${line}\n`)
      const files = { 'base/.agents/agents/careful.md': file }
      expect(await ask(files, 'file_read', { path: 'x' }), line).toBe('the agent careful')
    }
  })

  it('is absent for an unmatched call, which needs no approval with any arguments', async () => {
    await setPolicy(api.world, { approvals: { 'mcp__*': 'ask' } })
    const texts = [
      ...['ls', 'rm file.txt', 'cat /etc/password', 'chmod 644 f', 'curl -o f u', ''],
      ...['DELETE FROM t WHERE id=1', 'git push origin main'],
    ]
    const input = texts.map((content, at) => {
      return `@call file_write ${JSON.stringify({ path: `${at}.txt`, content })}`
    })
    const id = await run(input.join('\n'))
    expect(await pending_input()).toEqual([])
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    const results = [...(await stateOf(id)).calls.values()].map(({ result }) => result?.is_error)
    expect(results).toEqual(texts.map(() => false))
  })

  it('is refused when written if it could never match [AP-15]', async () => {
    const etag = (await api.call('GET /v1/policy')).etag ?? ''
    for (const glob of ['Bash(rm *)', 'file write', '[a', '']) {
      const body = { approvals: { [glob]: 'deny' } }
      const refused = await api.call('PUT /v1/policy', body, { 'if-match': etag })
      expect(refused.status, glob).toBe(422)
    }
    const body = { approvals: { 'mcp__*__p?y': 'deny' } }
    expect((await api.call('PUT /v1/policy', body, { 'if-match': etag })).status).toBe(200)
  })

  it('applies to a single call: another call requires another approval [AP-01 AP-02 AP-03]', async () => {
    const id = await run(`${PAY}\n@then\n@call mcp__bank__pay {"amount":2}`)
    const [first] = await pending_input()
    await decide(first.id, { decision: 'approve' })
    expect(calls).toHaveLength(1)
    expect(await pending_input()).toMatchObject([{ run_id: id, arguments: '{"amount":2}' }])
  })

  it('comes from the policy at the time of the call, also with edited arguments [X-40]', async () => {
    const id = await run(`${PAY}\n@say {last}`)
    const [{ id: approval }] = await pending_input()
    await setPolicy(api.world, { approvals: { '*__pay': 'deny' } })
    expect((await decide(approval, { decision: 'approve' })).status).toBe(409)
    const edited = { decision: 'approve', arguments: { amount: 2 } }
    expect((await decide(approval, edited)).status).toBe(409)
    await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
    await api.call(`POST /v1/approvals/${approval}/decision`, { decision: 'approve' })
    await setPolicy(api.world, { deny: { skills: [], servers: [], tools: ['*__pay'] } })
    await settle(api.world)
    expect(await resultOf(id)).toContain('denied_by_policy')
    expect(calls).toEqual([])
  })
})

describe('approvals below the root', () => {
  const nested = (task: string, label: string) =>
    `@spawn 1 ${JSON.stringify({ task, label })}\n@await\n@say {results}`
  const deep = nested(nested(`${PAY}\n@say ok`, 'grandchild'), 'child')

  it('an approval two levels down is in the inbox with the path from the root [AP-10 OP-06]', async () => {
    const id = await run(deep)
    const [asked] = await pending_input()
    expect(asked.root_run_id).toBe(id)
    expect(asked.path.map(({ label }: { label: string | null }) => label)).toEqual([
      null,
      'child',
      'grandchild',
    ])
    expect(asked.path[0].run_id).toBe(id)
    expect(asked.path[2].run_id).toBe(asked.run_id)
    await decide(asked.id, { decision: 'approve' })
    expect(calls).toHaveLength(1)
    expect(await stateOf(id)).toMatchObject({ status: 'completed', output: { text: '1' } })
  })

  it('stop the clocks of the run and of all its ancestors [NC-24]', async () => {
    const id = await run(deep, { limits: { timeout_seconds: 100 } })
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', waiting: { on: 'approval' } })
    await later(3_600_000)
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', waiting: { on: 'approval' } })
    const [asked] = await pending_input()
    await decide(asked.id, { decision: 'approve' })
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    const { paused_ms, started_at, ended_at } = await stateOf(id)
    expect(paused_ms).toBeGreaterThan(3_590_000)
    expect(ended_at! - started_at! - paused_ms).toBeLessThan(100_000)
  })

  it('let the clock run while another subagent works', async () => {
    const slow = nested(PAY, 'asks').replace(
      '@await',
      '@spawn 1 {"task":"@fail 503\\n@say x"}\n@await',
    )
    const id = await run(slow, { limits: { timeout_seconds: 5 } })
    expect(waits(await factsOf(api.world, id))[0]).toBe('subagents')
    await later(6_000)
    expect(await stateOf(id)).toMatchObject({ status: 'timed_out' })
  })

  it('a tenant rule applies to every run of a tree of any size [AP-11 CC-21]', async () => {
    await setPolicy(api.world, { approvals: { '*__pay': 'allow' } })
    await run(`@spawn 3 ${JSON.stringify({ task: `${PAY}\n@say {i}` })}\n@await`)
    expect(calls).toHaveLength(3)
    expect(await pending_input()).toEqual([])
  })

  it('every descendant of an unattended run is refused at once [NC-25 OP-05]', async () => {
    const approvals = { expires_seconds: 60, on_expiry: 'deny', unattended: true } as const
    const id = await run(deep, { approvals })
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(calls).toEqual([])
    expect(await pending_input()).toEqual([])
  })

  it('events give times in RFC 3339, as the rest of the API does; facts keep numbers', async () => {
    const id = await run(nested(PAY, 'child'))
    const [{ run_id, expires_at }] = await pending_input()
    const eventsOf = async (run: string): Promise<{ type: string; data: object }[]> =>
      (await api.call(`GET /v1/runs/${run}/events`)).body.data
    const own = await eventsOf(run_id)
    const find = (events: typeof own, type: string) => events.filter((event) => event.type === type)
    expect(find(own, 'approval.requested')).toMatchObject([{ data: { expires_at } }])
    expect(find(own, 'run.waiting')).toMatchObject([{ data: { until: expires_at } }])
    expect(find(await eventsOf(id), 'subagent.waiting')).toMatchObject([
      { data: { until: expires_at } },
    ])
    const facts = await factsOf(api.world, run_id)
    const at = Date.parse(expires_at)
    expect(facts).toContainEqual(expect.objectContaining({ type: 'run.waiting', until: at }))
  })

  it("a spawn may require approval, and the root's webhook receives a subagent's approval", async () => {
    const webhook = { url: 'https://hook.example/', events: ['approval.requested'] }
    const id = await run(nested(PAY, 'child'), { webhook })
    const { data } = (await api.call('GET /v1/webhook-deliveries')).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ event_type: 'approval.requested' })
    expect(data[0].run_id).not.toBe(id)
    const rows = await api.world.store.read(`${TENANT}/delivery/${data[0].id}`)
    const payload = JSON.parse(rows.find(({ key }) => key === 'payload')!.body)
    expect(payload.data.data).toMatchObject({ tool: 'mcp__bank__pay', arguments: '{"amount":1}' })
    expect(payload.data.data.path).toHaveLength(2)
    await setPolicy(api.world, { approvals: { sessions_spawn: 'ask' } })
    const second = await run(nested('@say x', 'child'))
    const asked = (await pending_input()).find(
      ({ run_id }: { run_id: string }) => run_id === second,
    )
    expect(asked).toMatchObject({ tool: 'sessions_spawn' })
    await decide(asked.id, { decision: 'approve' })
    expect(await stateOf(second)).toMatchObject({ status: 'completed', output: { text: '1' } })
  })

  it('a denial added after the spawn applies to the next call of the child [OC-57]', async () => {
    await setPolicy(api.world, { approvals: { file_list: 'ask' } })
    const task = `@call file_list {}\n@then\n${PAY}\n@say {last}`
    const id = await run(nested(task, 'child'))
    await setPolicy(api.world, { deny: { skills: [], servers: [], tools: ['*__pay'] } })
    const [asked] = await pending_input()
    await decide(asked.id, { decision: 'approve' })
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(calls).toEqual([])
    expect(await resultOf(asked.run_id)).toContain('denied_by_policy')
  })

  it('a tool the caller denies to its run is denied to every subagent [OC-56]', async () => {
    await setPolicy(api.world, {})
    await run(nested(PAY, 'child'), { disallowed_tools: ['mcp__bank__pay'] })
    expect(calls).toEqual([])
    const { requests } = api.world.model as ScriptModel
    expect(requests.length).toBeGreaterThan(2)
    for (const { tools } of requests) {
      expect(tools.map(({ name }) => name)).not.toContain('mcp__bank__pay')
    }
  })

  it('the stored rows match the API, and survive any restart', async () => {
    const id = await run(PAY)
    const rows = await api.world.store.read(runPartition(TENANT, id))
    const [asked] = await pending_input()
    expect(JSON.parse(rows.find(({ key }) => key.startsWith('list/approval/'))!.body)).toEqual(
      asked,
    )
    expect((await api.call(`GET /v1/approvals/${asked.id}`)).body).toEqual(asked)
  })
})
