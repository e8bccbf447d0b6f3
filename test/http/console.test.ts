/** The addresses below /console: files of the build by their names, pages of the app for all others. */

import { expect, it } from 'vitest'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'

const FILES: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html>',
  'icon.svg': '<svg/>',
  'assets/app-1.js': 'export {}',
}
const { app } = createApp(memoryWorld(), {
  console: {
    read: async (name) =>
      FILES[name] === undefined ? undefined : { body: new TextEncoder().encode(FILES[name]) },
  },
})
const get = async (path: string) => {
  const response = await app.request(path)
  return [response.status, response.status === 200 ? await response.text() : undefined]
}

it('give the page for any address of the app, one that ends as a file of a layer too', async () => {
  for (const path of [
    ...['/console', '/console/runs', '/console/layers/base/.agents/config.toml'],
    ...['/console/layers/base/AGENTS.md', '/console/layers/repos/shop/app.js'],
  ])
    expect([path, await get(path)]).toEqual([path, [200, '<!doctype html>']])
})

it('give files by their names, and no page in the place of one that is gone', async () => {
  expect(await get('/console/icon.svg')).toEqual([200, '<svg/>'])
  expect(await get('/console/assets/app-1.js')).toEqual([200, 'export {}'])
  expect(await get('/console/assets/app-0.js')).toEqual([404, undefined])
  expect(await get('/console/other.js')).toEqual([404, undefined])
})

it('let the page run scripts of its own alone, and be asked for anew each time', async () => {
  const { headers } = await app.request('/console/runs')
  expect(headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'")
  expect(headers.get('cache-control')).toBe('no-cache')
  const script = await app.request('/console/assets/app-1.js')
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})
