/**
 * A proxy in front of a server, which a scenario stops and starts under the same address, and which
 * can answer as another release of the console.
 */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Client, clientOf, type Open } from '../support/launch.ts'

export interface Front extends Client {
  /** From here on no server answers. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Names of the console's files end with these letters from here on, and earlier names are 404. */
  release(letters: string): void
}

const ASSET = /(assets\/[\w-]+?-[\w-]{8})(\.(?:js|css))/g
/** Chunks name each other without their folder. */
const CHUNK = /(\.\/[\w-]+-[\w-]{8})(\.js)/g

export async function openFront({ url, key }: Client, open: Open): Promise<Front> {
  let letters = ''
  const serve = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const { pathname } = new URL(incoming.url ?? '/', url)
    const original = pathname.replace(`${letters}.`, '.')
    const isFile = /^\/console(?:\/|$)/.test(pathname) && letters !== ''
    const isEarlier = isFile && pathname.includes('/assets/') && original === pathname
    const headers = { ...incoming.headers, ...(isFile && { 'accept-encoding': 'identity' }) }
    const path = isFile ? original : incoming.url
    const upstream = request(url, { path, method: incoming.method, headers }, (response) => {
      response.on('error', () => answer.destroy())
      const { statusCode = 502 } = response
      const status = isEarlier ? 404 : statusCode
      if (isFile) void renamed(response, status, answer).catch(() => answer.destroy())
      else response.pipe(answer.writeHead(status, response.headers))
    })
    upstream.on('error', () => answer.destroy())
    answer.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  }
  const renamed = async (response: IncomingMessage, status: number, answer: ServerResponse) => {
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = response.headers
    const content = (await text(response)).replaceAll(ASSET, `$1${letters}$2`)
    answer.writeHead(status, headers).end(content.replaceAll(CHUNK, `$1${letters}$2`))
  }
  const server = createServer(serve)
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  open.push(stop)
  return {
    ...clientOf(`http://127.0.0.1:${port}`, key),
    ...{ stop, start: () => listen(port) },
    release: (next) => {
      letters = next
    },
  }
}
