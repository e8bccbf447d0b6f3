/**
 * Peers that never answer, answer for ever, or answer absurdly, by name. Each is a server of one
 * behaviour (`startHostilePeer`), whatever it is asked: a webhook's receiver, an MCP server or a
 * model's provider that has gone wrong or was made to.
 */

import { gzipSync } from 'node:zlib'
import { type Behaviour, drip, forever } from './peer.ts'

export { FLOOD_NAMES, FLOODS, inTurn } from './floods.ts'
export { type Asked, type Behaviour, type HostilePeer, startHostilePeer } from './peer.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const EVENTS = `${OK}content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`
const CHUNKED = `${OK}${JSON_TYPE}transfer-encoding: chunked\r\n\r\n`
const chunk = (bytes: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
const KB = 'x'.repeat(1_024)
const LOT = chunk('x'.repeat(65_536))
/** Empty blocks of deflate: it goes on for ever and means nothing. */
const EMPTY_BLOCKS = Buffer.alloc(10_000, Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]))
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

const peer = (what: string, act: Behaviour['act'], more: Partial<Behaviour> = {}): Behaviour => ({
  what,
  act,
  ...more,
})
/** Returns a source of headers, each of a name of its own. */
function headers(): () => string {
  let count = 0
  return () => `x-${(count += 1)}: y\r\n`
}
const GZIPPED = `${OK}${JSON_TYPE}content-encoding: gzip\r\n`

export const HOSTILE = {
  'accepts-silently': peer('accepts the connection and never says a word', () => {}),
  'tls-hangs': peer('never begins the TLS handshake', () => {}, { eager: true, tls: true }),
  'tls-garbage': peer('answers the TLS handshake with noise', (s) => forever(s, () => KB), {
    eager: true,
    tls: true,
  }),

  'switches-protocols': peer('101 with an upgrade', (s) => {
    s.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  }),
  'switches-and-talks': peer('101, then a stream of its own', (s) => {
    s.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n')
    forever(s, () => KB)
  }),
  'switches-to-nothing': peer('101 without an upgrade', (s) => {
    s.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  }),
  'upgrades-with-200': peer('200 with upgrade headers, no end', (s) => {
    s.write(`${OK}connection: upgrade\r\nupgrade: websocket\r\n\r\n`)
  }),

  'continues-for-ever': peer('100 again and again', (s) => {
    forever(s, () => 'HTTP/1.1 100 Continue\r\n\r\n')
  }),
  'processes-for-ever': peer('102, now and then, for ever', (s) => {
    drip(s, () => 'HTTP/1.1 102 Processing\r\n\r\n')
  }),
  'hints-for-ever': peer('103 with links again and again', (s) => {
    forever(s, () => `HTTP/1.1 103 Early Hints\r\nlink: </${KB}>\r\n\r\n`)
  }),

  'ends-at-once': peer('ends its side before the answer', (s) => void s.end()),
  'ends-on-connect': peer('ends its side when somebody connects', (s) => void s.end(), {
    eager: true,
  }),
  'resets-on-connect': peer('resets when somebody connects', (s) => void s.resetAndDestroy(), {
    eager: true,
  }),
  'resets-before-answer': peer('resets before the answer', (s) => void s.resetAndDestroy()),
  'ends-in-head': peer('ends after half a head', (s) => void s.end(`${OK}content-le`)),
  'resets-in-head': peer('resets after half a head', (s) => {
    s.write(`${OK}content-le`, () => s.resetAndDestroy())
  }),
  'head-never-ends': peer('a head of endless headers', (s) => {
    s.write(OK)
    forever(s, headers())
  }),
  'head-drips': peer('a head that drips', (s) => {
    s.write(OK)
    drip(s, () => 'x')
  }),
  'head-of-one-line': peer('a status line that never ends', (s) => {
    s.write('HTTP/1.1 200 ')
    forever(s, () => KB)
  }),

  'ends-in-body': peer('ends in the middle of the body', (s) => {
    s.end(`${OK}${JSON_TYPE}content-length: 1000\r\n\r\n{"half":`)
  }),
  'resets-in-body': peer('resets in the middle of the body', (s) => {
    s.write(`${OK}${JSON_TYPE}content-length: 1000\r\n\r\n{"half":`, () => s.resetAndDestroy())
  }),
  'body-never-comes': peer('promises a body and sends none', (s) => {
    s.write(`${OK}${JSON_TYPE}content-length: 1000\r\n\r\n`)
  }),
  'body-drips': peer('a body that drips for ever', (s) => {
    s.write(CHUNKED)
    drip(s, () => chunk(' '))
  }),
  'body-never-ends': peer('a body that never ends', (s) => {
    s.write(CHUNKED)
    forever(s, () => LOT)
  }),
  'body-until-close': peer('a body without a length, never closed', (s) => {
    s.write(`HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n`)
    forever(s, () => LOT)
  }),
  'last-chunk-missing': peer('a chunked body whose end is missing', (s) => {
    s.write(CHUNKED)
    s.write(chunk('{}'))
  }),
  'chunk-extension-never-ends': peer('an extension of a chunk that never ends', (s) => {
    s.write(CHUNKED)
    s.write('5;')
    forever(s, () => KB)
  }),
  'chunk-size-absurd': peer('a chunk larger than any number', (s) => {
    s.write(CHUNKED)
    s.write('ffffffffffffffffffffffff\r\n')
  }),
  'trailers-never-end': peer('trailers without an end', (s) => {
    s.write(`${CHUNKED}2\r\n{}\r\n0\r\n`)
    forever(s, headers())
  }),
  'trailers-drip': peer('trailers that drip', (s) => {
    s.write(`${CHUNKED}2\r\n{}\r\n0\r\n`)
    drip(s, () => 'x')
  }),
  'events-drip': peer('an event stream of comments', (s) => {
    s.write(EVENTS)
    drip(s, () => chunk(': still here\n\n'))
  }),
  'events-never-end': peer('an event stream of nothing, at full speed', (s) => {
    s.write(EVENTS)
    forever(s, () => chunk(': still here\n\n'.repeat(1_000)))
  }),
  'event-of-one-line': peer('one line of an event that never ends', (s) => {
    s.write(EVENTS)
    s.write(chunk('data: '))
    forever(s, () => LOT)
  }),

  'gzip-never-ends': peer('compressed nothing for ever', (s) => {
    s.write(`${GZIPPED}\r\n`)
    s.write(GZIP_HEAD)
    forever(s, () => EMPTY_BLOCKS)
  }),
  'gzip-bomb': peer('a gigabyte of blanks in a megabyte', (s) => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576, ' '))
    s.write(`${GZIPPED}content-length: ${16 * bomb.length}\r\n\r\n`)
    for (let i = 0; i < 16; i += 1) s.write(bomb)
  }),
  'gzip-garbage': peer('says gzip and sends noise', (s) => {
    s.write(`${GZIPPED}content-length: 1024\r\n\r\n${KB}`)
  }),

  'answers-first': peer(
    'answers before it is asked',
    (s) => {
      s.write(`${OK}content-length: 2\r\n\r\n{}`)
    },
    { eager: true },
  ),
  'answers-twice': peer('two answers to one request, then silence', (s) => {
    s.write(`${OK}${JSON_TYPE}content-length: 2\r\n\r\n{}${OK}content-length: 9\r\n\r\n`)
  }),
  'http-0.9': peer('a page without a head', (s) => void s.write('<html>hello</html>\n')),
  'http-2': peer('speaks HTTP/2', (s) => {
    s.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))
  }),
  'another-protocol': peer('greets as a mail server', (s) => void s.write('220 mail ESMTP\r\n'), {
    eager: true,
  }),
  'two-lengths': peer('two content-lengths that differ', (s) => {
    s.write(`${OK}content-length: 2\r\ncontent-length: 200\r\n\r\n{}`)
  }),
  'length-and-chunks': peer('a length and chunks', (s) => {
    s.write(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n5\r\n`)
  }),
  'length-negative': peer('a negative length', (s) => {
    s.write(`${OK}content-length: -1\r\n\r\n`)
  }),
  'status-absurd': peer('a status that is none', (s) => {
    s.write('HTTP/1.1 999 Whatever\r\ncontent-length: 2\r\n\r\n{}')
  }),
  'no-content-with-body': peer('204 and yet a body without end', (s) => {
    s.write('HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n')
    forever(s, () => LOT)
  }),
  'error-never-ends': peer('500 with a body that never ends', (s) => {
    s.write(`HTTP/1.1 500 No\r\n${JSON_TYPE}transfer-encoding: chunked\r\n\r\n`)
    forever(s, () => LOT)
  }),
  'redirects-and-drips': peer('a redirect whose body drips', (s) => {
    s.write('HTTP/1.1 302 Found\r\nlocation: /\r\ntransfer-encoding: chunked\r\n\r\n')
    drip(s, () => chunk('x'))
  }),
} as const satisfies Readonly<Record<string, Behaviour>>

export type HostileName = keyof typeof HOSTILE
export const HOSTILE_NAMES = Object.keys(HOSTILE) as HostileName[]

/** One peer of each kind, which the gate meets; `FULL=1` meets all of them. */
export const HOSTILE_KINDS: readonly HostileName[] = [
  'accepts-silently',
  'tls-hangs',
  'switches-and-talks',
  'hints-for-ever',
  'resets-in-head',
  'head-drips',
  'body-never-ends',
  'event-of-one-line',
  'gzip-never-ends',
  'two-lengths',
  'redirects-and-drips',
]
