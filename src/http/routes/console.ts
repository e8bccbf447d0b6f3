/**
 * `/console`: the page where people work. Its files are built from src/console and served by the
 * host; every address below it that names no file is a page of the app, which finds it itself.
 */

import type { Context } from 'hono'
import { refuse } from '../problem.ts'
import type { Api } from '../route.ts'

/** A file of the built app. */
export interface ConsoleFile {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream
  /** Compressed, because whoever asks takes it so. */
  readonly encoding?: 'gzip'
}
export interface ConsoleFiles {
  /** Undefined: there is none of this name. */
  read(name: string, takesGzip: boolean): Promise<ConsoleFile | undefined>
}

/** Nothing but files of its own; styles of text come from the page's own style sheets. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
}

const INDEX = 'index.html'
/** Addresses of the app may end with the path of a file of a layer, such as `layers/base/AGENTS.md`. */
const FILE = /^(?:assets\/.+|[^/]+)\.\w+$/
const YEAR = 'public, max-age=31536000, immutable'

/** `files` undefined: this deployment has none, and says so. */
export function consoleRoutes({ app }: Api, files: ConsoleFiles | undefined): void {
  app.get('/console', (c) => page(c, files))
  app.get('/console/*', (c) => {
    const name = c.req.path.slice('/console/'.length)
    return FILE.test(name) ? file(c, files, name) : page(c, files)
  })
}

async function page(c: Context, files: ConsoleFiles | undefined): Promise<Response> {
  const found = await answered(c, files, INDEX, {
    'content-security-policy': CONSOLE_POLICY,
    // A deployment brings new names of files; the page that names them is asked for each time.
    'cache-control': 'no-cache',
  })
  if (found) return found
  const text = 'The console is not part of this deployment. `npm run build:console` builds it.'
  return c.text(text, 404)
}

async function file(c: Context, files: ConsoleFiles | undefined, name: string): Promise<Response> {
  // Names in this folder are digests of their content.
  const kept = name.startsWith('assets/') ? { 'cache-control': YEAR } : {}
  const found = await answered(c, files, name, kept)
  if (!found) throw refuse('not_found', 'The console has no such file.')
  return found
}

async function answered(
  c: Context,
  files: ConsoleFiles | undefined,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  const ending = name.slice(name.lastIndexOf('.') + 1)
  const type = TYPES[ending]
  if (!files || type === undefined) return undefined
  const takesGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  const found = await files.read(name, takesGzip)
  if (found === undefined) return undefined
  const encoding = found.encoding ? { 'content-encoding': found.encoding } : {}
  const own = { 'content-type': type, vary: 'accept-encoding', ...encoding }
  return c.body(found.body, 200, { ...own, ...headers })
}
