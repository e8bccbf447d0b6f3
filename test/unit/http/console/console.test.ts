/** `/console` over files in memory: pages and files, encodings, headers, and a missing build. */

import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { Assets } from '../../../../src/http/assets.ts'

const FILES: Readonly<Record<string, string>> = {
  'console/index.html': '<!doctype html><title>Strata</title>',
  'console/assets/index-DN_H3LzL.js': 'export {}',
  'console/icon.svg': '<svg/>',
  'console/sw.js': 'self',
}
const requested: string[] = []
const assets: Assets = async (name) => {
  requested.push(name)
  const text = FILES[name.replace(/\.(?:br|gz)$/, '')]
  if (text === undefined) return undefined
  return new Uint8Array(name.endsWith('.br') ? brotliCompressSync(text) : gzipSync(text))
}
const { app } = createApp(memoryWorld(), { assets })
const get = (path: string, encodings?: string) =>
  app.request(path, { headers: encodings === undefined ? {} : { 'accept-encoding': encodings } })

describe('GET /console', () => {
  it('serves every page path with the same page, which is never cached', async () => {
    for (const path of ['/console', '/console/', '/console/chat/ses_1', '/console/layers/a/b.md']) {
      const answer = await get(path)
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        200,
        FILES['console/index.html'],
      ])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  it('allows the page no inline code, other origin, frame, or HTML sink', async () => {
    const { headers } = await get('/console')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('lets files with a digest in their name be cached for a year', async () => {
    const { headers } = await get('/console/assets/index-DN_H3LzL.js')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await get('/console/icon.svg')).headers.get('cache-control')).toBe(
      'public, max-age=3600',
    )
  })

  it('lets the service worker serve every page, and makes browsers revalidate it each time', async () => {
    const { status, headers } = await get('/console/sw.js')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers.get('service-worker-allowed')).toBe('/console')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
    const policy = (await get('/console')).headers.get('content-security-policy')
    expect(policy).toMatch(/worker-src 'self'.*trusted-types strata$/)
  })

  it('sends Brotli, gzip, or the plain file, as the request accepts them', async () => {
    const path = '/console/assets/index-DN_H3LzL.js'
    const bodies = [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['identity', null, (bytes: Buffer) => bytes],
      [undefined, null, (bytes: Buffer) => bytes],
    ] as const
    for (const [accepted, encoding, unpack] of bodies) {
      const answer = await get(path, accepted)
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, encoding])
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
      expect(unpack(Buffer.from(await answer.arrayBuffer())).toString()).toBe('export {}')
    }
  })

  it('returns 404 for a file outside the build, and no other name reaches the platform', async () => {
    requested.length = 0
    const wrong = ['..%2fopenapi.json', 'assets/..%2f..%2fopenapi.json', 'assets/%2e%2e', 'assets/']
    for (const path of wrong) await get(`/console/${path}`)
    expect(requested.filter((name) => !name.startsWith('console/index.html'))).toEqual([])
    const answer = await get('/console/assets/index-old.js')
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }])
  })

  it('returns 503 with build instructions where the build is missing', async () => {
    for (const options of [{}, { assets: async () => undefined }]) {
      const answer = await createApp(memoryWorld(), options).app.request('/console/chat')
      expect([answer.status, await answer.text()]).toEqual([
        503,
        expect.stringMatching(/^The console is missing.*Run `npm run build`/),
      ])
    }
  })
})
