/** Pages of other origins: each a server of its own with one page, whose script is `page.ts`. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { installed } from '../support/install.ts'
import type { Open } from '../support/launch.ts'

const CLIENTS = join(import.meta.dirname, '../clients')

const HTML =
  '<!doctype html><meta charset="utf-8"><title>elsewhere</title><link rel="icon" href="data:,">' +
  '<ol></ol><output></output><script type="module" src="/page.js"></script>'

/** The script with both clients in it. */
export async function pageScript(): Promise<string> {
  installed(CLIENTS)
  const { outputFiles } = await build({
    entryPoints: [join(CLIENTS, 'programs/page.ts')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]!.text
}

/** Returns its origin. */
export async function openOrigin(script: string, open: Open): Promise<string> {
  const server = createServer(({ url }, response) => {
    const [type, body] = url === '/page.js' ? ['text/javascript', script] : ['text/html', HTML]
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
