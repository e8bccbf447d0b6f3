/**
 * Serves `/console`, the web pages for users. A build compresses each file in two encodings.
 * Requests that accept neither encoding get the unpacked gzip file. A path without a file returns
 * the console page, which reads the path in the browser.
 */

import type { Context } from 'hono'
import type { AssetBody, Assets } from '../assets.ts'
import { refuse } from '../request/problem.ts'
import type { Api, Env } from '../request/route.ts'

/**
 * Content security policy that allows only files of this origin: no inline script or style, no
 * other host, and no frame.
 */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // Allows a single Trusted Types policy, which creates only the service worker's URL.
  'trusted-types strata',
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': CONSOLE_POLICY,
  // A deployment changes the names of console files, so the page that contains these names is never
  // cached.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
const FILE_HEADERS = { 'cross-origin-resource-policy': 'same-origin' }
const YEAR = 'public, max-age=31536000, immutable'
const HOUR = 'public, max-age=3600'

/**
 * File name of the service worker, which is the same in all releases and serves all console pages.
 */
const WORKER = 'sw.js'
const WORKER_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'service-worker-allowed': '/console',
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

const PAGE = 'index.html'
/** Matches console files with a digest in their name, and files next to the console page. */
const FILE = /^(?:assets\/[\w-]+(?:\.[\w-]+)*|[\w-]+)\.(?:css|js|svg|txt)$/

const MISSING =
  'The console is missing from this deployment. Run `npm run build` with the ' +
  'development packages installed, and deploy dist/assets with the server.\n'

type Call = Context<Env>

/** Declares the console routes; without `assets`, the console is unavailable. */
export function consoleRoutes({ app }: Api, assets: Assets | undefined): void {
  app.get('/console', (c) => page(c, assets))
  app.get('/console/*', (c) => {
    const name = c.req.path.slice('/console/'.length)
    return name.startsWith('assets/') || FILE.test(name) ? file(c, assets, name) : page(c, assets)
  })
}

async function page(c: Call, assets: Assets | undefined): Promise<Response> {
  const answer = await assetResponse(c, assets, PAGE, PAGE_HEADERS)
  return answer ?? c.text(MISSING, 503, { 'cache-control': 'no-store' })
}

async function file(c: Call, assets: Assets | undefined, name: string): Promise<Response> {
  const cache = { 'cache-control': name.startsWith('assets/') ? YEAR : HOUR }
  const headers = name === WORKER ? WORKER_HEADERS : cache
  const answer = FILE.test(name) && (await assetResponse(c, assets, name, headers))
  if (!answer) throw refuse('not_found', 'Console file not found.')
  return answer
}

interface Encoded {
  readonly body: AssetBody
  readonly encoding?: 'br' | 'gzip'
}

async function assetResponse(
  c: Call,
  assets: Assets | undefined,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  const asset = assets && (await encoded(assets, name, c.req.header('accept-encoding') ?? ''))
  if (!asset) return undefined
  const { body, encoding } = asset
  return c.body(body, 200, {
    'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    vary: 'accept-encoding',
    ...(encoding && { 'content-encoding': encoding }),
    ...FILE_HEADERS,
    ...headers,
  })
}

async function encoded(
  assets: Assets,
  name: string,
  accepted: string,
): Promise<Encoded | undefined> {
  if (accepts(accepted, 'br')) {
    const body = await assets(`console/${name}.br`)
    if (body !== undefined) return { body, encoding: 'br' }
  }
  const body = await assets(`console/${name}.gz`)
  if (body === undefined) return undefined
  return accepts(accepted, 'gzip') ? { body, encoding: 'gzip' } : { body: unpacked(body) }
}

/** Reports whether an `Accept-Encoding` header accepts the encoding; `gzip;q=0` rejects it. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', quality = ''] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    return name === encoding && !/^q=0(?:\.0*)?$/.test(quality)
  })
}

function unpacked(body: AssetBody): ReadableStream {
  const stream = new Response(body).body ?? new ReadableStream()
  return stream.pipeThrough(new DecompressionStream('gzip'))
}
