/**
 * Questions of servers to the user (elicitation). A server that sends questions instead of a result
 * (`input_required`) gets the answers of a person, if one is available, and the call continues
 * later. Servers of older revisions ask during a call, which cannot outlive its process. The
 * handshake therefore offers them no elicitation; questions sent anyway are declined, and the model
 * reads them.
 */

import {
  type Client,
  isInputRequiredResult,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { LIMITS } from '../../core/limits.ts'
import { propertiesOf } from '../../core/run/human-input/reply.ts'
import type { ServerRequest } from '../../core/run/log/question-facts.ts'
import { isMap } from '../../core/tools/schema-values.ts'
import { quoteText, visible } from '../../lib/invisible-characters.ts'
import { exceeds } from '../../lib/shape.ts'
import { wellFormed, wellFormedIn } from '../../lib/well-formed.ts'
import type { ToolAsks, ToolOutcome } from '../../ports/world.ts'
import { listening } from './listening.ts'
import { MOST_LEVELS } from './tool-judge.ts'

/** Question of a server to the user, with the page that a person would open. */
interface Elicited {
  readonly message: string
  readonly url: string | undefined
}

const METHOD = 'elicitation/create'
/** Maximum number of questions stored per call; further questions are only declined. */
const MAX_QUESTIONS = 20
const MAX_SHOWN = 3
const SHOWN_BYTES = 500

/** Elicitation capabilities offered only for the newest revision, whose questions can wait. */
export const ELICITS = { elicitation: { form: {}, url: {} } }

const elicitedByClient = new WeakMap<Client, Elicited[]>()

/** Wraps a transport; questions to the user are declined and stored for `elicitedSince`. */
export function declining(transport: Transport): {
  readonly transport: Transport
  readonly of: (client: Client) => void
} {
  const questions: Elicited[] = []
  const listened = listening(transport, (message, pass) => {
    if (!('method' in message) || message.method !== METHOD || !('id' in message)) {
      return pass(message)
    }
    if (questions.length < MAX_QUESTIONS) questions.push(elicitedIn(message.params))
    const declined = { jsonrpc: '2.0', id: message.id, result: { action: 'decline' } } as const
    transport.send(declined, { relatedRequestId: message.id }).catch(() => {})
  })
  const send = transport.send.bind(transport)
  listened.send = (message, options) => send(withoutElicitation(message), options)
  return { transport: listened, of: (client) => void elicitedByClient.set(client, questions) }
}

/** Removes the elicitation capability from the handshake with servers of older revisions. */
function withoutElicitation(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'initialize') return message
  const { elicitation: _, ...capabilities } = (message.params?.capabilities ?? {}) as object & {
    elicitation?: unknown
  }
  return { ...message, params: { ...message.params, capabilities } }
}

/**
 * Returns the questions that a server sent instead of a result; undefined for a result, or if any
 * question is not for a person.
 */
export function asksIn(result: unknown): ToolAsks | undefined {
  if (!isInputRequiredResult(result)) return undefined
  const all = Object.entries(result.inputRequests ?? {})
  const requests = all.flatMap(([key, { method, params }]) =>
    method === METHOD ? requestOf(key, params) : [],
  )
  if (requests.length < all.length) return undefined
  const { requestState: state } = result
  return { requests, state: state === undefined ? undefined : wellFormed(state) }
}

function requestOf(key: string, params: unknown): ServerRequest[] {
  const { requestedSchema, mode } = (params ?? {}) as { requestedSchema?: unknown; mode?: unknown }
  const { message, url } = elicitedIn(params)
  if (message === '' || message.length > LIMITS.question_length) return []
  const question = { key, message: visible(message).text }
  if (mode === 'url') return url === undefined ? [] : [{ ...question, url }]
  if (!isMap(requestedSchema)) return []
  const isForm = Object.keys(propertiesOf(requestedSchema)).length > 0
  if (isForm && exceeds(requestedSchema, { depth: MOST_LEVELS })) return []
  return [isForm ? { ...question, form: wellFormedIn(requestedSchema) } : question]
}

/**
 * Runs a tool call and adds the server's questions to its outcome; concurrent calls on one
 * connection also receive each other's questions.
 */
export async function withElicited(
  client: Client,
  act: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const all = elicitedByClient.get(client) ?? []
  const countBefore = all.length
  const outcome = await act()
  return withQuestions(outcome, all.slice(countBefore))
}

/**
 * Returns declining answers to a server's questions; undefined if the result does not request
 * input.
 */
export function declinedInput(result: unknown) {
  if (!isInputRequiredResult(result)) return undefined
  const requests = Object.entries(result.inputRequests ?? {})
  const questions = requests.filter(([, { method }]) => method === METHOD)
  const responses = questions.map(([key]) => [key, { action: 'decline' }] as const)
  return {
    /** Whether the server also requests input other than answers of the user; none is offered. */
    isMore: questions.length < requests.length,
    elicited: questions.map(([, { params }]) => elicitedIn(params)),
    params: {
      inputResponses: Object.fromEntries(responses),
      ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
    },
  }
}

/** Returns the pages named by an error stating that a person must open a page first (-32042). */
export const pagesIn = (data: unknown): Elicited[] => {
  const { elicitations } = (data ?? {}) as { elicitations?: unknown }
  return Array.isArray(elicitations) ? elicitations.slice(0, MAX_QUESTIONS).map(elicitedIn) : []
}

/** Adds a sentence for each question to the beginning of the tool outcome. */
export function withQuestions(outcome: ToolOutcome, elicited: readonly Elicited[]): ToolOutcome {
  if (elicited.length === 0) return outcome
  const summaries = elicited.slice(0, MAX_SHOWN).map(({ message, url }) => {
    const page = url === undefined ? '' : `, by opening ${quoteText(url, SHOWN_BYTES)}`
    return `${quoteText(message, SHOWN_BYTES)}${page}`
  })
  const more = elicited.length > MAX_SHOWN ? ` and ${elicited.length - MAX_SHOWN} more` : ''
  const note = `[The server asked the user: ${summaries.join('; ')}${more}. ${DECLINED}]`
  return { ...outcome, text: `${note}\n${outcome.text}` }
}

const DECLINED =
  'No person can answer during a call, so it was declined. Ask the user, then repeat ' +
  'the call with the answer.'

function elicitedIn(params: unknown): Elicited {
  const { message, url } = (params ?? {}) as { message?: unknown; url?: unknown }
  return {
    message: typeof message === 'string' ? wellFormed(message) : '',
    url:
      typeof url === 'string' && url.isWellFormed() && /^https?:\/\//i.test(url) ? url : undefined,
  }
}
