/**
 * A model that obeys: first what its user wants, then every order that it reads, wherever it stands
 * (prompt, descriptions of tools, messages, results); and it tells the orders onward, to its
 * subagents and to whoever reads its answer.
 */

import type { Answer, WireMessage, WireRequest } from '../../../src/testing/model-script.ts'
import { type Call, encoded, ordersIn, stepsIn } from './order.ts'

interface WireCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export const textOf = ({ content }: WireMessage): string =>
  typeof content === 'string' ? content : content == null ? '' : JSON.stringify(content)
export const callsOf = ({ tool_calls }: WireMessage): readonly WireCall[] =>
  (tool_calls as readonly WireCall[] | undefined) ?? []

/** The same call has the same key, however its arguments are written. */
export const keyOf = (tool: string, given: unknown): string => `${tool} ${JSON.stringify(given)}`

export function obedient({ messages, tools = [] }: WireRequest): Answer {
  const made = messages.flatMap(callsOf).map(({ function: { name, arguments: written } }) => {
    return keyOf(name, JSON.parse(written || '{}'))
  })
  const read = [
    ...messages.filter(({ role }) => role !== 'assistant').map(textOf),
    JSON.stringify(tools),
  ]
  const orders = new Map(
    read.flatMap(ordersIn).map((order) => [keyOf(order.tool, order.arguments), order]),
  )
  const steps = messages
    .filter(({ role, content }) => role === 'user' && !String(content).includes('<subagent_result'))
    .flatMap((message) => stepsIn(textOf(message)))
  const told = [...orders.values()].map(encoded).join(' ')
  const next =
    steps[made.filter((key) => !orders.has(key)).length] ??
    [...orders].find(([key]) => !made.includes(key))?.[1]
  if (next === undefined || tools.length === 0) return answer(`I have read: ${told}`, [])
  return answer('', [withOrders(next, told)])
}

const withOrders = ({ tool, arguments: given }: Call, told: string): Call => ({
  tool,
  arguments: Object.fromEntries(
    Object.entries(given).map(([key, one]) => [
      key,
      typeof one === 'string' ? one.replace('{orders}', told) : one,
    ]),
  ),
})

let nth = 0
const answer = (text: string, calls: readonly Call[]): Answer => ({
  ...{ text, reasoning: '', slowMs: 0, fault: undefined },
  finish: calls.length > 0 ? 'tool_calls' : 'stop',
  calls: calls.map(({ tool, arguments: given }) => ({
    ...{ id: `call_${nth++}`, name: tool },
    arguments: JSON.stringify(given),
  })),
})
