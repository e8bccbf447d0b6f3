/**
 * Generates the answers of the scripted model, for tests and for `strata dev` without a provider
 * key. The script (grammar in `script.ts`) is the last user message that starts with a directive.
 * The progress in the script follows from the assistant's later turns. The answer therefore depends
 * only on the request, and any process can replay it.
 *
 * After the last step, the model answers `done`; without a script, `ok: <80 characters>`. A request
 * for lasting memories returns the texts in `remember(…)`. A request for a summary returns `@resume
 * N`, and the script continues at step N.
 */

import { type Fault, parse, type Step, scriptOf } from './script.ts'

export interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: unknown
}
export interface WireRequest {
  readonly model?: string
  readonly stream?: boolean
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly unknown[]
}

interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}
export interface Answer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ScriptedCall[]
  readonly finish: string
  readonly slowMs: number
  readonly fault: Fault | undefined
}

/**
 * Returns the scripted answer to a request. An invalid script results in an answer that describes
 * the error.
 */
export function answer(request: WireRequest): Answer {
  const { messages } = request
  const at = messages.findLastIndex(
    (message) => message.role === 'user' && scriptOf(textOf(message)) !== '',
  )
  const conversation = CONVERSATION.exec(textOf(messages.at(-1)))?.[1]
  if (conversation !== undefined) return plain(summary(conversation))
  const lasting = LASTING.exec(textOf(messages.at(-1)))?.[1]
  if (lasting !== undefined) return writtenDown(lasting)
  if (at < 0) {
    const last = messages.findLast((message) => message.role === 'user')
    return plain(`ok: ${textOf(last).slice(0, 80)}`)
  }
  const steps = parse(scriptOf(textOf(messages[at])))
  if (typeof steps === 'string') return plain(steps)
  const position = progress(steps, messages, at)
  const step = steps[position]
  if (!step) return plain('done')
  const values = { ...facts(messages, at), input: textOf(messages[at]) }
  const calls = request.tools?.length ? step.calls : []
  if (calls.length < step.calls.length) return plain('no tools are offered; done')
  const waiting = step.awaits === undefined ? '' : `waiting for ${step.awaits} results`
  return {
    text: fill(step.say ?? waiting, values),
    reasoning: step.reason,
    calls: calls.map((call, index) => ({ id: `call_${at}_${position}_${index}`, ...call })),
    finish: step.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    slowMs: step.slowMs,
    fault: step.fault,
  }
}

const CONVERSATION =
  /^Summarize this conversation:\n<conversation [^>]*>\n([\s\S]*)\n<\/conversation/
const ENTRY = /(?:^|\n\n)(user|assistant(?: calls [^\n]*)?|(?:result|error) of [^\n]*):\n/

const LASTING = /^Record what to remember [^\n]*\n<conversation [^>]*>\n([\s\S]*)\n<\/conversation/

/** Returns an answer with all texts in `remember(…)` of the conversation, without duplicates. */
function writtenDown(conversation: string): Answer {
  const lines = [...conversation.matchAll(/remember\(([^)\n]*)\)/g)].map(([, note]) => `- ${note}`)
  if (lines.length === 0) return plain('Nothing must last.')
  const args = { content: [...new Set(lines)].join('\n'), heading: 'Facts' }
  const call = { id: 'call_lasting', name: 'memory_write', arguments: JSON.stringify(args) }
  return { ...plain(''), calls: [call], finish: 'tool_calls' }
}

/**
 * Returns a summary with the script's progress and the run IDs named so far, which is enough to
 * continue the script.
 */
function summary(conversation: string): string {
  const [, ...pieces] = conversation.split(ENTRY)
  const messages: WireMessage[] = []
  for (let index = 0; index < pieces.length; index += 2) {
    const head = pieces[index]!
    const role = head === 'user' ? 'user' : head.startsWith('assistant') ? 'assistant' : 'tool'
    // Text and tool calls of one answer form one turn.
    if (role === 'assistant' && messages.at(-1)?.role === role) continue
    messages.push({ role, content: pieces[index + 1] })
  }
  const at = messages.findLastIndex(
    (message) => message.role === 'user' && scriptOf(textOf(message)) !== '',
  )
  const steps = at < 0 ? [] : parse(scriptOf(textOf(messages[at])))
  if (at < 0 || typeof steps === 'string') return `@resume 0 ${conversation.slice(0, 40)}`
  const runs = new Set(conversation.match(/\brun_[0-9a-z]{26}\b/g))
  return [`@resume ${progress(steps, messages, at)}`, ...runs].join(' ')
}

const plain = (text: string): Answer => ({
  text,
  reasoning: '',
  calls: [],
  finish: 'stop',
  slowMs: 0,
  fault: undefined,
})

/** Matches the script's next step in a summary written by the scripted model. */
const RESUME = /@resume (\d+)/

/** Returns the index of the script's next step; each assistant turn completed one step. */
function progress(steps: readonly Step[], messages: readonly WireMessage[], at: number): number {
  const resumed = messages.findLastIndex(
    (message, index) => index > at && message.role === 'user' && RESUME.test(textOf(message)),
  )
  let position = resumed < 0 ? 0 : Number(RESUME.exec(textOf(messages[resumed]))![1])
  const skipMet = (end: number) => {
    for (;;) {
      const awaits = steps[position]?.awaits
      if (awaits === undefined || facts(messages.slice(0, end), at).results < awaits) return
      position += 1
    }
  }
  for (let index = Math.max(at, resumed) + 1; index < messages.length; index += 1) {
    if (messages[index]?.role !== 'assistant') continue
    skipMet(index)
    if (steps[position]?.awaits === undefined) position += 1
  }
  skipMet(messages.length)
  return position
}

interface Facts {
  readonly results: number
  readonly tools: number
  readonly last: string
}

function facts(messages: readonly WireMessage[], at: number): Facts {
  const runs = new Set<string>()
  let tools = 0
  let last = ''
  for (const message of messages.slice(at + 1)) {
    if (message.role === 'tool') {
      tools += 1
      last = textOf(message).slice(0, 200)
    } else if (message.role === 'user') {
      for (const [id] of textOf(message).matchAll(/\brun_[0-9a-z]{26}\b/g)) runs.add(id)
    }
  }
  return { results: runs.size, tools, last }
}

const fill = (text: string, values: Facts & { readonly input: string }): string =>
  text.replace(/\{(results|tools|last|input)\}/g, (_, name: keyof typeof values) =>
    String(values[name]),
  )

function textOf(message: WireMessage | undefined): string {
  const content = message?.content
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => String(part.text ?? '')).join('\n')
}
