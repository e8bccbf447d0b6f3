/**
 * Whoever stands outside: the model, the tool server, the receivers of webhooks. Each keeps a
 * ledger of what really happened to it, which the invariants compare with what the logs say.
 */

import type { Message } from '../../../src/core/message.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { fail, type Outcome, ok } from '../../../src/lib/outcome.ts'
import type {
  ModelAnswer,
  ModelInfo,
  ModelRequest,
  RemoteTool,
  ToolAsks,
  ToolOutcome,
  WebAnswer,
  WebRequest,
} from '../../../src/ports/world.ts'
import { UNTRUSTED } from '../world/canary.ts'
import { FUNCTION } from '../world/functions.ts'
import { commonOf, entryOf, NOTES, wordOf } from '../world/memory.ts'
import type { PlannedCall, PlannedRun } from '../world/operations.ts'
import { type Chance, hash } from '../world/random.ts'

// ── The model ──────────────────────────────────────────────────────────────────────────────────

const PLAN = /^\{"id":"([^"]+)"/

const said = (message: Message): string => {
  if (message.role !== 'user') return ''
  return typeof message.text === 'string' ? message.text : message.text.preview
}

/** Where the last plan stands: what comes before it was said by earlier runs of the session. */
export const planStart = (messages: readonly Message[]): number =>
  messages.findLastIndex((message) => PLAN.test(said(message)))

/** The plans of a conversation, in order. */
export const planIds = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => PLAN.exec(said(message))?.[1] ?? [])

/** The model of some runs: conversations with it are shortened all the time. */
export const SMALL_MODEL = 'sim/small'
const windowOf = (model: string): number => (model === SMALL_MODEL ? 12_000 : 100_000)

/** The first of a chain, and the model that answers when it does not. */
export const CHAIN_MODEL = 'sim/chain'
export const SECOND_MODEL = 'sim/second'
/** A call costs eleven cents. */
const PRICE = { input_per_million: 1_000, output_per_million: 1_000 }
export const CALL_USD = 0.11

/** The models that runs may name. */
export function simModel(reference = 'sim/model'): ModelInfo {
  const found = { id: reference, window: windowOf(reference), price: PRICE }
  if (reference !== CHAIN_MODEL) return found
  return { ...found, fallbacks: [{ id: SECOND_MODEL, window: 100_000, price: PRICE }] }
}

const CONVERSATION = 'Summarize this conversation:'
/** Whether somebody is to summarise, and not to answer. */
export const isCompaction = ({ messages }: ModelRequest): boolean =>
  messages.length === 1 && said(messages[0]!).startsWith(CONVERSATION)

const LASTING = 'Record what to remember'
/** Whether somebody is to say what must last, and not to answer. */
export const isNoting = ({ messages }: ModelRequest): boolean =>
  messages.length === 1 && said(messages[0]!).startsWith(LASTING)

/** Something that nobody has said before. */
export function lastingAnswer({ model }: ModelRequest, chance: Chance): ModelAnswer {
  const content = `- lasting ${chance.int(1_000_000_000)}`
  const given = { tool: 'memory_write', arguments: JSON.stringify({ content, path: NOTES }) }
  const part = { type: 'call', id: 'lasting', provider_id: 'lasting', ...given } as const
  const usage = { input_tokens: 100, output_tokens: 10, model_calls: 1 }
  return { parts: [part], usage, finish: 'calls', model }
}

const SUMMARY = /SUMMARY of (\d+) turns/
/** Whether something is left out of this conversation. */
export const isShortened = (messages: readonly Message[]): boolean =>
  messages.some((message) => said(message).includes('<summary boundary='))

/** A summary says what a model must know to go on: here, how many turns of the last plan are over. */
export function summaryAnswer(request: ModelRequest): ModelAnswer {
  const text = said(request.messages[0]!)
  const own = text.slice(Math.max(0, text.lastIndexOf('user:\n{"id":"')))
  const turns = [...own.matchAll(/in turn (\d+)/g)].map(([, turn]) => Number(turn) + 1)
  const count = Math.max(Number(SUMMARY.exec(own)?.[1] ?? 0), 0, ...turns)
  const part = { type: 'text', text: `${UNTRUSTED} SUMMARY of ${count} turns` } as const
  const usage = { input_tokens: 100, output_tokens: 10, model_calls: 1 }
  return { parts: [part], usage, finish: 'stop', model: request.model }
}

/** The plan that the model is to follow: the conversation's last one. */
export function planned(request: ModelRequest) {
  const start = planStart(request.messages)
  if (start < 0) throw new Error('a conversation contains its task')
  const plan = JSON.parse(said(request.messages[start]!)) as PlannedRun
  const own = request.messages.slice(start)
  const last = own.findLastIndex((message) => SUMMARY.test(said(message)))
  const before = last < 0 ? 0 : Number(SUMMARY.exec(said(own[last]!))![1])
  const turn = before + own.slice(last + 1).filter(({ role }) => role === 'assistant').length
  return { plan, turn, step: plan.steps[turn] }
}

/** What the model says; never twice the same words, like a real one. */
export function modelAnswer(request: ModelRequest, chance: Chance): ModelAnswer {
  const { plan, turn, step } = planned(request)
  const nonce = chance.int(1_000_000)
  const usage = { input_tokens: 100, output_tokens: 10, model_calls: 1 }
  if (!step || request.tools.length === 0) {
    const text = `${UNTRUSTED} ${plan.id} is done in turn ${turn} ${nonce} ${'x'.repeat(plan.length)}`
    return { parts: [{ type: 'text', text }], usage, finish: 'stop', model: request.model }
  }
  const repeats = chance.flip(0.3)
  const parts = step.calls.map((call, index) => {
    // Some providers repeat their ids in every turn, some even within one.
    const id = repeats ? `call_${index % 2}` : `call_${turn}_${index}_${nonce}`
    return { type: 'call', id, provider_id: id, ...asked(call) } as const
  })
  const text = { type: 'text', text: `thinking ${nonce} in turn ${turn}` } as const
  return { parts: [text, ...parts], usage, finish: 'calls', model: request.model }
}

function asked(call: PlannedCall): { tool: string; arguments: string } {
  const { token, behaviour } = call
  const given = JSON.stringify({ token, behaviour })
  switch (call.kind) {
    case 'lookup':
    case 'upsert':
    case 'pay':
    case 'wire':
    case 'vault':
      return { tool: `mcp__sim__${call.kind}`, arguments: given }
    case 'write':
      return {
        tool: 'file_write',
        arguments: JSON.stringify({ path: `${token}.txt`, content: `[${token}]` }),
      }
    case 'edit': {
      const [path, old_text] = [`${call.of}.txt`, `[${call.of}]`]
      const changed = { path, old_text, new_text: `${old_text}(${token})` }
      return { tool: 'file_edit', arguments: JSON.stringify(changed) }
    }
    case 'ask': {
      const asked = { question: `[${token}] yes?`, expires_in_seconds: call.expires }
      return { tool: 'ask_user', arguments: JSON.stringify(asked) }
    }
    case 'function':
      return { tool: FUNCTION, arguments: given }
    case 'todo': {
      const todos = [{ content: token, status: 'pending' }]
      return { tool: 'todo', arguments: JSON.stringify({ todos }) }
    }
    case 'read':
      return { tool: 'file_read', arguments: JSON.stringify({ path: `${token}.txt` }) }
    case 'remember': {
      const content = `${entryOf(token)}\n${commonOf(token)}`
      return { tool: 'memory_write', arguments: JSON.stringify({ path: NOTES, content }) }
    }
    case 'recall': {
      const query = `${wordOf(call.of ?? '')} ${call.of ?? ''}`
      return { tool: 'memory_search', arguments: JSON.stringify({ query, limit: 50 }) }
    }
    case 'malformed':
      return { tool: 'mcp__sim__pay', arguments: given.slice(0, -3) }
    case 'unknown':
      return { tool: 'no_such_tool', arguments: given }
    case 'spawn': {
      const task = JSON.stringify(call.child)
      const run_timeout_seconds = call.timeout ?? 0
      // By its other names a spawn is waited for unless it says no.
      if (call.wait && hash(token) % 2 === 0) {
        const written = { prompt: task, description: token, run_timeout_seconds }
        return { tool: 'Task', arguments: JSON.stringify(written) }
      }
      return {
        tool: 'sessions_spawn',
        arguments: JSON.stringify({
          task,
          label: token,
          run_timeout_seconds,
          ...(call.wait ? { wait: true } : {}),
        }),
      }
    }
  }
}

// ── Tools ──────────────────────────────────────────────────────────────────────────────────────

const TOKEN_SCHEMA = {
  type: 'object',
  properties: { token: { type: 'string' }, behaviour: { type: 'string' } },
  required: ['token', 'behaviour'],
  additionalProperties: false,
}

export const REMOTE_TOOLS: readonly RemoteTool[] = [
  { name: 'lookup', description: 'reads', input_schema: TOKEN_SCHEMA, repeatable: true },
  { name: 'upsert', description: 'writes by key', input_schema: TOKEN_SCHEMA, repeatable: true },
  { name: 'pay', description: 'happens each time', input_schema: TOKEN_SCHEMA, repeatable: false },
  { name: 'wire', description: 'asks a person', input_schema: TOKEN_SCHEMA, repeatable: false },
  { name: 'vault', description: 'asks the user', input_schema: TOKEN_SCHEMA, repeatable: false },
]

/** What the vault asks before it opens; its state says for which token. */
export const vaultAsks = (token: string): ToolAsks => ({
  requests: [
    {
      key: 'pin',
      message: `[${token}] which PIN?`,
      form: { type: 'object', properties: { pin: { type: 'string' } }, required: ['pin'] },
    },
  ],
  state: `state of ${token}`,
})

const HUGE = 'y'.repeat(40_000)

/** `when` makes each answer another one, like that of a real tool. */
export function toolAnswer(given: Record<string, unknown>, when: number): ToolOutcome {
  const { token, behaviour } = given as { token: string; behaviour: string }
  if (behaviour === 'fails') return { text: `${UNTRUSTED} refused ${token}`, is_error: true }
  const rest = behaviour === 'huge' ? HUGE : ''
  if (behaviour === 'picture') {
    const text = `${UNTRUSTED} picture of ${token} at ${when}`
    const media = [{ media_type: 'image/png', data: encode(`PNG ${token} ${when}`) }] as const
    return { text, media, is_error: false }
  }
  return { text: `${UNTRUSTED} result of ${token} at ${when} ${rest}`, is_error: false }
}

// ── Receivers ──────────────────────────────────────────────────────────────────────────────────

const HOUR = 3_600_000

/** How a receiver answers at a time (ms since the world began), faults aside. */
export function receiverAnswer(
  url: string,
  now: number,
  chance: Chance,
): Outcome<WebAnswer, string> {
  const answer = (status: number, headers: Record<string, string> = {}) =>
    ok({ status, headers, body: 'thanks' })
  switch (new URL(url).hostname.split('.')[0]) {
    case 'flapping':
      // Down for hours, then up for hours.
      return Math.floor(now / (3 * HOUR)) % 2 === 0 && chance.flip(0.8) ? answer(503) : answer(200)
    case 'gone':
      return chance.flip(0.5) ? answer(410) : answer(500)
    case 'busy':
      return chance.flip(0.5) ? answer(429, { 'retry-after': '90' }) : answer(204)
    case 'moved':
      return chance.flip(0.7)
        ? answer(302, { location: 'https://elsewhere.example/' })
        : answer(200)
    case 'down':
      return fail('the connection was refused')
    default:
      return answer(200)
  }
}
const _isPost = (request: WebRequest): boolean => request.method === 'POST'
