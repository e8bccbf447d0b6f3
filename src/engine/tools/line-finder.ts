/**
 * Finds the lines that match a text or a regular expression. Models write the expressions, so a
 * non-backtracking automaton matches them within a step budget. The search yields the thread
 * between batches.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Automaton } from '../../lib/automaton.ts'
import { Budget, Exhausted } from '../../lib/budget.ts'
import { contains } from '../../lib/find.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { readPattern } from '../../lib/pattern.ts'
import type { Clock } from '../../ports/world.ts'
import { TimeSlice } from '../layers/time-slice.ts'

export interface LineQuery {
  readonly query?: string
  readonly pattern?: string
  readonly ignore_case?: boolean
  readonly multiline?: boolean
}

interface FoundLines {
  /** Matching line numbers in ascending order, counted from 0. */
  readonly hits: readonly number[]
  /** Whether the text or some of its lines were skipped as too long for this expression. */
  readonly skipped: boolean
}

/** Finds the matching lines of a text within a time budget. */
export interface LineFinder {
  readonly find: (text: string, lines: readonly string[]) => Promise<FoundLines>
  readonly isOver: () => boolean
}

/** Automaton steps between two checks of the time slice; these take at most about 20 ms. */
const STEPS_AT_ONCE = 500_000

/** Returns the line finder, or a sentence for the model about the error in the expression. */
export function lineFinder(clock: Clock, lineQuery: LineQuery): Outcome<LineFinder, string> {
  const until = clock.monotonic() + LIMITS.search_seconds * 1_000
  const isOver = (): boolean => clock.monotonic() >= until
  const slice = new TimeSlice(clock)
  if (lineQuery.query !== undefined) return ok(literal(lineQuery.query, lineQuery, slice, isOver))
  const compiled = compile(lineQuery.pattern ?? '', lineQuery)
  if (!compiled.ok) return compiled
  const expression = compiled.value
  const find = lineQuery.multiline ? across : within
  return ok({ isOver, find: (text, lines) => find({ expression, slice, isOver }, text, lines) })
}

function literal(
  query: string,
  { ignore_case }: LineQuery,
  slice: TimeSlice,
  isOver: () => boolean,
): LineFinder {
  const fold = (text: string): string => (ignore_case ? text.toLowerCase() : text)
  const foldedQuery = fold(query)
  const hitsIn = (text: string, lines: readonly string[]): number[] => {
    // Most files have no match, so the complete text is searched once before its lines are.
    if (!contains(fold(text), foldedQuery)) return []
    return lines.flatMap((line, at) => (contains(fold(line), foldedQuery) ? [at] : []))
  }
  return {
    isOver,
    find: async (text, lines) => ({
      hits: await slice.run(() => hitsIn(text, lines)),
      skipped: false,
    }),
  }
}

/** Leading flags such as `(?i)`, often written by models and not supported by ECMAScript. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/
/** POSIX character classes such as `[[:alpha:]]`, which ECMAScript misreads. */
const POSIX_CLASS = /\[[^\]]*\[:\^?[a-z]+:\]/

function compile(pattern: string, lineQuery: LineQuery): Outcome<Automaton, string> {
  if (pattern.length > LIMITS.search_pattern_length) {
    return fail(`invalid_pattern: more than ${LIMITS.search_pattern_length} characters.`)
  }
  if (POSIX_CLASS.test(pattern)) {
    return fail('invalid_pattern: classes such as [:alpha:] are not supported; use \\p{L}.')
  }
  const [head, leading = ''] = LEADING_FLAGS.exec(pattern) ?? ['']
  // A dot also matches the carriage return at the end of a line.
  const flags = new Set(['s', ...leading])
  if (lineQuery.ignore_case) flags.add('i')
  if (lineQuery.multiline) flags.add('m')
  const read = readPattern(pattern.slice(head.length), { flags: [...flags].join('') })
  if (read.ok) return read
  return fail(`invalid_pattern: ${read.error.message}. Use JavaScript syntax.`)
}

interface Search {
  readonly expression: Automaton
  readonly slice: TimeSlice
  readonly isOver: () => boolean
}

/** Searches the text line by line, in batches. */
async function within(
  { expression, slice, isOver }: Search,
  _text: string,
  lines: readonly string[],
): Promise<FoundLines> {
  const hits: number[] = []
  let skipped = false
  let at = 0
  const some = (): void => {
    for (let steps = 0; at < lines.length && steps < STEPS_AT_ONCE; at += 1) {
      const budget = new Budget(LIMITS.search_steps)
      const isHit = withinBudget(() => expression.matches(lines[at]!, budget))
      if (isHit === 'exhausted') skipped = true
      else if (isHit) hits.push(at)
      steps += 1 + LIMITS.search_steps - budget.remaining
    }
  }
  while (at < lines.length && !isOver()) await slice.run(some)
  return { hits, skipped }
}

/** Searches the complete text and returns all lines that overlap a match. */
async function across(
  { expression, slice, isOver }: Search,
  text: string,
  lines: readonly string[],
): Promise<FoundLines> {
  const budget = new Budget(LIMITS.search_steps)
  const hits: number[] = []
  let line = 0
  let end = lines[0]?.length ?? 0
  const reach = (place: number): void => {
    while (place > end && line + 1 < lines.length) {
      line += 1
      end += 1 + lines[line]!.length
    }
  }
  for (let from = 0; from <= text.length && !isOver(); ) {
    const match = await slice.run(() => withinBudget(() => expression.find(text, from, budget)))
    if (match === 'exhausted') return { hits, skipped: true }
    if (match === undefined) break
    reach(match.start)
    const first = line
    // A line break at the end of a match does not include the next line.
    reach(Math.max(match.start, match.end - 1))
    for (let at = first; at <= line; at += 1) if (hits.at(-1) !== at) hits.push(at)
    from = Math.max(match.end, match.start + 1)
  }
  return { hits, skipped: false }
}

function withinBudget<T>(work: () => T): T | 'exhausted' {
  try {
    return work()
  } catch (error) {
    if (error instanceof Exhausted) return 'exhausted'
    throw error
  }
}
