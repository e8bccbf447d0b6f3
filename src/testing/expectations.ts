/** Whether a run is what its test expects; each failure says what was expected and what came. */

import { Budget } from '../lib/budget.ts'
import { canonical } from '../lib/digest.ts'
import { readPattern } from '../lib/pattern.ts'
import type { AgentRun, ToolCall } from './run-agent.ts'
import type { Expectations, ExpectedCall } from './test-file.ts'

export interface Failure {
  readonly expected: string
  readonly got: string
}

/** All but the judges. */
export function failuresOf(run: AgentRun, expect: Expectations): Failure[] {
  return [
    ...statusFailures(run, expect),
    ...callFailures(run.calls, expect),
    ...textFailures(run.text, expect.text),
    ...outputFailures(run, expect.output),
  ]
}

function statusFailures({ run }: AgentRun, { status, waiting_on }: Expectations): Failure[] {
  const why = run.error ? `: ${run.error.code}: ${run.error.message}` : ''
  const on = run.waiting_on === null ? '' : ` on ${run.waiting_on}`
  const got = `status ${run.status}${on}${why}`
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
  const order = calls_in_order ? ', in this place' : ''
  return [
    ...missing.map((one) => ({ expected: `a call ${shownExpected(one)}${order}`, got })),
    ...no_calls.flatMap((tool) => {
      const made = calls.find((one) => one.tool === tool)
      return made ? [{ expected: `no call of ${tool}`, got: shownCall(made) }] : []
    }),
  ]
}

/** Each expectation takes a call of its own, whichever way they fit (Kuhn's matching). */
function unmatched(expected: readonly ExpectedCall[], calls: readonly ToolCall[]): ExpectedCall[] {
  const takenBy = new Map<number, ExpectedCall>()
  const place = (one: ExpectedCall, seen: Set<number>): boolean => {
    for (const [at, call] of calls.entries()) {
      if (seen.has(at) || !isMet(one, call)) continue
      seen.add(at)
      const before = takenBy.get(at)
      if (before !== undefined && !place(before, seen)) continue
      takenBy.set(at, one)
      return true
    }
    return false
  }
  return expected.filter((one) => !place(one, new Set()))
}

/** The first that does not follow the ones before it; what comes after it is not judged. */
function firstOutOfOrder(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
): ExpectedCall[] {
  let from = 0
  for (const one of expected) {
    const at = calls.findIndex((call, index) => index >= from && isMet(one, call))
    if (at < 0) return [one]
    from = at + 1
  }
  return []
}

function isMet(expected: ExpectedCall, call: ToolCall): boolean {
  if (expected.tool !== call.tool) return false
  if (expected.is_error !== undefined && expected.is_error !== (call.isError ?? false)) return false
  return expected.arguments === undefined || includes(readJson(call.arguments), expected.arguments)
}

/** Undefined when it is not JSON, which no expectation is part of. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Members that are not named may be anything; lists are as long as they are expected to be. */
function includes(got: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return false
    return wanted.every((one, at) => includes(got[at], one))
  }
  if (typeof wanted !== 'object' || wanted === null) return got === wanted
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return false
  return Object.entries(wanted).every(
    ([key, one]) => Object.hasOwn(got, key) && includes(Reflect.get(got, key), one),
  )
}

function textFailures(text: string, expected: Expectations['text']): Failure[] {
  if (expected === undefined) return []
  const { contains, not_contains, equals, matches } = expected
  const wrong = [
    ...contains.flatMap((one) => (text.includes(one) ? [] : [`contains ${quote(one)}`])),
    ...not_contains.flatMap((one) =>
      text.includes(one) ? [`does not contain ${quote(one)}`] : [],
    ),
    ...(equals === undefined || text.trim() === equals.trim() ? [] : [`equals ${quote(equals)}`]),
    ...(matches === undefined || isFound(matches, text) ? [] : [`matches /${matches}/`]),
  ]
  return wrong.map((what) => ({ expected: `a text that ${what}`, got: quote(text) }))
}

/** The test's file was refused if the pattern is none. It takes linear time, and may take it. */
function isFound(pattern: string, text: string): boolean {
  const read = readPattern(pattern)
  return read.ok && read.value.matches(text, new Budget(Number.POSITIVE_INFINITY))
}

function outputFailures({ run }: AgentRun, expected: unknown): Failure[] {
  if (expected === undefined) return []
  const structured = run.output?.structured
  if (includes(structured, expected)) return []
  const why = run.output?.schema_error
  const got = why === undefined ? canonical(structured) : `none: ${why}`
  return [{ expected: `an output with ${canonical(expected)}`, got }]
}

const SHOWN = 500
const short = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`)
const quote = (text: string): string => (text === '' ? 'no text' : short(JSON.stringify(text)))

const shownCall = ({ tool, arguments: given, isError }: ToolCall): string =>
  `${tool} ${short(given)}${isError ? ' (an error)' : ''}`
const shownExpected = ({ tool, arguments: given, is_error }: ExpectedCall): string => {
  const ended = is_error === undefined ? '' : is_error ? ' (an error)' : ' (no error)'
  return `${tool}${given === undefined ? '' : ` with ${short(canonical(given))}`}${ended}`
}
