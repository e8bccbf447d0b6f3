/**
 * MCP servers that ask a person in the middle of a call (revision 2026-07-28): a real server on
 * loopback and the real Node host. The call waits in the log and goes on with the answer.
 */

import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../../../support/node-api.ts'
import { type Asked, ask, eventsOf, putFile } from '../../../support/node-client.ts'
import { until } from '../../../support/patience.ts'
import { BASE_CONFIG } from '../../../support/resolved.ts'

const ACCOUNT = {
  type: 'object' as const,
  properties: { account: { type: 'string' as const, enum: ['main', 'savings'] } },
  required: ['account'],
}
const PLACE = {
  type: 'object' as const,
  properties: {
    city: { type: 'string' as const },
    seats: { type: 'integer' as const, minimum: 1 },
  },
  required: ['city', 'seats'],
}

interface Seen {
  readonly tool: string
  readonly responses: unknown
  readonly state: unknown
}

/** Its tools ask and do nothing before they are answered. */
async function askingServer() {
  const seen: Seen[] = []
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bank', version: '1' })
    const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
    server.registerTool('transfer', {}, async ({ mcpReq }) => {
      const { inputResponses } = mcpReq
      seen.push({ tool: 'transfer', responses: inputResponses, state: mcpReq.requestState() })
      const said = acceptedContent<{ account: string }>(inputResponses, 'which')
      if (said) return text(`sent from ${said.account}`)
      if (inputResponses) return text(`nothing sent: ${JSON.stringify(inputResponses)}`)
      return inputRequired({
        inputRequests: {
          which: inputRequired.elicit({ message: 'Which account?', requestedSchema: ACCOUNT }),
        },
        requestState: 'transfer 7',
      })
    })
    server.registerTool('book', {}, async ({ mcpReq: { inputResponses } }) => {
      const said = acceptedContent(inputResponses, 'place')
      if (said) return text(JSON.stringify(said))
      return inputRequired({
        inputRequests: {
          place: inputRequired.elicit({ message: 'Where?', requestedSchema: PLACE }),
        },
      })
    })
    server.registerTool('connect', {}, async ({ mcpReq: { inputResponses } }) => {
      if (inputResponses) return text(JSON.stringify(inputResponses))
      const page = { message: 'Sign in', url: 'https://bank.example/in', elicitationId: 'e1' }
      return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(page) } })
    })
    server.registerTool('pester', {}, async () =>
      inputRequired({
        inputRequests: {
          more: inputRequired.elicit({ message: 'And now?', requestedSchema: ACCOUNT }),
        },
      }),
    )
    return server
  })
  const { origin, close } = await startCannedServer(async ({ method, headers, body }, response) => {
    const given = new Headers(
      Object.entries(headers).filter((one): one is [string, string] => typeof one[1] === 'string'),
    )
    const sent = { method, headers: given, ...(body === '' ? {} : { body }) }
    const answer = await handler.fetch(new Request(`${origin}/mcp`, sent))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  })
  cleanup.push(close)
  return { url: `${origin}/mcp`, seen }
}

let api: NodeApi
let bank: Awaited<ReturnType<typeof askingServer>>
beforeEach(async () => {
  bank = await askingServer()
  api = await startNodeApi()
  await putFile(api, BASE_CONFIG, `[mcp_servers.bank]\nurl = "${bank.url}"\n`)
})

const start = async (tool: string, more: object = {}): Promise<string> => {
  const input = `@call mcp__bank__${tool} {}\n@then\n@say {last}`
  const { status, body, text } = await ask(api, 'POST', '/v1/runs', { input, ...more })
  if (status !== 202) throw new Error(text)
  return body.id
}
const runUntil = (id: string, isThere: (run: Asked['body']) => boolean): Promise<Asked['body']> =>
  until(`run ${id}`, async () => {
    const run = (await ask(api, 'GET', `/v1/runs/${id}`)).body
    if (['failed', 'timed_out'].includes(run.status)) throw new Error(JSON.stringify(run.error))
    return isThere(run) && run
  })
const asks = (id: string) => runUntil(id, ({ waiting_on }) => waiting_on === 'input')
const ended = (id: string) => runUntil(id, ({ status }) => status === 'completed')
const resultOf = async (id: string): Promise<string> =>
  (await eventsOf(api, id)).find(({ type }) => type === 'tool.result').data.text
const say = (id: string, content: string) =>
  ask(api, 'POST', `/v1/runs/${id}/messages`, { content })

describe('an MCP server that asks the user', () => {
  it('through a form parks the run with the question, and the call continues with the answer (202)', async () => {
    const before = bank.seen.length
    const id = await start('transfer')
    const { question, waiting_on } = await asks(id)
    expect(waiting_on).toBe('input')
    expect(question.questions).toEqual([
      { question: 'The MCP server bank asks: Which account?', schema: ACCOUNT },
    ])
    const { status, body } = await say(id, 'savings')
    expect([status, body.answers]).toEqual([202, question.call])
    const run = await ended(id)
    expect(run.output.text).toBe(
      '[The server asked the user: "Which account?". The user has answered.]\nsent from savings',
    )
    expect(bank.seen.slice(before)).toEqual([
      { tool: 'transfer', responses: undefined, state: undefined },
      {
        tool: 'transfer',
        responses: { which: { action: 'accept', content: { account: 'savings' } } },
        state: 'transfer 7',
      },
    ])
    const events = await eventsOf(api, id)
    const paused = events.find(({ type }) => type === 'tool.paused')
    expect(paused.data).toMatchObject({ server: 'bank', round: 1, on: 'input' })
    expect(JSON.stringify(paused)).not.toContain('transfer 7')
    expect(events.filter(({ type }) => type === 'tool.call')).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'tool.result')).toHaveLength(1)
  })

  it('through a form refuses an invalid answer, and the question stays open (422)', async () => {
    const id = await start('book')
    await asks(id)
    for (const wrong of ['{"city":"Oslo"}', 'city: Oslo\nseats: none', 'Oslo', '{"seat":1}']) {
      const { status, body } = await say(id, wrong)
      expect([status, body.code, body.errors[0].pointer], wrong).toEqual([
        422,
        'invalid_request',
        '/content',
      ])
      expect(body.detail).toContain('form of MCP server bank')
    }
    expect((await asks(id)).question).toBeDefined()
    expect((await say(id, 'city: Oslo\nseats: 2')).status).toBe(202)
    expect((await ended(id)).output.text).toContain('{"city":"Oslo","seats":2}')
  })

  it('is declined when the user declines', async () => {
    const id = await start('transfer')
    await asks(id)
    expect((await say(id, '{"action":"decline"}')).status).toBe(202)
    expect((await ended(id)).output.text).toContain('nothing sent: {"which":{"action":"decline"}}')
  })

  it('for consent, through a page, creates an approval whose decision is the answer', async () => {
    for (const [decision, action] of [
      ['approve', 'accept'],
      ['deny', 'decline'],
    ]) {
      const id = await start('connect')
      await runUntil(id, ({ waiting_on }) => waiting_on === 'approval')
      const { data } = (await ask(api, 'GET', '/v1/approvals')).body
      const [approval] = data.filter(({ run_id }: { run_id: string }) => run_id === id)
      expect(approval.reason).toBe(
        'the MCP server bank asks: "Sign in" (to open "https://bank.example/in")',
      )
      const path = `/v1/approvals/${approval.id}`
      const changed = { decision: 'approve', arguments: { a: 1 } }
      expect((await ask(api, 'POST', `${path}/decision`, changed)).status).toBe(422)
      const decided = await ask(api, 'POST', `${path}/decision`, { decision })
      expect(decided.status).toBe(200)
      expect((await ended(id)).output.text).toContain(`{"page":{"action":"${action}"}}`)
      expect((await ask(api, 'GET', path)).body.status).toBe(
        `${decision === 'approve' ? 'approved' : 'denied'}`,
      )
    }
  })

  it('too often is declined, and the model reads that nothing was done', async () => {
    const id = await start('pester')
    for (let round = 1; round <= 5; round += 1) {
      await runUntil(id, ({ question }) => question !== undefined)
      expect((await say(id, 'main')).status, `round ${round}`).toBe(202)
      await runUntil(id, ({ question, status }) => question === undefined || status === 'completed')
    }
    await ended(id)
    expect(await resultOf(id)).toContain('requires an answer')
  })

  it('is informed that there was no answer when the question expires', async () => {
    const approvals = { expires_seconds: 1 }
    const id = await start('transfer', { approvals })
    expect((await ended(id)).output.text).toContain('{"which":{"action":"cancel"}}')
  })

  it('is declined at once when no user can be reached', async () => {
    const id = await start('transfer', { approvals: { unattended: true } })
    await ended(id)
    expect(await resultOf(id)).toContain('nothing sent: {"which":{"action":"decline"}}')
  })

  it('is not called again after its run was cancelled', async () => {
    const id = await start('transfer')
    await asks(id)
    const before = bank.seen.length
    await ask(api, 'POST', `/v1/runs/${id}/cancel`, {})
    const { status } = await runUntil(id, (run) => run.status === 'cancelled')
    expect([status, bank.seen.length]).toEqual(['cancelled', before])
    expect((await say(id, 'main')).status).toBe(409)
  })
})
