/** Deliveries of the real server to receivers that fail, are slow, or never finish their answer. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Received, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { HOSTILE, startHostilePeer } from '../support/hostile/index.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

async function receiver(handler: (request: Received, response: ServerResponse) => void) {
  const server = await startCannedServer(handler)
  cleanup.push(server.close)
  return server
}

const endpointAt = async (api: NodeApi, url: string): Promise<string> =>
  (await ask(api, 'POST', '/v1/webhook-endpoints', { url, events: ['run.completed'] })).body.id

const deliveriesOf = async (api: NodeApi, endpoint: string) =>
  (await ask(api, 'GET', `/v1/webhook-deliveries?limit=100&endpoint_id=${endpoint}`)).body.data

const attempted = (api: NodeApi, endpoint: string) =>
  until('an attempt', async () => {
    const [delivery] = await deliveriesOf(api, endpoint)
    return delivery?.attempts > 0 && delivery
  })

describe('a delivery that waits for its next attempt', () => {
  it('is sent immediately on request, alone or as part of a range [WS16]', async () => {
    const api = await startNodeApi()
    let status = 500
    const { origin, received } = await receiver((_, response) => {
      response.writeHead(status).end()
    })
    const endpoint = await endpointAt(api, `${origin}/in`)
    await runToEnd(api, { input: '@say one' })
    // The third attempt is planned for minutes later.
    const waiting = await until('two attempts', async () => {
      const [delivery] = await deliveriesOf(api, endpoint)
      return delivery?.attempts === 2 && delivery
    })
    expect(waiting.status).toBe('pending')
    const replay = () => ask(api, 'POST', `/v1/webhook-deliveries/${waiting.id}/replay`)
    expect((await replay()).status).toBe(202)
    await until('the attempt by hand', () => received.length === 3)
    const ranged = until('a replay of the range', async () => {
      const range = { status: 'pending', endpoint_id: endpoint }
      const { body } = await ask(api, 'POST', '/v1/webhook-deliveries/replay', range)
      return body.replayed.includes(waiting.id)
    })
    status = 204
    await ranged
    const delivered = await until('the delivery', async () => {
      const { body } = await ask(api, 'GET', `/v1/webhook-deliveries/${waiting.id}`)
      return body.status === 'delivered' && body
    })
    expect(delivered).toMatchObject({ redrives: 2, next_at: null })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('is refused with 409 while an attempt is in progress [WS16]', async () => {
    const api = await startNodeApi()
    const open: ServerResponse[] = []
    const { origin } = await receiver((_, response) => void open.push(response))
    const endpoint = await endpointAt(api, `${origin}/in`)
    await runToEnd(api, { input: '@say one' })
    await until('the attempt', () => open.length === 1)
    const [{ id }] = await deliveriesOf(api, endpoint)
    const { status, body } = await ask(api, 'POST', `/v1/webhook-deliveries/${id}/replay`)
    expect([status, body.code]).toEqual([409, 'conflict'])
    open[0]!.end()
    await until('its record', async () => {
      return (await deliveriesOf(api, endpoint))[0].status === 'delivered'
    })
  })
})

describe('a filter of deliveries', () => {
  it('selects the same deliveries in the list, in a dry run, and in a replay', async () => {
    const api = await startNodeApi()
    const { origin, received } = await receiver((_, response) => void response.end())
    const endpoint = await endpointAt(api, `${origin}/in`)
    const runs = [
      await runToEnd(api, { input: '@say one' }),
      await runToEnd(api, { input: '@say two' }),
    ]
    await until('both deliveries', async () => {
      const all = await deliveriesOf(api, endpoint)
      return (
        all.length === 2 && all.every(({ status }: { status: string }) => status === 'delivered')
      )
    })
    const filter = { status: 'delivered', event_type: 'run.completed', run_id: runs[0]!.id }
    const query = new URLSearchParams(filter)
    const { data } = (await ask(api, 'GET', `/v1/webhook-deliveries?${query}`)).body
    expect(data).toMatchObject([filter])
    const path = '/v1/webhook-deliveries/replay'
    const dry = await ask(api, 'POST', path, { ...filter, dry_run: true })
    expect([dry.status, dry.body.replayed]).toEqual([200, [data[0].id]])
    expect(received).toHaveLength(2)
    const sent = await ask(api, 'POST', path, filter)
    expect([sent.status, sent.body.replayed]).toEqual([202, dry.body.replayed])
    await until('the replay', () => received.length === 3)
    const { body } = await ask(api, 'GET', `/v1/webhook-deliveries/${data[0].id}`)
    expect(body.payload).toBe(received[2]!.body)
  })
})

describe('a URL that does not answer', () => {
  it.each(['endpoints', 'webhooks of runs'])(
    'delays no other URL of its host (%s) [WS18]',
    async (kind) => {
      const api = await startNodeApi()
      const open: ServerResponse[] = []
      const { origin, received } = await receiver(({ url }, response) => {
        if (url.startsWith('/slow')) open.push(response)
        else response.end()
      })
      const fast = () => received.filter(({ url }) => url.startsWith('/fast')).length
      const urls = kind === 'endpoints' ? [] : ['/slow?of=a', '/slow?of=b', '/slow?of=c', '/fast']
      if (kind === 'endpoints') {
        for (const path of ['/slow', '/fast']) await endpointAt(api, `${origin}${path}`)
        for (let count = 0; count < 6; count += 1) await runToEnd(api, { input: '@say x' })
      }
      for (const path of urls) {
        const webhook = { url: `${origin}${path}` }
        await runToEnd(api, { input: '@say x', webhook })
      }
      await until('the fast ones', () => fast() === (kind === 'endpoints' ? 6 : 1))
      expect(open).toHaveLength(1)
      for (const response of open) response.end()
    },
  )
})

describe('a receiver that answers 200 and never finishes the body', () => {
  it.each([
    'body-drips',
    'body-never-comes',
    'body-never-ends',
    'resets-in-body',
    'ends-in-body',
    'trailers-drip',
  ] as const)(
    'is delivered at the first attempt (%s), and its connection is closed',
    async (name) => {
      const api = await startNodeApi()
      const peer = await startHostilePeer(HOSTILE[name])
      cleanup.push(peer.close)
      const endpoint = await endpointAt(api, `${peer.origin}/in`)
      await runToEnd(api, { input: '@say one' })
      expect(await attempted(api, endpoint)).toMatchObject({
        status: 'delivered',
        attempts: 1,
        last_status: 200,
        last_error: null,
      })
      expect(await peer.allClosed()).toBe(true)
    },
  )

  it.each(['gzip', 'sdch'])('is delivered even when its %s cannot be read', async (encoding) => {
    const api = await startNodeApi()
    const { origin } = await receiver((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('noise')
    })
    const endpoint = await endpointAt(api, `${origin}/in`)
    await runToEnd(api, { input: '@say one' })
    expect(await attempted(api, endpoint)).toMatchObject({ status: 'delivered', attempts: 1 })
  })

  it('is not delivered when the status is an error', async () => {
    const api = await startNodeApi()
    const { origin } = await receiver((_, response) => void response.writeHead(500).write('x'))
    const endpoint = await endpointAt(api, `${origin}/in`)
    await runToEnd(api, { input: '@say one' })
    expect(await attempted(api, endpoint)).toMatchObject({ status: 'pending', last_status: 500 })
  })
})
