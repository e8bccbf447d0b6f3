/**
 * Finds the lines of a text that a literal text or a regular expression matches. Expressions are a
 * model's, so they are RE2's, which never go back; size times length bounds each search all the
 * same, and the thread is handed on in between.
 */

import type { Matcher, RE2JS } from 're2js'
import { LIMITS } from '../../core/limits.ts'
import { contains } from '../../lib/find.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Clock } from '../../ports/world.ts'
import { Breath } from '../layers/breath.ts'

export interface Wanted {
  readonly query?: string
  readonly pattern?: string
  readonly ignore_case?: boolean
  readonly multiline?: boolean
}

interface FoundLines {
  /** Numbers of lines, from 0, in order. */
  readonly hits: readonly number[]
  /** The text, or some of its lines, were too long for this expression. */
  readonly skipped: boolean
}

/** Finds nothing any more when its time is over. */
export interface LineFinder {
  readonly find: (text: string, lines: readonly string[]) => Promise<FoundLines>
  readonly isOver: () => boolean
}

/** Between two breaths, in steps of the expression: some milliseconds at worst. */
const STEPS_AT_ONCE = 500_000

/** The finder, or what is wrong with the expression, as the model will read it. */
export async function lineFinder(
  clock: Clock,
  wanted: Wanted,
): Promise<Outcome<LineFinder, string>> {
  const until = clock.monotonic() + LIMITS.search_seconds * 1_000
  const isOver = (): boolean => clock.monotonic() >= until
  const breath = new Breath(clock)
  if (wanted.query !== undefined) return ok(literal(wanted.query, wanted, breath, isOver))
  const compiled = await compile(wanted.pattern ?? '', wanted)
  if (!compiled.ok) return compiled
  const expression = compiled.value
  const find = wanted.multiline ? across : within
  return ok({ isOver, find: (text, lines) => find({ expression, breath, isOver }, text, lines) })
}

function literal(
  query: string,
  { ignore_case }: Wanted,
  breath: Breath,
  isOver: () => boolean,
): LineFinder {
  const fold = (text: string): string => (ignore_case ? text.toLowerCase() : text)
  const folded = fold(query)
  const hitsIn = (text: string, lines: readonly string[]): number[] => {
    // Most files have no such line: one search of the whole is cheaper than one of each.
    if (!contains(fold(text), folded)) return []
    return lines.flatMap((line, at) => (contains(fold(line), folded) ? [at] : []))
  }
  return {
    isOver,
    find: async (text, lines) => ({
      hits: await breath.run(() => hitsIn(text, lines)),
      skipped: false,
    }),
  }
}

async function compile(pattern: string, wanted: Wanted): Promise<Outcome<RE2JS, string>> {
  if (pattern.length > LIMITS.search_pattern_length) {
    return fail(`invalid_pattern: more than ${LIMITS.search_pattern_length} characters.`)
  }
  // Only a search needs it, and a Worker parses at its start all that is not loaded later.
  const { RE2JS, RE2JSException } = await import('re2js')
  const { CASE_INSENSITIVE, DOTALL, MULTILINE } = RE2JS
  const flags =
    (wanted.ignore_case ? CASE_INSENSITIVE : 0) | (wanted.multiline ? DOTALL | MULTILINE : 0)
  try {
    return ok(RE2JS.compile(pattern, flags))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const why = error.message.replace(/^error parsing regexp: /, '')
    return fail(`invalid_pattern: ${why}. The syntax is RE2's, without lookaround and \\1.`)
  }
}

interface Search {
  readonly expression: RE2JS
  readonly breath: Breath
  readonly isOver: () => boolean
}

const cost = (expression: RE2JS, length: number): number => expression.programSize() * (length + 1)

/** Line by line, many lines at a time. */
async function within(
  { expression, breath, isOver }: Search,
  _text: string,
  lines: readonly string[],
): Promise<FoundLines> {
  const hits: number[] = []
  let skipped = false
  let at = 0
  const some = (): void => {
    for (let steps = 0; at < lines.length && steps < STEPS_AT_ONCE; at += 1) {
      const own = cost(expression, lines[at]!.length)
      if (own > LIMITS.search_steps) skipped = true
      else if (expression.test(lines[at]!)) hits.push(at)
      steps += own
    }
  }
  while (at < lines.length && !isOver()) await breath.run(some)
  return { hits, skipped }
}

/** Over the whole text: all lines that a match touches. */
async function across(
  { expression, breath, isOver }: Search,
  text: string,
  lines: readonly string[],
): Promise<FoundLines> {
  if (cost(expression, text.length) > LIMITS.search_steps) return { hits: [], skipped: true }
  const matcher: Matcher = expression.matcher(text)
  const hits: number[] = []
  let line = 0
  let end = lines[0]?.length ?? 0
  const reach = (place: number): void => {
    while (place > end && line + 1 < lines.length) {
      line += 1
      end += 1 + lines[line]!.length
    }
  }
  while (!isOver() && (await breath.run(() => matcher.find()))) {
    reach(matcher.start())
    const from = line
    // A line break at its end does not touch the next line.
    reach(Math.max(matcher.start(), matcher.end() - 1))
    for (let at = from; at <= line; at += 1) if (hits.at(-1) !== at) hits.push(at)
  }
  return { hits, skipped: false }
}
