/** A webhook that ends at a hook of the server that has sent it. */

import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function hookOf(api: NodeApi): Promise<string> {
  const json = { scheme: 'standard', secret: SECRET, template: '@say round' }
  return (await ask(api, 'POST', '/v1/hooks', json)).body.id
}

/** Hands on to the hook what it gets, as a tunnel does. */
async function tunnel(api: NodeApi, hook: string) {
  const seen: { status: number; hops: string | undefined; text: string }[] = []
  const server = await startCannedServer(async ({ headers, body }, response) => {
    const kept = Object.entries(headers).filter(([name]) =>
      /^(webhook-|strata-|content-type)/.test(name),
    )
    const answer = await fetch(`${api.url}/v1/hooks/${hook}`, {
      method: 'POST',
      headers: Object.fromEntries(kept) as Record<string, string>,
      body,
    })
    const text = await answer.text()
    seen.push({ status: answer.status, hops: headers['strata-hops'] as string | undefined, text })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  cleanup.push(server.close)
  return { server, seen }
}

const runsOf = async (api: NodeApi) => (await ask(api, 'GET', '/v1/runs?limit=100')).body.data

describe('an endpoint that feeds its own hook', () => {
  it('is stopped at the hop limit, starts no further run, and is audited', async () => {
    const api = await startNodeApi()
    const hook = await hookOf(api)
    const { server, seen } = await tunnel(api, hook)
    const made = await ask(api, 'POST', '/v1/webhook-endpoints', {
      url: `${server.origin}/in`,
      secret: SECRET,
      events: ['run.completed'],
    })
    expect(made.status).toBe(201)
    await runToEnd(api, { input: '@say first' })
    await until('the refusal', () => seen.some(({ status }) => status === 422))
    const started = seen.filter(({ status }) => status === 202)
    expect(started).toHaveLength(LIMITS.hook_hops)
    expect(seen[0]?.hops).toBeUndefined()
    expect(seen.slice(1).every(({ hops }) => hops?.startsWith('v1.'))).toBe(true)
    const stopped = JSON.parse(seen.find(({ status }) => status === 422)!.text)
    expect(stopped.code).toBe('hook_loop')
    expect(await runsOf(api)).toHaveLength(1 + LIMITS.hook_hops)
    const audit = (await ask(api, 'GET', '/v1/audit?limit=100')).body.data
    const refused = audit.filter(({ action }: { action: string }) => action === 'refuse')
    expect(refused[0]).toMatchObject({ kind: 'hook', name: hook, by: 'system' })
    const { data } = (await ask(api, 'GET', '/v1/webhook-deliveries?limit=100')).body
    const failed = data.filter(({ last_status }: { last_status: number }) => last_status === 422)
    expect(failed).toHaveLength(1)
    const told = (await ask(api, 'GET', `/v1/webhook-deliveries/${failed[0].id}`)).body
    expect(told.last_body).toContain('hook_loop')
  })

  it('starts its hop count at zero when the header is forged, malformed, or of another deployment', async () => {
    const api = await startNodeApi()
    const other = await startNodeApi()
    const json = {
      scheme: 'standard',
      secret: SECRET,
      template: '@spawn 1 {"task":"@say x"}\n@await\n@say y',
    }
    const hook = (await ask(api, 'POST', '/v1/hooks', json)).body.id
    const send = async (id: string, hops: string | undefined) => {
      const body = JSON.stringify({ type: 'x', id })
      const at = new Date()
      const response = await fetch(`${api.url}/v1/hooks/${hook}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(SECRET).sign(id, at, body),
          ...(hops === undefined ? {} : { 'strata-hops': hops }),
        },
        body,
      })
      return { status: response.status, body: (await response.json()) as { run_id: string } }
    }
    const seal = (of: NodeApi, count: number) =>
      of.host.world.secrets.seal(String(count), 'webhook hops')
    const specOf = async (id: string) => {
      const { data } = (await ask(api, 'GET', `/v1/runs/${id}/events?limit=1`)).body
      return data[0].data
    }
    const cases = [
      ['none', undefined, 0],
      ['forged', '0', 0],
      ['bent', `${(await seal(api, 8)).slice(0, -2)}AA`, 0],
      ['foreign', await seal(other, 9), 0],
      ['cursor', await api.host.world.secrets.seal('9', 'cursor x'), 0],
      ['ours', await seal(api, 7), 7],
    ] as const
    for (const [name, hops, count] of cases) {
      const { status, body } = await send(`msg_${name}`, hops)
      expect([name, status]).toEqual([name, 202])
      expect([name, (await specOf(body.run_id)).hops]).toEqual([name, count])
    }
    expect((await send('msg_last', await seal(api, 8))).status).toBe(422)
  })
})
