/** Two runs side by side: steps in pairs, what differs first, and sides that can be swapped. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aligned } from '../../../src/console/log/align.ts'
import {
  type Comparison,
  compareRuns,
  type StepPair,
  type Verdict,
} from '../../../src/console/log/compare.ts'
import { readAll } from '../../../src/console/log/conversation.ts'
import { type ChatEvent, EMPTY_TREE, type RunView } from '../../../src/console/log/shape.ts'

const AT = '2026-11-30T00:00:00.000Z'
const idOf = (name: string): string => `run_${name.padEnd(26, '0')}`

interface Tool {
  readonly tool: string
  readonly args?: string
  readonly result?:
    | string
    | { readonly digest: string; readonly bytes: number; readonly preview: string }
  readonly child?: string
}
interface Answer {
  readonly text?: string
  readonly tools?: readonly Tool[]
  /** Message to the run before the answer. */
  readonly message?: string | undefined
}

/** Builds the log of a run by hand. */
function runOf(
  name: string,
  answers: readonly Answer[],
  input = 'Do it.',
  end = 'completed',
): RunView {
  const run_id = idOf(name)
  const events: object[] = []
  const add = (type: string, data: object): void => {
    events.push({ run_id, seq: events.length + 1, type, created_at: AT, data })
  }
  add('run.created', { agent: 'triage', input: [{ role: 'user', text: input }] })
  add('run.started', { agent: 'triage', model: 'openai/x' })
  for (const [step, { text = '', tools = [], message }] of answers.entries()) {
    if (message !== undefined) add('message.received', { by: 'person', text: message })
    const calls = tools.map(({ tool, args = '{}' }, at) => ({
      ...{ type: 'call', id: `call_${name}_${step}_${at}`, tool, arguments: args },
    }))
    const parts = [{ type: 'text', text }, ...calls]
    const plans = calls.map(({ id, tool }) => ({ id, tool, mode: 'once' }))
    const usage = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
    add('assistant.message', { step, model: 'openai/x', usage, parts, calls: plans })
    for (const [at, { result = 'ok', child }] of tools.entries()) {
      const call = `call_${name}_${step}_${at}`
      if (child === undefined)
        add('tool.result', { call, status: 'ok', text: result, duration_ms: step })
      else {
        const spawned = { call, run_id: idOf(child), agent: 'x', label: null, task: 't' }
        add('subagent.spawned', spawned)
        const announce = { ...spawned, status: 'completed', result, duration_ms: 1 }
        add('subagent.announced', { call, announce })
      }
    }
  }
  const stop_reason = end === 'completed' ? 'end_turn' : 'error'
  if (end === 'completed')
    add('run.completed', { stop_reason, output: { text: '', attachments: [] } })
  else add('run.failed', { stop_reason, error: { code: end, message: `${run_id} failed` } })
  return readAll(events as ChatEvent[], EMPTY_TREE).runs[run_id]!
}

const read = (path: string, result?: string): Tool => ({
  ...{ tool: 'file_read', args: JSON.stringify({ path }), ...(result && { result }) },
})
const verdicts = ({ steps }: Comparison): string[] =>
  steps.map(({ verdict, differs }) => [verdict, ...differs].join(' '))

const BASE: readonly Answer[] = [
  { text: 'I look.', tools: [read('a'), read('b')] },
  { tools: [{ tool: 'todo' }] },
  { text: 'done' },
]

describe('the comparison of two runs', () => {
  it('finds no difference between equal runs with other IDs and times', () => {
    const subagents = (child: string): Answer[] => [
      { tools: [{ tool: 'sessions_spawn', child, result: `${idOf(child)} says x` }] },
      { text: `${idOf(child)} is done` },
    ]
    const left = runOf('left', [...BASE, ...subagents('one')])
    const right = runOf('right', [...BASE, ...subagents('two')])
    const comparison = compareRuns(left, right)
    expect(verdicts(comparison)).toEqual(['same', 'same', 'same', 'same', 'same'])
    expect(comparison).toMatchObject({ first: undefined, count: 0, hasSameEnd: true })
  })

  it.each([
    ['the input', BASE, 'Do that.', ['changed received', 'same', 'same']],
    [
      'a message',
      [BASE[0]!, { ...BASE[1], message: 'Stop.' }, BASE[2]!],
      undefined,
      ['same', 'changed received', 'same'],
    ],
    [
      'an answer',
      [...BASE.slice(0, 2), { text: 'Done!' }],
      undefined,
      ['same', 'same', 'changed answer'],
    ],
    [
      'a tool',
      [BASE[0]!, { tools: [{ tool: 'skill' }] }, BASE[2]!],
      undefined,
      ['same', 'changed calls', 'same'],
    ],
    [
      'one more call',
      [{ ...BASE[0], tools: [read('a'), read('c'), read('b')] }, ...BASE.slice(1)],
      undefined,
      ['changed calls', 'same', 'same'],
    ],
    [
      'arguments',
      [{ ...BASE[0], tools: [read('a'), read('c')] }, ...BASE.slice(1)],
      undefined,
      ['changed arguments', 'same', 'same'],
    ],
    [
      'a result',
      [{ ...BASE[0], tools: [read('a'), read('b', 'no')] }, ...BASE.slice(1)],
      undefined,
      ['changed result', 'same', 'same'],
    ],
  ])('names %s that differs', (_, answers, input, expected) => {
    const comparison = compareRuns(runOf('left', BASE), runOf('right', answers as Answer[], input))
    expect(verdicts(comparison)).toEqual(expected)
    expect(comparison.first).toBe(comparison.steps[expected.findIndex((part) => part !== 'same')])
    expect(comparison.count).toBe(1)
  })

  it('pairs the steps after one that only one run has', () => {
    const more: Answer[] = [BASE[0]!, { tools: [read('z')] }, ...BASE.slice(1)]
    const comparison = compareRuns(runOf('left', BASE), runOf('right', more))
    expect(verdicts(comparison)).toEqual(['same', 'right', 'same', 'same'])
    expect(comparison.first).toMatchObject({ left: undefined, right: { step: 1 } })
    expect(verdicts(compareRuns(runOf('left', more), runOf('right', BASE)))[1]).toBe('left')
  })

  it('ignores the order of arguments and the attempts of a model, and compares large texts by digest', () => {
    const args = ['{"a": 1, "b": {"c": 2, "d": 3}}', '{"b":{"d":3,"c":2},"a":1}']
    const [left, right] = args.map((text, at) =>
      runOf(`r${at}`, [{ tools: [{ tool: 'x', args: text }] }]),
    )
    expect(compareRuns(left!, right!).count).toBe(0)
    const large = (digest: string): Answer[] => [
      { tools: [{ tool: 'x', result: { digest, bytes: 9_000, preview: 'same beginning' } }] },
    ]
    const sides = ['d1', 'd1', 'd2'].map((digest, at) => runOf(`l${at}`, large(digest)))
    expect(compareRuns(sides[0]!, sides[1]!).count).toBe(0)
    expect(verdicts(compareRuns(sides[0]!, sides[2]!))).toEqual(['changed result'])
  })

  it('reports another end, and messages without an answer', () => {
    const failed = runOf('right', BASE, undefined, 'model_unavailable')
    expect(compareRuns(runOf('left', BASE), failed)).toMatchObject({ count: 0, hasSameEnd: false })
    const others = runOf('other', BASE, undefined, 'model_unavailable')
    expect(compareRuns(others, failed).hasSameEnd).toBe(true)
    const none = compareRuns(runOf('left', []), runOf('right', [], 'Other.'))
    expect(none.first).toMatchObject({ left: { step: undefined }, differs: ['received'] })
  })

  it('finds no difference between a recorded run and itself', () => {
    const file = fileURLToPath(new URL('../../fixtures/console/conversation.json', import.meta.url))
    const events = JSON.parse(readFileSync(file, 'utf8')) as ChatEvent[]
    for (const run of Object.values(readAll(events, EMPTY_TREE).runs)) {
      expect(compareRuns(run, run)).toMatchObject({ count: 0, hasSameEnd: true })
    }
  })
})

const TOOL = fc.record({
  tool: fc.constantFrom('a', 'b'),
  args: fc.constantFrom('{}', '{"x":1}'),
  result: fc.constantFrom('ok', 'no'),
})
const ANSWERS = fc.array(
  fc.record({
    text: fc.constantFrom('', 'p', 'q'),
    tools: fc.array(TOOL, { maxLength: 3 }),
    message: fc.constantFrom(undefined, undefined, 'm'),
  }),
  { maxLength: 6 },
)

const MIRROR: Readonly<Record<Verdict, Verdict>> = {
  ...{ same: 'same', changed: 'changed', left: 'right', right: 'left' },
}
const mirrored = ({ left, right, verdict, differs, calls }: Omit<StepPair, 'key'>) => ({
  ...{ left: right, right: left, verdict: MIRROR[verdict], differs },
  calls: calls.map((call) => ({ left: call.right, right: call.left, differs: call.differs })),
})

describe('any two runs', () => {
  it('equal themselves, and lose no step and no call', () => {
    fc.assert(
      fc.property(ANSWERS, ANSWERS, (one, other) => {
        const [left, right] = [runOf('left', one), runOf('right', other)]
        expect(compareRuns(left, left).count).toBe(0)
        expect(compareRuns(left, runOf('twin', one)).count).toBe(0)
        const { steps } = compareRuns(left, right)
        for (const [side, run] of [
          ['left', left],
          ['right', right],
        ] as const) {
          const calls = steps.flatMap((pair) => pair.calls.flatMap((call) => call[side] ?? []))
          const all = run.items.filter(({ kind }) => kind === 'call')
          expect(calls.toSorted(byKey)).toEqual(all.toSorted(byKey))
          const numbers = steps.flatMap((pair) => pair[side] ?? []).map(({ step }) => step)
          expect(numbers).toEqual(numbers.toSorted((a = 99, b = 99) => a - b))
        }
      }),
    )
  })

  it('give the mirrored answer when the sides are swapped', () => {
    fc.assert(
      fc.property(ANSWERS, ANSWERS, (one, other) => {
        const [left, right] = [runOf('left', one), runOf('right', other)]
        const [there, back] = [compareRuns(left, right), compareRuns(right, left)]
        expect(back.steps.map(mirrored)).toEqual(there.steps.map(({ key: _, ...pair }) => pair))
      }),
    )
  })
})

const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key.localeCompare(b.key)

describe('an alignment', () => {
  it('has each item once, also in lists that are too long for an exact one', () => {
    const left = Array.from({ length: 2_500 }, (_, at) => `l${at}`)
    const right = [...left.slice(0, 5), ...left.slice(5).map((text) => `${text}r`)]
    const pairs = aligned(left, right, [(text) => text, (text) => text.slice(0, 2)])
    expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left)
    expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(right)
  })
})
