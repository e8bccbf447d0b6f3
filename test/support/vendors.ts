/** A provider on loopback that speaks a vendor's dialect, for runs through a real server. */

import type { ServerResponse } from 'node:http'
import type { ModelConfig, ProviderConfig } from '../../src/hosts/models/config.ts'
import { sse, startCannedServer } from './canned-server.ts'
import { cleanup } from './cleanup.ts'
import { type NodeApi, startNodeApi } from './node-api.ts'

/** The dialects that it speaks. */
type Spoke = 'openai' | 'openai-compatible' | 'anthropic'

/** What it says: a text, a call of a tool, or a refusal. */
export type Said =
  | { readonly text: string }
  | { readonly tool: string; readonly arguments: object }
  | { readonly status: number; readonly message: string }

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Sent = any

export interface Vendor {
  readonly api: NodeApi
  /** The bodies of the requests so far. */
  readonly sent: readonly Sent[]
}

/** A server whose only provider is this one. */
export async function startVendor(
  provider: Pick<ProviderConfig, 'structured_outputs'> & { readonly kind: Spoke },
  says: (sent: Sent, call: number) => Said,
): Promise<Vendor> {
  const sent: Sent[] = []
  const server = await startCannedServer(({ body }, response) => {
    const asked = JSON.parse(body)
    const said = says(asked, sent.push(asked) - 1)
    if ('status' in said) return refuse(response, said)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(sse(DIALECTS[provider.kind](said)))
  })
  cleanup.push(server.close)
  const p = { ...provider, base_url: `${server.origin}/v1`, key: 'sk-very-secret' }
  const models: ModelConfig = {
    providers: { p },
    aliases: {},
    builtin: {},
    default: 'p/m-1',
    models: {},
  }
  return { api: await startNodeApi({}, models), sent }
}

function refuse(
  response: ServerResponse,
  { status, message }: { status: number; message: string },
) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
}

type Spoken = Exclude<Said, { readonly status: number }>

const DIALECTS: Readonly<Record<Spoke, (said: Spoken) => readonly object[]>> = {
  'openai-compatible': (said) => [
    'text' in said
      ? { choices: [{ delta: { content: said.text }, finish_reason: 'stop' }] }
      : {
          choices: [
            {
              delta: { tool_calls: [{ index: 0, id: 'call_1', function: functionOf(said) }] },
              finish_reason: 'tool_calls',
            },
          ],
        },
  ],
  openai: (said) => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed' }
    const item =
      'text' in said ? { type: 'message', id: 'msg_1' } : { ...call, ...functionOf(said) }
    const delta = { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0 }
    return [
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'm-1' } },
      { type: 'response.output_item.added', output_index: 0, item },
      ...('text' in said ? [{ ...delta, delta: said.text }] : []),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { usage: { input_tokens: 30, output_tokens: 7 } } },
    ]
  },
  anthropic: (said) => {
    const usage = { input_tokens: 30, output_tokens: 1 }
    const [block, delta] =
      'text' in said
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: said.text },
          ]
        : [
            { type: 'tool_use', id: 'call_1', name: said.tool, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(said.arguments) },
          ]
    const stop_reason = 'text' in said ? 'end_turn' : 'tool_use'
    return [
      { type: 'message_start', message: { id: 'm', model: 'm-1', usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ]
  },
}

const functionOf = (said: { readonly tool: string; readonly arguments: object }) => ({
  name: said.tool,
  arguments: JSON.stringify(said.arguments),
})
