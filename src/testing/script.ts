/**
 * Grammar of the scripted model's scripts. Tests (`tests/*.md`) may contain a script; their format
 * is defined in `test-file.ts`.
 *
 * A script consists of lines. Each step produces one answer: calls on consecutive lines, a single
 * `@say`, or a single `@await`, preceded by optional modifiers (`@reason` … `@error`). `@then` ends
 * a step of calls if more calls follow. A `Context: … Task:` before the script is skipped. After
 * the last step, the model answers `done`; without a script, `ok: <80 characters>`.
 *
 *   @say text           answers with the text, with these placeholders: {results} distinct runs in
 *                       user messages since the script, {tools} tool results since then, {last}
 *                       the last result (200 characters), {input} the message with the script
 *   @call tool args     calls a tool; `args` is sent unchanged, even if it is invalid JSON;
 *                       consecutive lines are parallel calls
 *   @spawn N {json}     N calls of sessions_spawn; `{i}` in a string becomes 1…N; a task may
 *                       itself be a script (with \n between its lines)
 *   @text text          adds text to the calls of the same step
 *   @await [N]          waits until N results have been announced (default: the number that
 *                       @spawn has started; direct sessions_spawn calls do not count); until then,
 *                       the answer is `waiting for N results`, without calls
 *   @then               ends the step
 *
 *   @reason text        reasoning before the answer
 *   @finish reason      finish reason of the step: `length` or `content_filter`
 *   @slow MS            delays the answer by MS, half of it in the middle of the stream
 *   @fail STATUS [times=N] [retry-after=S]
 *                       fails; `times` (default: always) counts identical requests, in memory
 *   @cut [times=N]      breaks the connection in the middle of the stream
 *   @drop [times=N]     breaks the connection before any output
 *   @error [times=N]    sends an error object in the middle of the stream
 */

import { sessionsSpawn } from '../core/tools/builtin/sessions-spawn.ts'

export interface Fault {
  readonly kind: 'status' | 'cut' | 'drop' | 'error'
  readonly status: number
  /** Number of identical requests that fail before a request succeeds. */
  readonly times: number
  readonly retryAfter: string | undefined
}
export interface Step {
  say: string | undefined
  reason: string
  calls: { name: string; arguments: string }[]
  /** Number of tool results that the script step waits for. */
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

/** Returns the script inside a message text, or '' if the text contains none. */
export function scriptOf(text: string): string {
  const start = /^Context:\n/.test(text) ? text.indexOf('\n\nTask:\n') : -1
  const body = start < 0 ? text : text.slice(start + '\n\nTask:\n'.length)
  return /^\s*@(say|call|spawn|text|await|reason|finish|slow|fail|cut|drop|error|then)\b/.test(body)
    ? body
    : ''
}

/** Matches the placeholder text of an image or a file. */
const MARK = /^\[(?:image|pdf|audio)\b.*\]$/
const CALLING: ReadonlySet<string> = new Set(['call', 'spawn', 'text'])

export function parse(script: string): Step[] | string {
  const steps: Step[] = []
  let step = blank()
  let hasContent = false
  let spawned = 0
  const close = () => {
    if (hasContent) steps.push(step)
    step = blank()
    hasContent = false
  }
  for (const line of script.split('\n').map((raw) => raw.trim())) {
    const [, word = '', argument = ''] = /^@(\w+)\s*(.*)$/.exec(line) ?? []
    if (line === '' || MARK.test(line)) continue
    if (word === '') return `invalid line in the script: ${line}`
    if (word === 'then') {
      close()
      continue
    }
    // A directive other than a call completes the tool calls of a step.
    if (step.calls.length > 0 && !CALLING.has(word)) close()
    hasContent = true
    if (word === 'spawn') {
      const calls = spawnCalls(argument)
      if (typeof calls === 'string') return calls
      step.calls.push(...calls)
      spawned += calls.length
    } else if (word === 'await') {
      step.awaits = argument === '' ? spawned : Number(argument)
      close()
    } else if (!apply(step, word, argument)) {
      return `unknown directive @${word} in the script`
    }
    if (word === 'say') close()
  }
  close()
  return steps
}

/** Applies one directive to its step; returns false if the directive's name is unknown. */
function apply(step: Step, word: string, argument: string): boolean {
  switch (word) {
    case 'say':
    case 'text':
      step.say = argument
      return true
    case 'call': {
      const [, name = '', args = ''] = /^(\S+)\s*(.*)$/.exec(argument) ?? []
      step.calls.push({ name, arguments: args })
      return true
    }
    case 'reason':
      step.reason = argument
      return true
    case 'finish':
      step.finish = argument
      return true
    case 'slow':
      step.slowMs = Number(argument)
      return true
    case 'fail':
    case 'cut':
    case 'drop':
    case 'error':
      step.fault = faultOf(word, argument)
      return true
    default:
      return false
  }
}

function faultOf(word: 'fail' | 'cut' | 'drop' | 'error', argument: string): Fault {
  const option = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(argument)?.[1]
  return {
    kind: word === 'fail' ? 'status' : word,
    status: Number.parseInt(argument, 10) || 500,
    times: Number(option('times') ?? Number.POSITIVE_INFINITY),
    retryAfter: option('retry-after'),
  }
}

function spawnCalls(argument: string): { name: string; arguments: string }[] | string {
  const [, count = '1', json = '{}'] = /^(\d+)\s*(\{.*\})?$/.exec(argument) ?? []
  try {
    const args = { task: '@say child {i} is done', label: 'child {i}', ...JSON.parse(json) }
    return Array.from({ length: Number(count) }, (_, index) => ({
      name: sessionsSpawn.name,
      arguments: JSON.stringify(args, (_key, value: unknown) =>
        typeof value === 'string' ? value.replaceAll('{i}', String(index + 1)) : value,
      ),
    }))
  } catch {
    return `invalid JSON in the script: @spawn ${argument}`
  }
}
