/** HTTP as bytes on a socket, for requests that no client library would send. */

import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface RawRequest {
  readonly method?: string
  /** As it stands in the request line: nothing is encoded or resolved. */
  readonly path: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string | Buffer
}

/** Sends it on a connection of its own and reads the first answer. */
export async function raw(
  target: { readonly url: string; readonly key: string },
  request: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(target.url)
  const given = request.headers ?? []
  const has = (name: string) => given.some(([one]) => one.toLowerCase() === name)
  const body = Buffer.from(request.body ?? '')
  const headers = [
    ...(has('host') ? [] : [['Host', `${hostname}:${port}`]]),
    ['Connection', 'close'],
    ...(has('authorization') ? [] : [['Authorization', `Bearer ${target.key}`]]),
    ...(has('content-length') || has('transfer-encoding')
      ? []
      : [['Content-Length', String(body.length)]]),
    ...given,
  ]
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  // A server that has answered may close before everything was sent.
  socket.on('error', () => undefined)
  socket.write(`${request.method ?? 'GET'} ${request.path} HTTP/1.1\r\n${head}\r\n`)
  socket.write(body)
  await new Promise((resolve) => socket.once('close', resolve))
  return parse(text)
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const
    }),
  )
  return { status: Number(line.split(' ')[1]), headers, body: text.slice(end + 4) }
}

/** A body in chunks, without a length. */
export function chunked(body: string, size = 16_384): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = Buffer.from(body.slice(at, at + size))
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
