/** Lines of `strata run` about models that fail, and about warnings. */

import { expect, it } from 'vitest'
import { shownRun } from '../../../src/cli/run-output.ts'
import { terminal } from '../../support/terminal.ts'

function linesOf(...events: readonly (readonly [type: string, data: object])[]): string[] {
  const heard = terminal({})
  const shown = shownRun(heard)
  const created_at = '2026-11-29T15:00:00.000Z'
  for (const [at, [type, data]] of events.entries())
    shown.show({ seq: at + 1, type, run_id: 'run_1', created_at, data: { ...data } })
  shown.end()
  return heard.lines()
}

it('a wait for a model shows the reason, the failed attempt, and the end of the wait', () => {
  const error = { code: 'model_unavailable', message: 'a answered 503: overloaded' }
  const until = '2026-11-29T15:00:04.000Z'
  const gives_up_at = '2026-11-29T16:00:00.000Z'
  const waits = { on: 'model', until, attempt: 2, error, gives_up_at }
  const [event, more] = linesOf(['run.waiting', waits])
  expect(event).toBe('15:00:00    1 run.waiting model_unavailable: a answered 503: overloaded')
  expect(more).toMatch(
    /^ {5}attempt 2 of the model call failed; retries at 15:00:04(?: \(in \d+ s\))?, gives up at 16:00:00; to retry now, run strata retry run_1$/,
  )
})

it('a subagent that waits for its model is shown with the command that explains why', () => {
  const data = { on: 'model', run_id: 'run_2', until: '2026-11-29T16:00:00.000Z' }
  expect(linesOf(['subagent.waiting', data])[1]).toBe(
    '     a subagent waits for its model, gives up at 16:00:00; for details, run strata tail run_2',
  )
})

it('a model that a fallback replaces is named with its reason', () => {
  const tried = [{ model: 'a/one', code: 'rate_limited', message: 'a answered 429: slow down' }]
  const data = { step: 0, parts: [], calls: [], model: 'b/two', tried }
  expect(linesOf(['assistant.message', data])).toContain(
    '     a/one did not respond (rate_limited: a answered 429: slow down); b/two answered instead',
  )
})

it('a warning is one line, however many events repeat it, and information is not shown', () => {
  const warnings = [
    { code: 'unknown_tool', message: 'unknown tool `x`' },
    { code: 'tools_deferred', message: 'they are found by tool_search' },
  ]
  const lines = linesOf(['run.created', { warnings }], ['run.started', { warnings }])
  expect(lines.filter((line) => line.includes('unknown tool'))).toHaveLength(1)
  expect(lines).toContain('     note tools_deferred: they are found by tool_search')
  expect(lines.at(-1)).toBe('1 warning, above')
})
