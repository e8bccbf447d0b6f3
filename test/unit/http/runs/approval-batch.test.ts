/** Decisions about several approvals in one request, and the filters of the inbox. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { factsOf, putFiles, settle, startRun } from '../../../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
let calls: { tool: string; arguments: unknown }[]
beforeEach(async () => {
  const server = bank()
  calls = server.calls
  api = await testApi({ tools: server.tools, web: OPEN, settings: { maxDepth: 2 } })
  await putFiles(api.world, { 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask', '*__look': 'ask' } })
})

const pay = (amount: number, tool = 'pay') => `@call mcp__bank__${tool} {"amount":${amount}}`
const ABSENT = `apr_${'0'.repeat(52)}`

/** Starts a run that asks for each line, and returns its approvals in order of the calls. */
async function asking(...lines: readonly string[]): Promise<{ run: string; ids: string[] }> {
  const run = await startRun(api.world, { input: `${lines.join('\n')}\n@say {last}` })
  await settle(api.world)
  const ids = (await factsOf(api.world, run)).flatMap((fact) =>
    fact.type === 'approval.requested' ? [fact.id] : [],
  )
  expect(ids).toHaveLength(lines.length)
  return { run, ids }
}
const decide = async (json: unknown, key?: string): Promise<Answer> => {
  const answer = await api.call('POST', '/v1/approvals/decisions', {
    json,
    ...(key === undefined ? {} : { key }),
  })
  await settle(api.world)
  return answer
}
const types = async (run: string): Promise<string[]> =>
  (await factsOf(api.world, run)).map(({ type }) => type)
const audited = async () =>
  (await api.call('GET', '/v1/audit')).body.data.filter(
    ({ kind }: { kind: string }) => kind === 'approval',
  )

/** Members of an audit entry that differ between two equal changes. */
const OWN = ['name', 'version', 'created_at', 'request_id']

describe('POST /v1/approvals/decisions', () => {
  it('200 decides approvals of several runs, in the order of the request', async () => {
    const one = await asking(pay(1), pay(2))
    const other = await asking(pay(3))
    const ids = [one.ids[1]!, other.ids[0]!, one.ids[0]!]
    const { status, body } = await decide({ ids, decision: 'approve', reason: 'checked' })
    expect([status, body]).toEqual([200, { data: ids.map((id) => ({ id, status: 'approved' })) }])
    const amounts = calls.map((call) => (call.arguments as { amount: number }).amount)
    expect(amounts.toSorted()).toEqual([1, 2, 3])
    const entries = await audited()
    expect(entries.map(({ name }: { name: string }) => name).toSorted()).toEqual(ids.toSorted())
    expect(entries[0]).toMatchObject({
      action: 'approve',
      detail: expect.stringMatching(/^mcp__bank__pay of run_\w+: checked$/),
    })
    const { decision } = (await api.call('GET', `/v1/approvals/${ids[0]}`)).body
    expect(decision).toMatchObject({ decision: 'approve', by: entries[0].by, reason: 'checked' })
  })

  it('200 writes the same event and audit entry as a single decision', async () => {
    const many = await asking(pay(1))
    await decide({ ids: many.ids, decision: 'deny', reason: 'no' })
    const single = await asking(pay(1))
    const path = `/v1/approvals/${single.ids[0]}/decision`
    await api.call('POST', path, { json: { decision: 'deny', reason: 'no' } })
    await settle(api.world)
    const eventOf = async (run: string) => {
      const { body } = await api.call('GET', `/v1/runs/${run}/events?limit=100`)
      const event = body.data.find(({ type }: { type: string }) => type === 'approval.decided')
      const { id: _, call: __, ...data } = event.data
      return { type: event.type, data }
    }
    expect(await eventOf(many.run)).toEqual(await eventOf(single.run))
    const entries = (await audited()).map(({ detail, ...entry }: Record<string, string>) => ({
      ...Object.fromEntries(Object.entries(entry).filter(([name]) => !OWN.includes(name))),
      detail: detail?.replace(/run_\w+/, 'run'),
    }))
    expect(entries).toHaveLength(2)
    expect(entries[0]).toEqual(entries[1])
  })

  it('200 reports each approval that was not decided, and decides the others', async () => {
    const { run, ids } = await asking(pay(1), pay(2), pay(3))
    const late = await asking(pay(4))
    await api.call('POST', `/v1/runs/${late.run}/cancel`, { json: {} })
    await settle(api.world)
    const [denied, approved, open] = ids as [string, string, string]
    await decide({ ids: [denied], decision: 'deny' })
    await decide({ ids: [approved], decision: 'approve' })
    const asked = [ABSENT, denied, approved, late.ids[0]!, open]
    const { status, body } = await decide({ ids: asked, decision: 'approve' })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { id: ABSENT, status: null, code: 'not_found', detail: 'Approval not found.' },
      {
        id: denied,
        status: 'denied',
        code: 'conflict',
        detail: 'The approval was already decided: deny.',
      },
      { id: approved, status: 'approved' },
      {
        id: late.ids[0],
        status: 'closed',
        code: 'gone',
        detail: 'The approval has expired, or its run has ended.',
      },
      { id: open, status: 'approved' },
    ])
    const decided = (await types(run)).filter((type) => type === 'approval.decided')
    expect(decided).toHaveLength(3)
    const again = await decide({ ids: asked, decision: 'approve' })
    expect([again.status, again.body]).toEqual([200, body])
    expect((await types(run)).filter((type) => type === 'approval.decided')).toHaveLength(3)
  })

  it('200 reports an approval that has expired, and a call that the policy now denies', async () => {
    const { ids } = await asking(pay(1))
    await setPolicy(api.world, { approvals: { '*__pay': 'deny' } })
    const denied = await decide({ ids, decision: 'approve' })
    expect(denied.body.data).toMatchObject([{ status: 'pending', code: 'conflict' }])
    await api.world.clock.advance(LIMITS.approval_seconds_default * 1_000)
    const { body } = await decide({ ids, decision: 'deny' })
    expect(body.data).toMatchObject([{ id: ids[0], code: 'gone' }])
  })

  it('200 reports an approval with replaced arguments, as a single decision does', async () => {
    const { ids } = await asking(pay(1))
    const path = `/v1/approvals/${ids[0]}/decision`
    await api.call('POST', path, { json: { decision: 'approve', arguments: { amount: 2 } } })
    const alone = await api.call('POST', path, { json: { decision: 'approve' } })
    expect(alone.status).toBe(409)
    const { code, detail } = alone.body
    const { body } = await decide({ ids, decision: 'approve' })
    expect(body.data).toEqual([{ id: ids[0], status: 'approved', code, detail }])
  })

  it.each([
    ['a missing list', { decision: 'deny' }, '/ids'],
    ['an empty list', { ids: [], decision: 'deny' }, '/ids'],
    ['a repeated ID', { ids: [ABSENT, ABSENT], decision: 'deny' }, '/ids/1'],
    ['an ID of another kind', { ids: [`run_${'0'.repeat(26)}`], decision: 'deny' }, '/ids/0'],
    ['too many IDs', { ids: numbered(101), decision: 'deny' }, '/ids'],
    ['a missing decision', { ids: [ABSENT] }, '/decision'],
    ['another decision', { ids: [ABSENT], decision: 'expired' }, '/decision'],
    ['replaced arguments', { ids: [ABSENT], decision: 'approve', arguments: {} }, '/arguments'],
    ['a hash', { ids: [ABSENT], decision: 'approve', args_hash: 'x' }, '/args_hash'],
    ['a reason that is too long', { ids: [ABSENT], decision: 'deny', reason: long() }, '/reason'],
  ])('422 rejects %s, with a pointer', async (_, json, pointer) => {
    const { status, body } = await decide(json)
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'invalid_request', pointer])
  })

  it('200 accepts as many IDs as the limits state', async () => {
    expect(LIMITS.approvals_per_decision).toBe(100)
    const { status, body } = await decide({ ids: numbered(100), decision: 'deny' })
    expect([status, body.data.length]).toEqual([200, 100])
  })

  it('403 rejects a key without the scope', async () => {
    const json = { scopes: ['approvals:read'] }
    const { key } = (await api.call('POST', '/v1/keys', { json })).body
    const answer = await decide({ ids: [ABSENT], decision: 'deny' }, key)
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
  })

  it('200 hides approvals outside of a bound token, exactly as if they did not exist', async () => {
    const mine = await asking(pay(1))
    const other = await asking(pay(2), pay(3))
    const scopes = ['approvals:read', 'approvals:write']
    const subjects = [
      [{ run: mine.run }, mine.ids[0]!],
      [{ approval: other.ids[0] }, other.ids[0]!],
    ] as const
    for (const [subject, own] of subjects) {
      const made = await api.call('POST', '/v1/tokens', { json: { for: subject, scopes } })
      const foreign = [mine.ids[0]!, ...other.ids].filter((id) => id !== own)
      const ids = [...foreign, own, ABSENT]
      const { body } = await decide({ ids, decision: 'deny' }, made.body.token)
      expect(body.data).toEqual(
        ids.map((id) =>
          id === own
            ? { id, status: 'denied' }
            : { id, status: null, code: 'not_found', detail: 'Approval not found.' },
        ),
      )
      expect((await audited())[0].by).toMatch(/^tok_/)
    }
    const { body } = await api.call('GET', `/v1/approvals/${other.ids[1]}`)
    expect(body.status).toBe('pending')
  })
})

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `apr_${String(at).padStart(52, '0')}`)
}
function long(): string {
  return 'x'.repeat(2_001)
}

describe('GET /v1/approvals?tool=', () => {
  it('200 returns approvals of this tool only, alone and with a run', async () => {
    const one = await asking(pay(1), pay(2, 'look'))
    const other = await asking(pay(3, 'look'))
    const listed = async (query: string) =>
      (await api.call('GET', `/v1/approvals?${query}`)).body.data
        .map(({ id }: { id: string }) => id)
        .toSorted()
    const looks = [one.ids[1]!, other.ids[0]!].toSorted()
    expect(await listed('tool=mcp__bank__look')).toEqual(looks)
    expect(await listed('tool=mcp__bank__pay')).toEqual([one.ids[0]])
    expect(await listed(`tool=mcp__bank__look&run_id=${one.run}`)).toEqual([one.ids[1]])
    expect(await listed('tool=look')).toEqual([])
    await decide({ ids: one.ids, decision: 'deny' })
    expect(await listed('tool=mcp__bank__look&status=decided')).toEqual([one.ids[1]])
  })

  it('200 continues with the cursor, which belongs to the filter', async () => {
    const { ids } = await asking(pay(1), pay(2), pay(3, 'look'))
    const page = async (query: string) => api.call('GET', `/v1/approvals?${query}`)
    const first = (await page('tool=mcp__bank__pay&limit=1')).body
    expect([first.data.length, first.has_more]).toEqual([1, true])
    const cursor = encodeURIComponent(first.next_cursor)
    const next = (await page(`tool=mcp__bank__pay&limit=1&cursor=${cursor}`)).body
    const pays = [...first.data, ...next.data].map(({ id }: { id: string }) => id)
    expect([pays.toSorted(), next.has_more]).toEqual([ids.slice(0, 2).toSorted(), false])
    for (const query of ['', 'tool=mcp__bank__look&', `run_id=run_${'0'.repeat(26)}&`]) {
      const { status, body } = await page(`${query}cursor=${cursor}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_cursor'])
    }
  })

  it('400 rejects a name that is too long', async () => {
    const { status, body } = await api.call('GET', `/v1/approvals?tool=${'x'.repeat(201)}`)
    expect([status, body.errors[0].pointer]).toEqual([400, '/tool'])
  })

  it('200 applies to the token for one approval', async () => {
    const { ids } = await asking(pay(1))
    const json = { for: { approval: ids[0] }, scopes: ['approvals:read'] }
    const { token } = (await api.call('POST', '/v1/tokens', { json })).body
    const count = async (tool: string) =>
      (await api.call('GET', `/v1/approvals?tool=${tool}`, { key: token })).body.data.length
    expect([await count('mcp__bank__pay'), await count('mcp__bank__look')]).toEqual([1, 0])
  })
})
