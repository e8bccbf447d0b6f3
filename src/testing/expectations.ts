/**
 * Checks a run against its test's expectations; each failure states the expected and the actual
 * value.
 */

import { Budget } from '../lib/budget.ts'
import { canonical } from '../lib/digest.ts'
import { readPattern } from '../lib/pattern.ts'
import type { AgentRun, ToolCall } from './run-agent.ts'
import type { Expectations, ExpectedCall } from './test-file.ts'

export interface Failure {
  readonly expected: string
  readonly got: string
}

/** Returns the failed expectations of a test, without those that judges evaluate. */
export function failuresOf(run: AgentRun, expect: Expectations): Failure[] {
  return [
    ...statusFailures(run, expect),
    ...callFailures(run.calls, expect),
    ...textFailures(run.text, expect.text),
    ...outputFailures(run, expect.output),
  ]
}

function statusFailures({ run }: AgentRun, { status, waiting_on }: Expectations): Failure[] {
  const reason = run.error ? `: ${run.error.code}: ${run.error.message}` : ''
  const on = run.waiting_on === null ? '' : ` on ${run.waiting_on}`
  const got = `status ${run.status}${on}${reason}`
  if (run.status !== status) return [{ expected: `status ${status}`, got }]
  if (waiting_on === undefined || run.waiting_on === waiting_on) return []
  return [{ expected: `status ${status} on ${waiting_on}`, got }]
}

function callFailures(
  calls: readonly ToolCall[],
  { calls: expected, calls_in_order, no_calls }: Expectations,
): Failure[] {
  const missing = calls_in_order ? firstOutOfOrder(expected, calls) : unmatched(expected, calls)
  const got = calls.length === 0 ? 'no calls' : `the calls ${calls.map(shownCall).join(', ')}`
  const order = calls_in_order ? ', in this position' : ''
  return [
    ...missing.map((call) => ({ expected: `a call ${shownExpected(call)}${order}`, got })),
    ...no_calls.flatMap((tool) => {
      const forbidden = calls.find((call) => call.tool === tool)
      return forbidden ? [{ expected: `no call to ${tool}`, got: shownCall(forbidden) }] : []
    }),
  ]
}

/**
 * Assigns each expectation to a separate tool call in any possible way (Kuhn's matching), and
 * returns the expectations without a call.
 */
function unmatched(expected: readonly ExpectedCall[], calls: readonly ToolCall[]): ExpectedCall[] {
  const takenBy = new Map<number, ExpectedCall>()
  const place = (target: ExpectedCall, visited: Set<number>): boolean => {
    for (const [at, call] of calls.entries()) {
      if (visited.has(at) || !isMet(target, call)) continue
      visited.add(at)
      const owner = takenBy.get(at)
      if (owner !== undefined && !place(owner, visited)) continue
      takenBy.set(at, target)
      return true
    }
    return false
  }
  return expected.filter((target) => !place(target, new Set()))
}

/**
 * Returns the first expected tool call that is out of order; later expectations are not checked.
 */
function firstOutOfOrder(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
): ExpectedCall[] {
  let from = 0
  for (const target of expected) {
    const at = calls.findIndex((call, index) => index >= from && isMet(target, call))
    if (at < 0) return [target]
    from = at + 1
  }
  return []
}

function isMet(expected: ExpectedCall, call: ToolCall): boolean {
  if (expected.tool !== call.tool) return false
  if (expected.is_error !== undefined && expected.is_error !== (call.isError ?? false)) return false
  return expected.arguments === undefined || includes(readJson(call.arguments), expected.arguments)
}

/** Parses JSON; returns undefined for invalid text, which matches no expectation. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reports whether a value contains the expected value: additional members are ignored, and lists
 * must have the same length.
 */
function includes(got: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return false
    return expected.every((item, at) => includes(got[at], item))
  }
  if (typeof expected !== 'object' || expected === null) return got === expected
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return false
  return Object.entries(expected).every(
    ([key, member]) => Object.hasOwn(got, key) && includes(Reflect.get(got, key), member),
  )
}

function textFailures(text: string, expected: Expectations['text']): Failure[] {
  if (expected === undefined) return []
  const { contains, not_contains, equals, matches } = expected
  const wrong = [
    ...contains.flatMap((phrase) => (text.includes(phrase) ? [] : [`contains ${quote(phrase)}`])),
    ...not_contains.flatMap((phrase) =>
      text.includes(phrase) ? [`does not contain ${quote(phrase)}`] : [],
    ),
    ...(equals === undefined || text.trim() === equals.trim() ? [] : [`equals ${quote(equals)}`]),
    ...(matches === undefined || isFound(matches, text) ? [] : [`matches /${matches}/`]),
  ]
  return wrong.map((clause) => ({ expected: `text that ${clause}`, got: quote(text) }))
}

/**
 * Reports whether a text contains a pattern, in linear time without a budget. An invalid pattern
 * was already rejected with the test file.
 */
function isFound(pattern: string, text: string): boolean {
  const read = readPattern(pattern)
  return read.ok && read.value.matches(text, new Budget(Number.POSITIVE_INFINITY))
}

function outputFailures({ run }: AgentRun, expected: unknown): Failure[] {
  if (expected === undefined) return []
  const structured = run.output?.structured
  if (includes(structured, expected)) return []
  const reason = run.output?.schema_error
  const got = reason === undefined ? canonical(structured) : `none: ${reason}`
  return [{ expected: `an output with ${canonical(expected)}`, got }]
}

const MAX_SHOWN = 500
const short = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`
const quote = (text: string): string => (text === '' ? 'no text' : short(JSON.stringify(text)))

const shownCall = ({ tool, arguments: args, isError }: ToolCall): string =>
  `${tool} ${short(args)}${isError ? ' (an error)' : ''}`
const shownExpected = ({ tool, arguments: args, is_error }: ExpectedCall): string => {
  const ended = is_error === undefined ? '' : is_error ? ' (an error)' : ' (no error)'
  return `${tool}${args === undefined ? '' : ` with ${short(canonical(args))}`}${ended}`
}
