/** Decisions about several approvals on a running server: concurrent callers, tokens, commands. */

import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import { createRun, MAIN, type Server, startServer, untilEnd } from '../support/server.ts'

interface Outcome {
  readonly id: string
  readonly status: string | null
  readonly code?: string
}
interface Outcomes {
  readonly data: readonly Outcome[]
}
interface Entries {
  readonly data: readonly { readonly id: string; readonly kind: string; readonly name: string }[]
}

async function policedServer(): Promise<Server> {
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const json = { approvals: { file_write: 'ask' } }
  await server.get('/v1/policy', { method: 'PUT', headers: { 'if-match': '"0"' }, json })
  return server
}

/** Starts a run that writes so many files in one step, and returns it with its approvals. */
async function asking(server: Server, count: number): Promise<{ run: string; ids: string[] }> {
  const writes = Array.from(
    { length: count },
    (_, at) => `@call file_write {"path":"${at}.txt","content":"x"}`,
  )
  const run = await createRun(server, { input: `${writes.join('\n')}\n@say done` })
  const ids = await until('the approvals', async () => {
    const { data } = await server.get<Entries>(`/v1/approvals?run_id=${run.id}&limit=100`)
    return data.length === count && data.map(({ id }) => id)
  })
  return { run: run.id, ids }
}

const decide = (server: Server, ids: readonly string[], decision: string, token?: string) =>
  server.get<Outcomes>('/v1/approvals/decisions', {
    method: 'POST',
    json: { ids, decision },
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  })

it('each of 20 approvals that two callers decide at once has one decision, which both callers hear', async () => {
  const server = await policedServer()
  const [one, other] = await Promise.all([asking(server, 15), asking(server, 5)])
  const ids = [...one.ids, ...other.ids]
  const [approved, denied] = await Promise.all([
    decide(server, ids, 'approve'),
    decide(server, ids.toReversed(), 'deny'),
  ])
  const heard = new Map(denied.data.map((outcome) => [outcome.id, outcome]))
  expect(approved.data.map(({ id }) => id)).toEqual(ids)
  for (const { id, status, code } of approved.data) {
    expect(['approved', 'denied']).toContain(status)
    expect(heard.get(id)).toMatchObject({ id, status })
    const codes = [code, heard.get(id)?.code]
    expect(codes).toEqual(status === 'approved' ? [undefined, 'conflict'] : ['conflict', undefined])
    const approval = await server.get<Outcome>(`/v1/approvals/${id}`)
    expect(approval.status).toBe(status)
  }
  const audit = await server.get<Entries>('/v1/audit?limit=100')
  const audited = audit.data.filter(({ kind }) => kind === 'approval').map(({ name }) => name)
  expect(audited.toSorted()).toEqual(ids.toSorted())
  for (const { run, ids: asked } of [one, other]) {
    expect(await untilEnd(server, run)).toMatchObject({ status: 'completed' })
    const { data } = await server.get<{ data: readonly { type: string }[] }>(
      `/v1/runs/${run}/events?limit=100`,
    )
    const decided = data.filter(({ type }) => type === 'approval.decided')
    expect(decided).toHaveLength(asked.length)
  }
})

it('a token decides only approvals of its run, by the client with the same answer', async () => {
  const server = await policedServer()
  const [mine, other] = await Promise.all([asking(server, 2), asking(server, 1)])
  const { token } = await server.get<{ token: string }>('/v1/tokens', {
    method: 'POST',
    json: { for: { run: mine.run }, scopes: ['approvals:read', 'approvals:write'] },
  })
  const ids = [other.ids[0]!, ...mine.ids]
  const { data } = await decide(server, ids, 'approve', token)
  const missing = { id: other.ids[0], status: null, code: 'not_found' }
  expect(data).toMatchObject([missing, { status: 'approved' }, { status: 'approved' }])
  const client = createClient({ url: server.url, apiKey: server.key })
  const pending = await client.approvals.list({ tool: 'file_write' })
  expect(pending.data.map(({ id }) => id)).toEqual(other.ids)
  expect((await client.approvals.list({ tool: 'file_edit' })).data).toEqual([])
  const outcome = await client.approvals.decideMany({ ids, decision: 'approve' })
  expect(outcome.data).toEqual(ids.map((id) => ({ id, status: 'approved' })))
})

it('strata approve and deny accept several IDs, and name those that were not decided', async () => {
  const server = await policedServer()
  const { run, ids } = await asking(server, 3)
  const strata = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { STRATA_URL: server.url, STRATA_API_KEY: server.key }
      execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      )
    })
  const listed = await strata('approvals', '--run', run, '--tool', 'file_write')
  expect(listed.out.split('\n').filter((line) => line.startsWith('apr_'))).toHaveLength(3)
  const none = await strata('approvals', '--tool', 'file_edit')
  expect(none).toEqual({ code: 0, out: 'id  run_id  tool  arguments\n', err: '' })
  const [first, second, third] = ids as [string, string, string]
  expect(await strata('approve', first)).toMatchObject({ code: 0, err: '' })
  expect(await strata('approve', first, second)).toEqual({
    code: 0,
    out: `${first} approved\n${second} approved\n`,
    err: '',
  })
  const denied = await strata('deny', second, third, '--reason', 'not now')
  expect(denied).toMatchObject({ code: 1, out: `${third} denied\n` })
  expect(denied.err).toBe(`${second}: The approval was already decided: approve. [conflict]\n`)
  const both = await strata('deny', '--json', second, third)
  expect(
    both.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { id: second, status: 'approved', code: 'conflict' },
    { id: third, status: 'denied' },
  ])
  const edited = await strata('approve', second, third, '--arguments', '{}')
  expect([edited.code, edited.err]).toEqual([2, expect.stringContaining('one approval')])
  expect(await untilEnd(server, run)).toMatchObject({ status: 'completed' })
})
