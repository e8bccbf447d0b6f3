/** The outbound door on Node against real sockets: pinning, bounds, and what is never followed. */

import type { ServerResponse } from 'node:http'
import type { NetworkInterfaceInfo } from 'node:os'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pinnedFetch, type Resolve } from '../../../../src/hosts/node/outbound.ts'
import { ownAddresses } from '../../../../src/hosts/node/own-addresses.ts'
import { createWeb } from '../../../../src/hosts/outbound/fetch.ts'
import type { WebRequest } from '../../../../src/ports/world.ts'
import { type Received, startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'

async function serving(handler: (request: Received, response: ServerResponse) => void) {
  const server = await startCannedServer(handler)
  cleanup.push(server.close)
  return server
}
const policy = { allowLoopback: true }
const web = createWeb(policy, pinnedFetch(policy))
const get = (url: string, more: Partial<WebRequest> = {}): WebRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 20_000,
  maxBytes: 1_000,
  ...more,
})
const resolving = (...addresses: string[]): Resolve => {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_, done) => done(null, all)
}

describe('an outbound request', () => {
  it('sends exactly the bytes and headers given [WS03]', async () => {
    const server = await serving((_, response) => void response.end('ok'))
    const body = '{"t":"héllo 😀"}'
    const headers = { 'webhook-id': 'msg_1', 'content-type': 'application/json' }
    const sent = await web.send(get(server.origin, { method: 'POST', headers, body }))
    expect(sent).toMatchObject({ ok: true, value: { status: 200, body: 'ok' } })
    expect(server.received[0]).toMatchObject({ method: 'POST', body, headers })
  })
  it('reuses its connection', async () => {
    const server = await serving((_, response) => void response.end('ok'))
    for (let i = 0; i < 5; i += 1) await web.send(get(server.origin))
    expect(server.connections()).toBe(1)
  })
})

describe('the vetting of resolved addresses', () => {
  it.each([
    ['U14 two A records, one private', ['93.184.216.34', '10.0.0.1']],
    ['U16 AAAA private, A public', ['93.184.216.34', 'fd00::1']],
    ['U17 a name that leads to an internal address', ['127.0.0.1']],
    ['no address at all', []],
  ])('%s', async (_, addresses) => {
    const guarded = createWeb(policy, pinnedFetch(policy, resolving(...addresses)))
    const sent = await guarded.send(get('https://example.com/'))
    expect(sent).toEqual({ ok: false, error: 'the host is unknown or not public' })
  })
  it('a name that resolves to an address of this machine is refused [U23]', async () => {
    const own = ownAddresses(() => ({
      eth0: [{ address: '93.184.216.34' } as NetworkInterfaceInfo],
    }))
    const guarded = createWeb(policy, pinnedFetch({ ...policy, own }, resolving('93.184.216.34')))
    const sent = await guarded.send(get('https://example.com/'))
    expect(sent).toEqual({ ok: false, error: 'the URL points back to this service' })
  })
  it('the connection uses the vetted address, and the name is resolved once [U15]', async () => {
    const server = await serving((_, response) => void response.end('ok'))
    let asked = 0
    const rebinding: Resolve = (_, done) => {
      asked += 1
      done(null, [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }])
    }
    const guarded = createWeb(policy, pinnedFetch(policy, rebinding))
    const sent = await guarded.send(get(`http://localhost:${server.port}/`))
    expect(sent).toMatchObject({ ok: true })
    expect(asked).toBe(1)
  })
})

describe('a response', () => {
  it('that redirects is returned and never followed [U18 U19 WS09]', async () => {
    const server = await serving((_, response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end()
    })
    const headers = { authorization: 'Bearer x' }
    const sent = await web.send(get(server.origin, { method: 'POST', headers, body: 'x' }))
    expect(sent).toMatchObject({ ok: true, value: { status: 307 } })
    expect(server.received.length).toBe(1)
  })
  it('is cut at the size limit, and at the time limit when it never ends [U27]', async () => {
    const server = await serving((request, response) => {
      response.writeHead(200)
      if (request.url === '/slow') return void response.write('x')
      const more = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', more)
      }
      more()
    })
    const big = await web.send(get(`${server.origin}/big`))
    expect(big.ok && big.value.body.length).toBe(1_000)
    const slow = await web.send(get(`${server.origin}/slow`, { timeoutMs: 100 }))
    expect(slow).toEqual({ ok: false, error: 'timed out after 100 ms' })
  })
  it('is bounded by its decoded bytes, and nested encodings are refused [U28]', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, 'x'))
    const server = await serving((request, response) => {
      const nested = request.url === '/nested' ? 'gzip, gzip' : 'gzip'
      response.writeHead(200, { 'content-encoding': nested })
      response.end(request.url === '/small' ? gzipSync('hello') : bomb)
    })
    const small = await web.send(get(`${server.origin}/small`))
    expect(small).toMatchObject({ ok: true, value: { body: 'hello' } })
    const big = await web.send(get(`${server.origin}/bomb`))
    expect(big.ok && big.value.body.length).toBe(1_000)
    const nested = await web.send(get(`${server.origin}/nested`))
    expect(nested).toMatchObject({ ok: false })
  })
  it('with 200 headers or one very long header is a failure [U29]', async () => {
    const server = await serving((request, response) => {
      if (request.url === '/long') response.setHeader('x', 'y'.repeat(1_000_000))
      else for (let i = 0; i < 200; i += 1) response.setHeader(`x-${i}`, 'y')
      response.end('x')
    })
    expect(await web.send(get(`${server.origin}/many`))).toMatchObject({ ok: false })
    expect(await web.send(get(`${server.origin}/long`))).toMatchObject({ ok: false })
  })
  it('is returned without Set-Cookie, Refresh, and Link [U30]', async () => {
    const server = await serving((_, response) => {
      response.writeHead(200, { 'set-cookie': 'a=b', refresh: '0', link: '<x>', etag: 'e' }).end()
    })
    const sent = await web.send(get(server.origin))
    const names = sent.ok ? Object.keys(sent.value.headers) : []
    expect(names).toContain('etag')
    expect(names.filter((name) => /cookie|refresh|link/.test(name))).toEqual([])
  })
  it('that fails reveals nothing found inside [U34]', async () => {
    const refused = await web.send(get('http://127.0.0.1:1/'))
    expect(refused).toEqual({ ok: false, error: 'the connection failed' })
    const cut = await serving((_, response) => {
      response.write('internal secret')
      setTimeout(() => response.destroy(), 5)
    })
    expect(await web.send(get(cut.origin))).toEqual({ ok: false, error: 'the connection failed' })
  })
  it('an abort ends the request at once', async () => {
    const server = await serving(() => {})
    const sent = await web.send(get(server.origin), AbortSignal.timeout(30))
    expect(sent).toEqual({ ok: false, error: 'the request was aborted' })
  })
})
