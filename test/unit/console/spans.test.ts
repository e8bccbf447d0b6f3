/** Spans that the console reads from events equal those of an exported trace. */

import { expect, it } from 'vitest'
import type { RunEvent } from '../../../src/client/index.ts'
import { SpanReader } from '../../../src/console/log/spans.ts'
import type { LoggedFact, RunFact } from '../../../src/core/run/log/facts.ts'
import { eventOf } from '../../../src/core/run/views/event.ts'
import { traceOf } from '../../../src/core/trace/context.ts'
import { spansOfRun } from '../../../src/core/trace/run-spans.ts'
import {
  announced,
  answered,
  awaited,
  completed,
  created,
  NOW,
  resulted,
  spawned,
  started,
} from '../../support/facts.ts'

const RUN = 'run_parent'
const logOf = (facts: readonly RunFact[]): LoggedFact<RunFact>[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: NOW + index * 1_000, fact }))

const down = { code: 'model_unavailable', message: 'The model is down.' }
const TRACED = created(traceOf(RUN, undefined, true))
const LOGS: Readonly<Record<string, readonly RunFact[]>> = {
  'an answer with a time': [
    TRACED,
    started({ began_at: NOW + 400 }),
    { ...answered(0), began_at: NOW + 500, duration_ms: 900 } as RunFact,
    completed(),
  ],
  'an answer without a time': [TRACED, started(), answered(0), completed()],
  'calls, one of them refused': [
    TRACED,
    started(),
    answered(0, { one: 'once', two: 'refused', three: 'repeatable' }),
    resulted('three'),
    resulted('one'),
    answered(1),
    completed(),
  ],
  'subagents, one of them awaited': [
    TRACED,
    started(),
    answered(0, { child: 'spawn', other: 'spawn' }),
    spawned('child'),
    awaited('other'),
    { type: 'run.waiting', on: 'subagents', until: null },
    announced('child'),
    announced('other'),
    { type: 'barrier.released', calls: ['child', 'other'], missing: [], reason: 'joined' },
    resulted('other'),
    answered(1),
    completed(),
  ],
  'a model that failed, and then for good': [
    TRACED,
    started(),
    { type: 'run.waiting', on: 'model', until: null, step: 0, attempt: 1, error: down },
    { type: 'run.resumed' },
    { type: 'run.failed', stop_reason: 'error', step: 0, error: down } as unknown as RunFact,
  ],
  'a call without a result at the end': [
    TRACED,
    started(),
    answered(0, { one: 'once' }),
    { type: 'run.cancelled', stop_reason: 'cancelled' } as unknown as RunFact,
  ],
}

it.each(Object.entries(LOGS))('are the same for %s', (_, facts) => {
  const log = logOf(facts)
  const reader = new SpanReader(RUN)
  for (const entry of log) reader.take(eventOf(RUN, entry) as unknown as RunEvent)
  const read = reader.spans.filter(({ kind }) => kind !== 'queued')
  const [, ...exported] = spansOfRun(log)
  expect(exported.length).toBeGreaterThan(0)
  expect(read.map(({ name, start, end }) => ({ name, start, end }))).toEqual(
    exported.map(({ name, start, end }) => ({ name, start, end })),
  )
  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
})
