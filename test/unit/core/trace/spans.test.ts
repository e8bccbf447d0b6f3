/** Traces as a reading of a log: whole, a tree, no doubles, the same each time. */

import { describe, expect, it } from 'vitest'
import type { LoggedFact, RunFact } from '../../../../src/core/run/log/facts.ts'
import {
  parseTraceparent,
  runSpan,
  traceOf,
  traceparent,
} from '../../../../src/core/trace/context.ts'
import { spansOfRun } from '../../../../src/core/trace/run-spans.ts'
import type { Span } from '../../../../src/core/trace/span.ts'
import {
  announced,
  answered,
  completed,
  created,
  NOW,
  spawned,
  started,
} from '../../../support/facts.ts'

const GIVEN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const TRACED = traceOf('run_parent', GIVEN, true)

const logOf = (...facts: RunFact[]): LoggedFact<RunFact>[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: NOW + index * 1_000, fact }))

/** Each span is named once, all hang on the first one, none ends before it begins. */
function expectTree(spans: readonly Span[]): void {
  const [root, ...rest] = spans
  expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length)
  const ids = new Set(spans.map(({ id }) => id))
  for (const { parent, start, end, trace } of rest) {
    expect(ids.has(parent ?? '')).toBe(true)
    expect(end).toBeGreaterThanOrEqual(start)
    expect(trace).toBe(root?.trace)
  }
}

describe('the spans of a run', () => {
  const whole = logOf(
    created(TRACED),
    started(),
    answered(0, { child: 'spawn' }),
    spawned('child'),
    { type: 'run.waiting', on: 'subagents', until: null },
    announced('child'),
    { type: 'barrier.released', calls: [], missing: [], reason: 'joined' },
    { type: 'run.waiting', on: 'model', until: null, step: 1, attempt: 1, error: down() },
    { type: 'run.resumed' },
    answered(1),
    completed(),
  )

  it('cover each operation, below the span of the run', () => {
    const spans = spansOfRun(whole)
    expectTree(spans)
    expect(spans[0]).toMatchObject({ id: runSpan('run_parent'), parent: '00f067aa0ba902b7' })
    const names = spans.map(({ name }) => name).sort()
    expect(names).toEqual([
      'chat model',
      'chat model',
      'chat model',
      'execute_tool sessions_spawn',
      'invoke_agent general',
      'wait model',
      'wait subagents',
    ])
    const failed = spans.filter(({ error }) => error !== undefined)
    expect(failed).toMatchObject([{ name: 'chat model', error: { type: 'model_unavailable' } }])
  })

  it('link a wait and a spawn to the subagent, whose root span is a child of the call', () => {
    const spans = spansOfRun(whole)
    const call = spans.find(({ name }) => name.startsWith('execute_tool'))!
    const [link] = call.links ?? []
    expect(spans.find(({ name }) => name === 'wait subagents')?.links).toEqual([link])
    const child = spansOfRun(
      logOf(
        created({
          ...TRACED,
          id: 'run_child',
          parent: parentOf(String(call.attributes['gen_ai.tool.call.id'])),
        }),
        started(),
        answered(0),
        completed(),
      ),
    )
    expect(child[0]).toMatchObject({ trace: spans[0]?.trace, parent: call.id })
  })

  it('are deterministic for the same log', () => {
    expect(spansOfRun(structuredClone(whole))).toEqual(spansOfRun(whole))
  })

  it('are empty before the end, and when the trace is only propagated', () => {
    expect(spansOfRun(whole.slice(0, -1))).toEqual([])
    expect(spansOfRun(logOf(created(), started(), answered(0), completed()))).toEqual([])
    const passed = traceOf('run_parent', GIVEN, false)
    expect(spansOfRun(logOf(created(passed), started(), answered(0), completed()))).toEqual([])
  })

  it('end with the run when an operation was in flight', () => {
    const cancelled = { type: 'run.cancelled', stop_reason: 'cancelled', reason: null } as const
    const spans = spansOfRun(
      logOf(created(TRACED), started(), answered(0, { fetch: 'once' }), cancelled),
    )
    expectTree(spans)
    const [, , call] = spans
    expect(call).toMatchObject({ name: 'execute_tool tool', error: { type: 'run_ended' } })
  })
})

describe('a traceparent', () => {
  it.each([
    undefined,
    '',
    'nonsense',
    GIVEN.toUpperCase(),
    `${GIVEN}-more`,
    `${GIVEN}, ${GIVEN}`,
    GIVEN.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
    `00-${'a'.repeat(31)}-00f067aa0ba902b7-01`,
  ])('is ignored when invalid: %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined()
    expect(traceOf('run_x', header, false)).toEqual({})
    expect(traceOf('run_x', header, true).trace?.caller).toBeUndefined()
  })

  it('of a later version may have more members', () => {
    expect(parseTraceparent(`${GIVEN.replace('00-', '01-')}-more`)?.sampled).toBe(true)
  })

  it('is sent with the exported span’s ID, and unchanged when spans are not exported', () => {
    expect(traceparent(TRACED, 'b'.repeat(16))).toBe(
      GIVEN.replace('00f067aa0ba902b7', 'b'.repeat(16)),
    )
    expect(traceparent(traceOf('run_x', GIVEN, false), 'b'.repeat(16))).toBe(GIVEN)
    const quiet = GIVEN.replace(/01$/, '00')
    expect(traceparent(traceOf('run_x', quiet, true), 'b'.repeat(16))).toBe(quiet)
    expect(traceparent({}, 'b'.repeat(16))).toBeUndefined()
  })
})

function down() {
  return { code: 'model_unavailable', message: 'it is down' }
}
function parentOf(call: string) {
  return { run_id: 'run_parent', call, session_id: 'ses_parent' }
}
