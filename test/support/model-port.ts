/** The model port before real HTTP servers: the scripted one, or one that plays a vendor. */

import type { ServerResponse } from 'node:http'
import { modelConfigFromEnv } from '../../src/hosts/models/config.ts'
import { createModel } from '../../src/hosts/models/model.ts'
import { modelFetch } from '../../src/hosts/node/model-fetch.ts'
import { ok } from '../../src/lib/outcome.ts'
import type { Delta, Model, ModelRequest, TenantKeys } from '../../src/ports/world.ts'
import { sse, startCannedServer } from './canned-server.ts'
import { cleanup } from './cleanup.ts'
import { startModelServer } from './model-server.ts'

/** A tenant without keys of its own. */
export const NO_KEYS: TenantKeys = async () => ok(undefined)

export const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'gpt',
  system: 'You are terse.',
  messages: [{ role: 'user', text }],
  tools: [{ name: 'file_read', description: 'Reads.', input_schema: { type: 'object' } }],
  ...more,
})

export function ask(model: Model, what: ModelRequest, signal = new AbortController().signal) {
  const deltas: Delta[] = []
  const onDelta = (delta: Delta) => deltas.push(delta)
  const answered = model.respond(what, { signal, onDelta, keys: NO_KEYS })
  return answered.then((answer) => ({ answer, deltas }))
}

/** The model port before a scripted server, reached as on Node unless another `fetch` is given. */
export async function scripted(connect: typeof fetch = modelFetch()) {
  const server = await startModelServer()
  cleanup.push(server.close)
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-very-secret' }
  return { server, model: createModel(modelConfigFromEnv(env), connect) }
}

/** The model port before answers of the test's own, spoken in a vendor's dialect. */
export async function canned(
  kind: 'anthropic' | 'openai' | 'openai-compatible',
  handler: (response: ServerResponse, call: number) => void,
) {
  let call = 0
  const server = await startCannedServer((_, response) => handler(response, call++))
  cleanup.push(server.close)
  const provider = { kind, base_url: `${server.origin}/v1`, key: 'sk-very-secret' }
  const config = {
    providers: { p: provider },
    aliases: {},
    builtin: {},
    default: 'p/m-1',
    models: {},
  }
  const model = createModel(config, modelFetch())
  return { server, model, request: (text: string) => request(text, { model: 'p/m-1' }) }
}

export const stream = (response: ServerResponse, events: readonly unknown[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(sse(events))
}
