/**
 * A provider's published wire format, replayed by a server on loopback: the same promises for each,
 * spoken in its own dialect. Nothing of the vendor's is mocked but the vendor.
 */

import type { ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../../src/hosts/models/model.ts'
import { modelFetch } from '../../../../../src/hosts/node/model-fetch.ts'
import type { ModelRequest } from '../../../../../src/ports/world.ts'
import { type Received, sse, startCannedServer } from '../../../../support/canned-server.ts'
import { cleanup } from '../../../../support/cleanup.ts'
import { ask, request } from '../../../../support/model-port.ts'
import { PNG } from '../../../../support/pictures.ts'
import { PDF } from '../../../../support/site.ts'

export const KEY = 'wire-key-0123456789'

/** What a provider is told to be; `base_url` is below the server's origin. */
export interface Wire {
  readonly provider: Readonly<Record<string, unknown>>
  readonly base: string
  readonly model: string
  readonly connect?: (origin: string) => typeof fetch
}

type Reply = (response: ServerResponse, received: Received) => void

export async function wired(wire: Wire, reply: Reply) {
  const server = await startCannedServer((received, response) => reply(response, received))
  cleanup.push(server.close)
  const provider = { ...wire.provider, base_url: `${server.origin}${wire.base}` }
  const STRATA_PROVIDERS = JSON.stringify({ providers: { p: provider } })
  const config = modelConfigFromEnv({ STRATA_PROVIDERS }, { role: true })
  const credentials = async () => ({ accessKeyId: 'AKIDROLE', secretAccessKey: 'role-secret' })
  const connect = wire.connect?.(server.origin) ?? modelFetch()
  const model = createModel(config, connect, undefined, { credentials })
  const say = (more: Partial<ModelRequest> = {}) =>
    ask(model, request('hi', { model: `p/${wire.model}`, ...more }))
  return { server, say, sent: () => JSON.parse(server.received.at(-1)?.body ?? '{}') }
}

export const events =
  (list: readonly unknown[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(sse(list))
  }

export const refuses =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** How often something stands in a request, as it is. */
function count(within: unknown, wanted: unknown): number {
  if (isDeepStrictEqual(within, wanted)) return 1
  if (within === null || typeof within !== 'object') return 0
  return Object.values(within).reduce<number>((sum, one) => sum + count(one, wanted), 0)
}

export interface Dialect {
  /** Thinks `hm`, says `Hel` and `lo`; 12 tokens in, 8 of them cached; 5 out, 2 of them thought. */
  readonly text: Reply
  /** Calls `file_read` with `{"path":"a"}`, in pieces. */
  readonly call: Reply
  /** Declines; absent: the format has no way to say so. */
  readonly refusal?: Reply
  /** 429, with `retry-after: 7`. */
  readonly busy: Reply
  readonly tooLong: Reply
  /** 401 or 403, and it quotes the key. */
  readonly badKey: Reply
  /** An error in the middle of a stream. */
  readonly breaks?: Reply
  /** The objects in which a picture and a PDF file stand, their bytes in base64. */
  readonly picture: (base64: string) => unknown
  readonly pdf: (base64: string) => unknown
}

export function wireSuite(name: string, wire: Wire, dialect: Dialect): void {
  describe(`${name} on the wire`, () => {
    it('streams reasoning and text, and reports cached and reasoning tokens', async () => {
      const { say } = await wired(wire, dialect.text)
      const { answer, deltas } = await say()
      expect(answer).toMatchObject({
        ok: true,
        value: {
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Hello' },
          ],
          finish: 'stop',
          usage: { input_tokens: 12, output_tokens: 5, cache_read_tokens: 8 },
        },
      })
      expect(deltas.filter(({ type }) => type === 'text').map(({ text }) => text)).toEqual([
        'Hel',
        'lo',
      ])
    })

    it('calls a tool with its arguments', async () => {
      const { say } = await wired(wire, dialect.call)
      const { answer } = await say()
      const calls = answer.ok ? answer.value.parts.filter(({ type }) => type === 'call') : []
      expect(calls).toMatchObject([{ tool: 'file_read' }])
      expect(calls.map((one) => JSON.parse((one as { arguments: string }).arguments))).toEqual([
        { path: 'a' },
      ])
      expect(answer).toMatchObject({ ok: true, value: { finish: 'calls' } })
    })

    it('sends pictures and PDF files, from a message and from a result', async () => {
      const { say, sent } = await wired(wire, dialect.text)
      const image = { media_type: 'image/png', name: 'red.png', data: new Uint8Array(PNG) } as const
      const file = {
        media_type: 'application/pdf',
        name: 'a.pdf',
        data: new Uint8Array(PDF),
      } as const
      const call = { type: 'call', id: 'call_1', provider_id: 'call_1', tool: 'file_read' } as const
      const result = { call: 'call_1', tool: 'file_read', text: '[image]', is_error: false }
      await say({
        messages: [
          { role: 'user', text: 'Look.', media: [image, file] },
          { role: 'assistant', parts: [{ ...call, arguments: '{}' }] },
          { role: 'tool', results: [{ ...result, media: [image] }] },
        ],
      })
      expect(count(sent(), dialect.picture(PNG.toString('base64')))).toBe(2)
      expect(count(sent(), dialect.pdf(PDF.toString('base64')))).toBe(1)
    })

    if (dialect.refusal)
      it('reports that the model has declined', async () => {
        const { say } = await wired(wire, dialect.refusal!)
        expect((await say()).answer).toMatchObject({ ok: true, value: { finish: 'refusal' } })
      })

    it('429 is rate-limited, and may be retried when the vendor allows', async () => {
      const { say } = await wired(wire, dialect.busy)
      expect((await say()).answer).toMatchObject({
        ok: false,
        error: { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 },
      })
    })

    it('a conversation beyond the window is too long', async () => {
      const { say } = await wired(wire, dialect.tooLong)
      expect((await say()).answer).toMatchObject({ ok: false, error: { code: 'too_long' } })
    })

    it('a refused key is never quoted', async () => {
      const { say } = await wired(wire, dialect.badKey)
      const { answer } = await say()
      expect(answer).toMatchObject({ ok: false, error: { code: 'unauthorized' } })
      expect(JSON.stringify(answer)).not.toContain(KEY)
    })

    if (dialect.breaks)
      it('an error within the stream is a failure, not an answer', async () => {
        const { say } = await wired(wire, dialect.breaks!)
        expect((await say()).answer).toMatchObject({ ok: false, error: { retryable: true } })
      })
  })
}
