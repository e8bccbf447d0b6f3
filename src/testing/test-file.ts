/**
 * A test of a pack, `tests/<name>.md`. The front matter defines the agent and the expectations; the
 * text below it is the input.
 *
 *     ---
 *     agent: reviewer                     default: general; also role, repo_dir, model, label,
 *                                         context, output_schema, description, and name
 *                                         (default: the file's name)
 *     script: |                           the scripted model answers (grammar: script.ts)
 *       @call file_read {"path":"a.ts"}
 *       @say Fine.
 *     replay: recordings/review.json      or a recording, relative to this file; with neither,
 *                                         a script in the input, or the configured model
 *     expect:
 *       status: completed                 default; with `waiting` also waiting_on
 *       calls:                            each must match a different call, in any order
 *         - file_read
 *         - { tool: file_read, arguments: { path: a.ts }, is_error: false }
 *       calls_in_order: true              in this order; other calls may come between
 *       no_calls: [file_write]
 *       text: Fine.                       contains; or a list; or contains, not_contains, equals,
 *                                         matches (a regular expression, found anywhere)
 *       output: { findings: [] }          the structured output has at least these members
 *       judge: The answer names the file. or a list; or criterion, model, script
 *     ---
 *     Review a.ts.
 *
 * `arguments` and `output` are subsets: other members can have any value, and lists must have the
 * given length. `expect` is required; an unknown key is an error.
 */

import { z } from 'zod'
import { hasError } from '../core/config/diagnostic.ts'
import { frontMatter } from '../core/config/yaml/frontmatter.ts'
import type { Head } from '../core/config/yaml/head.ts'
import { nearest } from '../lib/nearest-name.ts'
import { fail, type Outcome, ok } from '../lib/outcome.ts'
import { readPattern } from '../lib/pattern.ts'
import { parse, scriptOf } from './script.ts'

const text = z.string('must be a string')
const some = z.array(text, 'must be a string or a list of strings').default([])
/** Converts a single value to a list; lists stay unchanged. */
const toList = (value: unknown): unknown =>
  value === undefined || Array.isArray(value) ? value : [value]
const record = z.record(z.string(), z.unknown(), 'must be a map')

const CALL = {
  tool: text,
  arguments: record.optional(),
  is_error: z.boolean('must be true or false').optional(),
}
const TEXT = {
  contains: z.preprocess(toList, some),
  not_contains: z.preprocess(toList, some),
  equals: text.optional(),
  matches: text.optional(),
}
const JUDGE = { criterion: text, model: text.optional(), script: text.optional() }
const EXPECT = {
  status: z
    .enum(['completed', 'failed', 'cancelled', 'timed_out', 'waiting'], {
      error: 'must be completed, failed, cancelled, timed_out, or waiting',
    })
    .default('completed'),
  waiting_on: z
    .enum(['subagents', 'approval', 'input'], 'must be subagents, approval, or input')
    .optional(),
  calls: z.preprocess(
    (value) => (Array.isArray(value) ? value.map((item) => asMember('tool', item)) : value),
    z.array(strict(CALL), 'must be a list of calls').default([]),
  ),
  calls_in_order: z.boolean('must be true or false').default(false),
  no_calls: z.preprocess(toList, some),
  text: z.preprocess((value) => {
    return typeof value === 'object' && !Array.isArray(value) ? value : { contains: value }
  }, strict(TEXT).optional()),
  output: z.unknown().optional(),
  judge: z.preprocess(
    (value) =>
      value === undefined
        ? []
        : (toList(value) as unknown[]).map((item) => asMember('criterion', item)),
    z.array(strict(JUDGE)),
  ),
}
const HEAD = {
  name: text.optional(),
  description: text.optional(),
  label: text.optional(),
  agent: text.optional(),
  role: text.optional(),
  repo_dir: text.optional(),
  model: text.optional(),
  context: text.optional(),
  output_schema: record.optional(),
  script: text.optional(),
  replay: text.optional(),
  expect: strict(EXPECT),
}

function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, 'must be a map')
}

/** Converts a string to a map with one member; other values stay unchanged. */
function asMember(key: string, value: unknown): unknown {
  return typeof value === 'string' ? { [key]: value } : value
}

const SCHEMA = strict(HEAD)
/** Keys allowed in a test file, by the path of their map; list items add nothing to the path. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(HEAD),
  expect: Object.keys(EXPECT),
  'expect.calls': Object.keys(CALL),
  'expect.text': Object.keys(TEXT),
  'expect.judge': Object.keys(JUDGE),
}

export type Expectations = z.output<typeof SCHEMA>['expect']
export type ExpectedCall = Expectations['calls'][number]
export type JudgeCriterion = Expectations['judge'][number]

export interface TestCase extends Omit<z.output<typeof SCHEMA>, 'name'> {
  readonly name: string
  readonly input: string
}

/**
 * Parses a test file; the failure is a list of sentences with line numbers about its errors. `stem`
 * is the file's name without its extension.
 */
export function parseTest(source: string, stem: string): Outcome<TestCase, readonly string[]> {
  const matter = frontMatter(source)
  if (matter.kind === 'absent')
    return fail(['line 1: missing front matter, which must define `expect`'])
  const problems = matter.found.map(({ line, message }) => at(line, message))
  if (matter.kind === 'broken' || hasError(matter.found)) return fail(problems)
  // Front matter that needed a repair is rejected, because the author's intent is uncertain.
  const repaired = matter.found.filter(({ severity }) => severity === 'warning')
  if (repaired.length > 0) return fail(repaired.map(({ line, message }) => at(line, message)))
  const values = Object.fromEntries([...matter.head].map(([key, { value }]) => [key, value]))
  const read = SCHEMA.safeParse(values)
  if (!read.success) return fail(read.error.issues.flatMap((issue) => faults(issue, matter.head)))
  const input = matter.body.trim()
  const test = { ...read.data, name: read.data.name ?? stem, input }
  const wrong = meaningless(test, matter.head)
  return wrong.length === 0 ? ok(test) : fail(wrong)
}

const at = (line: number | null | undefined, message: string): string =>
  line == null ? message : `line ${line}: ${message}`

function faults(issue: z.core.$ZodIssue, head: Head): string[] {
  const path = issue.path.filter((key) => typeof key === 'string')
  const place = path.join('.')
  const line = path[0] === undefined ? undefined : head.get(path[0])?.line
  if (issue.code !== 'unrecognized_keys') {
    const missing = issue.input === undefined && !head.has(place) && path.length === 1
    return [at(line ?? 1, `\`${place}\` ${missing ? 'is missing' : issue.message}`)]
  }
  return issue.keys.map((key) => {
    const closest = nearest(key, KEYS[place] ?? [])
    const inside = place === '' ? '' : ` in \`${place}\``
    return at(
      line ?? head.get(key)?.line,
      `unknown key \`${key}\`${inside}; did you mean \`${closest}\`?`,
    )
  })
}

/** Returns the errors of a well-formed test file whose test cannot be run. */
function meaningless(test: TestCase, head: Head): string[] {
  const { script, replay, expect, input } = test
  const line = (key: string) => head.get(key)?.line
  const problems: string[] = []
  if (input === '') problems.push('missing input (the text below the front matter is empty)')
  if (script !== undefined && replay !== undefined)
    problems.push(at(line('replay'), '`script` and `replay` are mutually exclusive'))
  const scripts = [script, ...expect.judge.map((entry) => entry.script)]
  for (const scriptText of scripts.filter((candidate) => candidate !== undefined)) {
    const steps =
      scriptOf(scriptText) === ''
        ? 'a script must start with a line such as @say'
        : parse(scriptText)
    if (typeof steps === 'string') problems.push(at(line('script') ?? line('expect'), steps))
  }
  const { matches } = expect.text ?? {}
  const pattern = matches === undefined ? undefined : readPattern(matches)
  if (pattern && !pattern.ok)
    problems.push(at(line('expect'), `\`expect.text.matches\`: ${pattern.error.message}`))
  return problems
}
