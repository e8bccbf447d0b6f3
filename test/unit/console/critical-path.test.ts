/** Critical paths of built logs, as computed by hand, and the laws that hold for each path. */

import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../../src/client/index.ts'
import { causesOf, criticalPath } from '../../../src/console/log/critical-path.ts'
import { timelineOf } from '../../../src/console/log/timeline.ts'

const ROOT = 'root'
/** Milliseconds at which each log begins. */
const ORIGIN = Date.parse('2026-11-23T10:00:00.000Z')
const iso = (ms: number): string => new Date(ORIGIN + ms).toISOString()

type Entry = readonly [ms: number, type: string, data?: object]

const logOf = (run_id: string, ...entries: readonly Entry[]): RunEvent[] =>
  entries.map(([ms, type, data = {}], index) => {
    const seq = index + 1
    return { id: `${run_id} ${seq}`, type, run_id, seq, created_at: iso(ms), data }
  }) as unknown as RunEvent[]

const created = (ms: number): Entry => [ms, 'run.created', { agent: 'general', label: null }]
const started = (ms: number): Entry => [
  ms,
  'run.started',
  { agent: 'general', model: 'test/m', began_at: iso(ms) },
]
/** A model answer that began at one time and ended at another, with the calls that it requests. */
const answer = (from: number, to: number, step: number, ...calls: readonly string[]): Entry => [
  to,
  'assistant.message',
  {
    ...{ step, model: 'test/m', began_at: iso(from), duration_ms: to - from, parts: [] },
    calls: calls.map((id) => ({ id, tool: id.startsWith('spawn') ? 'spawn' : id, mode: 'once' })),
  },
]
const result = (from: number, to: number, call: string): Entry => [
  to,
  'tool.result',
  { call, tool: call, status: 'ok', began_at: iso(from), duration_ms: to - from },
]
/** A call that was denied, so it never began. */
const denied = (ms: number, call: string): Entry => [
  ms,
  'tool.result',
  { call, tool: call, status: 'error', duration_ms: 0 },
]
const spawned = (ms: number, name: string, wait = false): Entry => [
  ms,
  'subagent.spawned',
  { call: `spawn ${name}`, run_id: name, agent: name, label: name, wait },
]
const announced = (ms: number, name: string): Entry => [
  ms,
  'subagent.announced',
  { call: `spawn ${name}`, announce: { run_id: name, status: 'completed', duration_ms: 1 } },
]
const waiting = (ms: number, on: string, more: object = {}): Entry => [
  ms,
  'run.waiting',
  { on, until: null, ...more },
]
const released = (ms: number, reason = 'joined'): Entry => [
  ms,
  'barrier.released',
  { calls: [], missing: [], reason },
]
const ended = (ms: number, type = 'run.completed'): Entry => [
  ms,
  type,
  { stop_reason: 'end_turn', output: { attachments: [] } },
]

/** A subagent that is queued for 2 ms and then calls the model until its end. */
const child = (name: string, from: number, to: number): RunEvent[] =>
  logOf(name, created(from), started(from + 2), answer(from + 2, to, 0), ended(to))

/** Returns the path as one line per segment: run, cause, start, and end. */
function pathOf(events: readonly RunEvent[], now = 10_000): string[] {
  const rows = timelineOf(events, ROOT, ORIGIN + now)
  const path = criticalPath(rows)
  const [root] = rows
  let at = root!.start
  for (const { start, end } of path) {
    expect(start).toBe(at)
    expect(end).toBeGreaterThan(start)
    at = end
  }
  expect(at).toBe(root!.end)
  const sum = Object.values(causesOf(path)).reduce((total, ms) => total + ms, 0)
  expect(sum).toBe(root!.end - root!.start)
  return path.map(({ run_id, cause, start, end }) => {
    return `${run_id} ${cause} ${start - ORIGIN}-${end - ORIGIN}`
  })
}

const LOGS: readonly [string, readonly RunEvent[], readonly string[]][] = [
  [
    'one answer after a queue',
    logOf(ROOT, created(0), started(30), answer(30, 90, 0), ended(90)),
    ['root queue 0-30', 'root model 30-90'],
  ],
  [
    'two tools of a step, of which the later one counts',
    logOf(
      ROOT,
      ...[created(0), started(0), answer(0, 40, 0, 'a', 'b')],
      ...[result(40, 60, 'a'), result(40, 95, 'b'), answer(95, 120, 1), ended(120)],
    ),
    ['root model 0-40', 'root tool 40-95', 'root model 95-120'],
  ],
  [
    'time between the answer and the tool, and before the end, which no event explains',
    logOf(
      ROOT,
      ...[created(0), started(0), answer(0, 40, 0, 'a'), result(55, 60, 'a')],
      ...[answer(60, 100, 1), ended(112)],
    ),
    [
      ...['root model 0-40', 'root unexplained 40-55', 'root tool 55-60', 'root model 60-100'],
      'root unexplained 100-112',
    ],
  ],
  [
    'a subagent that the run waits for',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 40, 0, 'spawn kid'), spawned(41, 'kid')],
        ...[waiting(42, 'subagents'), announced(205, 'kid'), released(206)],
        ...[answer(206, 230, 1), ended(230)],
      ),
      ...child('kid', 45, 200),
    ],
    [
      ...['root model 0-40', 'root tool 40-41', 'root unexplained 41-45'],
      ...['kid queue 45-47', 'kid model 47-200', 'root queue 200-206', 'root model 206-230'],
    ],
  ],
  [
    'the subagent that was announced last, of three',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn one', 'spawn two', 'spawn three')],
        ...[spawned(10, 'one'), spawned(10, 'two'), spawned(10, 'three')],
        ...[waiting(10, 'subagents'), announced(50, 'one'), announced(80, 'three')],
        ...[announced(90, 'two'), released(90), answer(90, 100, 1), ended(100)],
      ),
      ...child('one', 10, 50),
      ...child('two', 10, 90),
      ...child('three', 10, 80),
    ],
    ['root model 0-10', 'two queue 10-12', 'two model 12-90', 'root model 90-100'],
  ],
  [
    'a subagent of a subagent',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn kid'), spawned(10, 'kid')],
        ...[waiting(10, 'subagents'), announced(90, 'kid'), released(90)],
        ...[answer(90, 100, 1), ended(100)],
      ),
      ...logOf(
        'kid',
        ...[created(10), started(12), answer(12, 20, 0, 'spawn grandkid')],
        ...[spawned(20, 'grandkid'), waiting(20, 'subagents'), announced(70, 'grandkid')],
        ...[released(70), answer(70, 90, 1), ended(90)],
      ),
      ...child('grandkid', 20, 68),
    ],
    [
      ...['root model 0-10', 'kid queue 10-12', 'kid model 12-20', 'grandkid queue 20-22'],
      ...['grandkid model 22-68', 'kid queue 68-70', 'kid model 70-90', 'root model 90-100'],
    ],
  ],
  [
    'an approval, and the tool after it',
    logOf(
      ROOT,
      ...[created(0), started(0), answer(0, 20, 0, 'mail')],
      [20, 'approval.requested', { id: 'apr', call: 'mail', tool: 'mail' }],
      waiting(20, 'approval'),
      [5_020, 'approval.decided', { id: 'apr', call: 'mail', decision: 'approve' }],
      ...[[5_020, 'run.resumed'] as const, result(5_025, 5_045, 'mail')],
      ...[answer(5_045, 5_060, 1), ended(5_060)],
    ),
    [
      ...['root model 0-20', 'root person 20-5020', 'root unexplained 5020-5025'],
      ...['root tool 5025-5045', 'root model 5045-5060'],
    ],
  ],
  [
    'an approval in a subagent, which is on the path of the root',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn kid'), spawned(10, 'kid')],
        ...[waiting(10, 'subagents'), announced(400, 'kid'), released(400)],
        ...[answer(400, 410, 1), ended(410)],
      ),
      ...logOf(
        'kid',
        ...[created(10), started(10), answer(10, 30, 0, 'mail')],
        [30, 'approval.requested', { id: 'apr', call: 'mail', tool: 'mail' }],
        waiting(30, 'approval'),
        [350, 'approval.decided', { id: 'apr', call: 'mail', decision: 'deny' }],
        ...[[350, 'run.resumed'] as const, denied(350, 'mail'), answer(350, 400, 1), ended(400)],
      ),
    ],
    [
      ...['root model 0-10', 'kid model 10-30', 'kid person 30-350', 'kid model 350-400'],
      'root model 400-410',
    ],
  ],
  [
    'a model that failed once, whose retry waited',
    logOf(
      ROOT,
      ...[created(0), started(0)],
      waiting(100, 'model', { step: 0, attempt: 1, error: { code: 'x', message: 'down' } }),
      ...[[600, 'run.resumed'] as const, answer(600, 650, 0), ended(650)],
    ),
    ['root model 0-100', 'root model 100-600', 'root model 600-650'],
  ],
  [
    'a barrier that was released by its deadline, not by a subagent',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn kid'), spawned(10, 'kid')],
        ...[waiting(10, 'subagents'), released(300, 'deadline')],
        ...[answer(300, 320, 1), ended(320)],
      ),
      ...logOf('kid', created(10), started(10), ended(301, 'run.cancelled')),
    ],
    ['root model 0-10', 'root wait 10-300', 'root model 300-320'],
  ],
  [
    'a subagent whose answer is the result of its call, beside a quick tool',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn kid', 'a'), spawned(10, 'kid', true)],
        ...[result(10, 15, 'a'), announced(82, 'kid')],
        [82, 'tool.result', { call: 'spawn kid', tool: 'spawn', status: 'ok', duration_ms: 70 }],
        ...[answer(82, 90, 1), ended(90)],
      ),
      ...child('kid', 12, 80),
    ],
    [
      ...['root model 0-10', 'root unexplained 10-12', 'kid queue 12-14', 'kid model 14-80'],
      ...['root queue 80-82', 'root model 82-90'],
    ],
  ],
  [
    'a live run that waits for a live subagent, up to now',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn kid'), spawned(10, 'kid')],
        waiting(10, 'subagents'),
      ),
      ...logOf('kid', created(10), started(15), answer(15, 40, 0, 'a')),
    ],
    [...['root model 0-10', 'kid queue 10-15', 'kid model 15-40', 'kid tool 40-10000']],
  ],
  [
    'a live run that waits for an approval of its subagent',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn kid'), spawned(10, 'kid')],
        ...[waiting(10, 'subagents'), waiting(40, 'approval')],
      ),
      ...logOf(
        'kid',
        ...[created(10), started(10), answer(10, 30, 0, 'mail')],
        [30, 'approval.requested', { id: 'apr', call: 'mail', tool: 'mail' }],
        waiting(31, 'approval'),
      ),
    ],
    ['root model 0-10', 'kid model 10-30', 'kid person 30-10000'],
  ],
  [
    'a wait whose end was recorded together with the answer after it',
    [
      ...logOf(
        ROOT,
        ...[created(0), started(0), answer(0, 10, 0, 'spawn one', 'spawn two')],
        ...[spawned(60, 'one'), spawned(60, 'two'), answer(20, 40, 1), waiting(60, 'subagents')],
        ...[announced(150, 'two'), announced(150, 'one'), [150, 'run.resumed'] as const],
        ...[released(150), answer(110, 140, 2), ended(150)],
      ),
      ...child('one', 12, 90),
      ...child('two', 12, 100),
    ],
    [
      ...['root model 0-10', 'root unexplained 10-12', 'two queue 12-14', 'two model 14-100'],
      ...['root queue 100-110', 'root model 110-140', 'root unexplained 140-150'],
    ],
  ],
  [
    'a live run in its first model call',
    logOf(ROOT, created(0), started(20)),
    ['root queue 0-20', 'root model 20-10000'],
  ],
]

describe('the critical path', () => {
  it.each(LOGS)('of %s', (_, events, expected) => {
    expect(pathOf(events)).toEqual(expected)
  })

  it('does not depend on the order of events, nor on duplicates', () => {
    for (const [, events, expected] of LOGS) {
      expect(pathOf([...events, ...events].reverse())).toEqual(expected)
    }
  })

  it('is empty if no event of the root is known', () => {
    expect(criticalPath(timelineOf([], ROOT, ORIGIN))).toEqual([])
  })
})
