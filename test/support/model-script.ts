/**
 * What the scripted model answers. The script stands in the conversation itself: in the last user
 * message that begins with a directive. How far the script has come follows from the assistant's
 * turns after it, so the answer depends on the request alone and any process can replay it.
 *
 * A script is lines. A step is what one answer holds: calls on lines that follow each other, or
 * one `@say`, or one `@await`; lines that say how (`@reason` … `@error`) stand before it. `@then`
 * ends a step of calls when more calls follow. A `Context: … Task:` before the script is skipped.
 * After the last step the model says `done`; without a script `ok: <80 characters>`.
 *
 *   @say text           answers with the text; these are filled in: {results} distinct runs named
 *                       in user messages since the script, {tools} tool results since, {last} the
 *                       last of them (200 characters), {input} the message that holds the script
 *   @call tool args     asks for a tool; `args` goes out as it stands, so broken JSON is broken;
 *                       several lines are parallel calls
 *   @spawn N {json}     N calls of sessions_spawn; `{i}` in a string becomes 1…N; a task may be a
 *                       script of its own (with \n between its lines)
 *   @text text          says something beside the calls of the same step
 *   @await [N]          waits until N results (default: all spawned so far) have been announced;
 *                       until then the answer is `waiting for N results`, without calls
 *   @then               ends the step
 *
 *   @reason text        reasoning before the answer
 *   @finish reason      `length`, `content_filter`: how the step ends
 *   @slow MS            thinks for so long, half of it in the middle of the stream
 *   @fail STATUS [times=N] [retry-after=S]
 *                       refuses; `times` (default: always) counts identical requests, in memory
 *   @cut [times=N]      breaks the connection in the middle of the stream
 *   @drop [times=N]     breaks the connection before it says anything
 *   @error [times=N]    sends an error object in the middle of the stream
 *
 * Asked what must last of a conversation, it writes down what stands in `remember(…)`.
 * Asked to shorten a conversation, it says `@resume N`, and goes on with that step of the script.
 */

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

export interface Fault {
  readonly kind: 'status' | 'cut' | 'drop' | 'error'
  readonly status: number
  /** How many identical requests fail before one succeeds. */
  readonly times: number
  readonly retryAfter: string | undefined
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

interface Step {
  say: string | undefined
  reason: string
  calls: { name: string; arguments: string }[]
  /** Set on a step that waits for so many results. */
  awaits: number | undefined
  finish: string | undefined
  slowMs: number
  fault: Fault | undefined
}

const blank = (): Step => ({
  say: undefined,
  reason: '',
  calls: [],
  awaits: undefined,
  finish: undefined,
  slowMs: 0,
  fault: undefined,
})

/** The answer to a request. A script that cannot be read is answered by a sentence that says so. */
export function answer(request: WireRequest): Answer {
  const { messages } = request
  const at = messages.findLastIndex((one) => one.role === 'user' && scriptOf(textOf(one)) !== '')
  const conversation = CONVERSATION.exec(textOf(messages.at(-1)))?.[1]
  if (conversation !== undefined) return plain(summary(conversation))
  const lasting = LASTING.exec(textOf(messages.at(-1)))?.[1]
  if (lasting !== undefined) return writtenDown(lasting)
  if (at < 0) {
    const last = messages.findLast((one) => one.role === 'user')
    return plain(`ok: ${textOf(last).slice(0, 80)}`)
  }
  const steps = parse(scriptOf(textOf(messages[at])))
  if (typeof steps === 'string') return plain(steps)
  const position = progress(steps, messages, at)
  const step = steps[position]
  if (!step) return plain('done')
  const seen = { ...facts(messages, at), input: textOf(messages[at]) }
  const calls = request.tools?.length ? step.calls : []
  if (calls.length < step.calls.length) return plain('no tools are offered; done')
  const waiting = step.awaits === undefined ? '' : `waiting for ${step.awaits} results`
  return {
    text: fill(step.say ?? waiting, seen),
    reasoning: step.reason,
    calls: calls.map((call, index) => ({ id: `call_${at}_${position}_${index}`, ...call })),
    finish: step.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    slowMs: step.slowMs,
    fault: step.fault,
  }
}

const CONVERSATION = /^Shorten this conversation:\n<conversation [^>]*>\n([\s\S]*)\n<\/conversation/
const ENTRY = /(?:^|\n\n)(user|assistant(?: calls [^\n]*)?|(?:result|error) of [^\n]*):\n/

const LASTING =
  /^Write down what must last [^\n]*\n<conversation [^>]*>\n([\s\S]*)\n<\/conversation/

/** Everything that stands in `remember(…)`, once. */
function writtenDown(conversation: string): Answer {
  const found = [...conversation.matchAll(/remember\(([^)\n]*)\)/g)].map(([, what]) => `- ${what}`)
  if (found.length === 0) return plain('Nothing must last.')
  const given = { content: [...new Set(found)].join('\n'), heading: 'Facts' }
  const call = { id: 'call_lasting', name: 'memory_write', arguments: JSON.stringify(given) }
  return { ...plain(''), calls: [call], finish: 'tool_calls' }
}

/** How far the script has come, and the runs that were named: enough to go on from a summary. */
function summary(conversation: string): string {
  const [, ...found] = conversation.split(ENTRY)
  const messages: WireMessage[] = []
  for (let index = 0; index < found.length; index += 2) {
    const head = found[index]!
    const role = head === 'user' ? 'user' : head.startsWith('assistant') ? 'assistant' : 'tool'
    // What one answer says and asks for is one turn.
    if (role === 'assistant' && messages.at(-1)?.role === role) continue
    messages.push({ role, content: found[index + 1] })
  }
  const at = messages.findLastIndex((one) => one.role === 'user' && scriptOf(textOf(one)) !== '')
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

/** What a summary of the scripted model says: the step that is due where it stands. */
const RESUME = /@resume (\d+)/

/** The index of the step that is due now: each turn of the assistant answered one step. */
function progress(steps: readonly Step[], messages: readonly WireMessage[], at: number): number {
  const resumed = messages.findLastIndex(
    (one, index) => index > at && one.role === 'user' && RESUME.test(textOf(one)),
  )
  let position = resumed < 0 ? 0 : Number(RESUME.exec(textOf(messages[resumed]))![1])
  const skipMet = (before: number) => {
    for (;;) {
      const awaits = steps[position]?.awaits
      if (awaits === undefined || facts(messages.slice(0, before), at).results < awaits) return
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

const fill = (text: string, seen: Facts & { readonly input: string }): string =>
  text.replace(/\{(results|tools|last|input)\}/g, (_, name: keyof typeof seen) =>
    String(seen[name]),
  )

function textOf(message: WireMessage | undefined): string {
  const content = message?.content
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => String(part.text ?? '')).join('\n')
}

/** The script inside a text, or '' when the text has none. */
function scriptOf(text: string): string {
  const start = /^Context:\n/.test(text) ? text.indexOf('\n\nTask:\n') : -1
  const body = start < 0 ? text : text.slice(start + '\n\nTask:\n'.length)
  return /^\s*@(say|call|spawn|text|await|reason|finish|slow|fail|cut|drop|error|then)\b/.test(body)
    ? body
    : ''
}

/** A picture or a file stands there. */
const MARK = /^\[(?:image|pdf|audio)\b.*\]$/
const CALLING: ReadonlySet<string> = new Set(['call', 'spawn', 'text'])

function parse(script: string): Step[] | string {
  const steps: Step[] = []
  let step = blank()
  let touched = false
  let spawned = 0
  const close = () => {
    if (touched) steps.push(step)
    step = blank()
    touched = false
  }
  for (const line of script.split('\n').map((raw) => raw.trim())) {
    const [, word = '', rest = ''] = /^@(\w+)\s*(.*)$/.exec(line) ?? []
    if (line === '' || MARK.test(line)) continue
    if (word === '') return `the scripted model cannot read this line: ${line}`
    if (word === 'then') {
      close()
      continue
    }
    // Calls are complete when anything but more of them follows.
    if (step.calls.length > 0 && !CALLING.has(word)) close()
    touched = true
    if (word === 'spawn') {
      const calls = spawnCalls(rest)
      if (typeof calls === 'string') return calls
      step.calls.push(...calls)
      spawned += calls.length
    } else if (word === 'await') {
      step.awaits = rest === '' ? spawned : Number(rest)
      close()
    } else if (!apply(step, word, rest)) {
      return `the scripted model does not know @${word}`
    }
    if (word === 'say') close()
  }
  close()
  return steps
}

/** Writes one directive into its step; false when there is none of that name. */
function apply(step: Step, word: string, rest: string): boolean {
  switch (word) {
    case 'say':
    case 'text':
      step.say = rest
      return true
    case 'call': {
      const [, name = '', args = ''] = /^(\S+)\s*(.*)$/.exec(rest) ?? []
      step.calls.push({ name, arguments: args })
      return true
    }
    case 'reason':
      step.reason = rest
      return true
    case 'finish':
      step.finish = rest
      return true
    case 'slow':
      step.slowMs = Number(rest)
      return true
    case 'fail':
    case 'cut':
    case 'drop':
    case 'error':
      step.fault = faultOf(word, rest)
      return true
    default:
      return false
  }
}

function faultOf(word: 'fail' | 'cut' | 'drop' | 'error', rest: string): Fault {
  const option = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(rest)?.[1]
  return {
    kind: word === 'fail' ? 'status' : word,
    status: Number.parseInt(rest, 10) || 500,
    times: Number(option('times') ?? Number.POSITIVE_INFINITY),
    retryAfter: option('retry-after'),
  }
}

function spawnCalls(rest: string): { name: string; arguments: string }[] | string {
  const [, count = '1', json = '{}'] = /^(\d+)\s*(\{.*\})?$/.exec(rest) ?? []
  try {
    const given = { task: '@say child {i} is done', label: 'child {i}', ...JSON.parse(json) }
    return Array.from({ length: Number(count) }, (_, index) => ({
      name: 'sessions_spawn',
      arguments: JSON.stringify(given, (_key, value: unknown) =>
        typeof value === 'string' ? value.replaceAll('{i}', String(index + 1)) : value,
      ),
    }))
  } catch {
    return `the scripted model cannot read the JSON of @spawn ${rest}`
  }
}
