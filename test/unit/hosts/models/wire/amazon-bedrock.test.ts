/**
 * Amazon Bedrock's ConverseStream.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html (the encoding of
 * event streams) and https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 * (read 2026-11-23).
 */

import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { type Dialect, KEY, refuses, wired, wireSuite } from './wire.ts'

const header = (name: string, value: string): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([
    ...[Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length],
    Buffer.from(value),
  ])
}
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** One message: prelude, its checksum, headers, payload, checksum of all. */
function frame([type, payload]: readonly [string, object], kind = 'event'): Buffer {
  const headers = Buffer.concat([
    header(kind === 'event' ? ':event-type' : ':exception-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.concat([word(headers.length + body.length + 16), word(headers.length)])
  const message = Buffer.concat([prelude, word(crc32(prelude)), headers, body])
  return Buffer.concat([message, word(crc32(message))])
}

const stream =
  (...frames: readonly Buffer[]): Dialect['text'] =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    response.end(Buffer.concat(frames))
  }
type Event = readonly [string, object]
const plays = (...list: readonly Event[]) => stream(...list.map((one) => frame(one)))

const start: Event = ['messageStart', { role: 'assistant' }]
const delta = (contentBlockIndex: number, of: object): Event => [
  'contentBlockDelta',
  { contentBlockIndex, delta: of },
]
const stop = (contentBlockIndex: number): Event => ['contentBlockStop', { contentBlockIndex }]
const end = (stopReason: string): readonly Event[] => [
  ['messageStop', { stopReason }],
  [
    'metadata',
    {
      usage: { inputTokens: 4, cacheReadInputTokens: 8, outputTokens: 5, totalTokens: 17 },
      metrics: { latencyMs: 9 },
    },
  ],
]

const WIRE = {
  provider: { kind: 'amazon-bedrock', region: 'eu-central-1', key: KEY },
  base: '',
  model: 'eu.anthropic.claude-sonnet-5-5',
}
const TEXT = plays(
  start,
  delta(0, { reasoningContent: { text: 'hm' } }),
  delta(0, { reasoningContent: { signature: 'EqQB' } }),
  stop(0),
  delta(1, { text: 'Hel' }),
  delta(1, { text: 'lo' }),
  stop(1),
  ...end('end_turn'),
)

wireSuite('amazon-bedrock', WIRE, {
  text: TEXT,
  call: plays(
    start,
    [
      'contentBlockStart',
      { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'tooluse_1', name: 'file_read' } } },
    ],
    delta(0, { toolUse: { input: '{"path":' } }),
    delta(0, { toolUse: { input: '"a"}' } }),
    stop(0),
    ...end('tool_use'),
  ),
  refusal: plays(start, ...end('content_filtered')),
  busy: refuses(429, { message: 'Too many requests' }, { 'retry-after': '7' }),
  tooLong: refuses(400, { message: 'Input is too long for requested model.' }),
  picture: (bytes) => ({ format: 'png', source: { bytes } }),
  pdf: (bytes) => ({ format: 'pdf', name: 'a', source: { bytes } }),
  badKey: refuses(403, { message: `The token ${KEY} is invalid` }),
  breaks: stream(
    frame(start),
    frame(['modelStreamErrorException', { message: 'it broke' }], 'exception'),
  ),
})

it('the role of the process signs each request when there is no key', async () => {
  const { key: _, ...provider } = WIRE.provider
  const { say, server } = await wired({ ...WIRE, provider }, TEXT)
  expect((await say()).answer).toMatchObject({ ok: true })
  expect(server.received[0]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDROLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request/,
  )
})

it('cache points follow the prompt and the conversation, for models that support them', async () => {
  const point = { cachePoint: { type: 'default' } }
  const { say, sent } = await wired(WIRE, TEXT)
  await say()
  expect(sent().system).toEqual([{ text: 'You are terse.' }, point])
  expect(sent().messages.at(-1).content).toEqual([{ text: 'hi' }, point])
  const other = await wired({ ...WIRE, model: 'meta.llama3-1-8b-instruct-v1:0' }, TEXT)
  await other.say()
  expect(JSON.stringify(other.sent())).not.toContain('cachePoint')
})
