/**
 * Questions of servers to the user (elicitation). They are declined: an answer may take a day, and
 * a call that is under way cannot outlive its process. The server is answered in its own words, as
 * a request of its own (older revisions) or in place of a result (`input_required`), and the model
 * reads what was asked, with the page that a person would open.
 */

import { type Client, isInputRequiredResult, type Transport } from '@modelcontextprotocol/client'
import { quoted } from '../../lib/visible.ts'
import type { ToolOutcome } from '../../ports/world.ts'
import { listening } from './listing.ts'

/** A question, and the page that a person would open. */
interface Elicited {
  readonly message: string
  readonly url: string | undefined
}

const METHOD = 'elicitation/create'
/** A server that asks without end is answered, and no longer kept. */
const KEPT = 20
const SHOWN = 3
const SHOWN_BYTES = 500

const asked = new WeakMap<Client, Elicited[]>()

/** The same transport; what its server asks the user is declined and kept for `elicitedSince`. */
export function declining(transport: Transport): {
  readonly transport: Transport
  readonly of: (client: Client) => void
} {
  const kept: Elicited[] = []
  const listened = listening(transport, (message, pass) => {
    if (!('method' in message) || message.method !== METHOD || !('id' in message)) {
      return pass(message)
    }
    if (kept.length < KEPT) kept.push(elicitedIn(message.params))
    const declined = { jsonrpc: '2.0', id: message.id, result: { action: 'decline' } } as const
    transport.send(declined, { relatedRequestId: message.id }).catch(() => {})
  })
  return { transport: listened, of: (client) => void asked.set(client, kept) }
}

/** Questions that came while a call was made; calls at the same time read each other's. */
export async function withElicited(
  client: Client,
  act: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const all = asked.get(client) ?? []
  const before = all.length
  const outcome = await act()
  return noted(outcome, all.slice(before))
}

/** The answers to a result that asks for input: all declined; undefined when it asks for more. */
export function declinedInput(result: unknown) {
  if (!isInputRequiredResult(result)) return undefined
  const requests = Object.entries(result.inputRequests ?? {})
  const questions = requests.filter(([, { method }]) => method === METHOD)
  const responses = questions.map(([key]) => [key, { action: 'decline' }] as const)
  return {
    /** Something else than a question to the user is wanted, which is not offered. */
    isMore: questions.length < requests.length,
    elicited: questions.map(([, { params }]) => elicitedIn(params)),
    params: {
      inputResponses: Object.fromEntries(responses),
      ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
    },
  }
}

/** The pages of an error that says that a person must open one first (-32042). */
export const pagesIn = (data: unknown): Elicited[] => {
  const { elicitations } = (data ?? {}) as { elicitations?: unknown }
  return Array.isArray(elicitations) ? elicitations.slice(0, KEPT).map(elicitedIn) : []
}

/** With a sentence in front for each question. */
export function noted(outcome: ToolOutcome, elicited: readonly Elicited[]): ToolOutcome {
  if (elicited.length === 0) return outcome
  const shown = elicited.slice(0, SHOWN).map(({ message, url }) => {
    const page = url === undefined ? '' : `, who would open ${quoted(url, SHOWN_BYTES)}`
    return `${quoted(message, SHOWN_BYTES)}${page}`
  })
  const more = elicited.length > SHOWN ? ` and ${elicited.length - SHOWN} more` : ''
  const note = `[The server asked the user: ${shown.join('; ')}${more}. ${DECLINED}]`
  return { ...outcome, text: `${note}\n${outcome.text}` }
}

const DECLINED =
  'Nobody can be asked while a call is made, so it was declined. Ask the user yourself, and call ' +
  'again with what you learn.'

function elicitedIn(params: unknown): Elicited {
  const { message, url } = (params ?? {}) as { message?: unknown; url?: unknown }
  return {
    message: typeof message === 'string' ? message : '',
    url: typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined,
  }
}
