/** The axis of a timeline: folded waits, zoom, and ticks. */

import { describe, expect, it } from 'vitest'
import {
  FULL_VIEW,
  moved,
  positionOf,
  scaleOf,
  shareOf,
  ticksOf,
  zoomed,
} from '../../../src/console/log/scale.ts'
import type { Span } from '../../../src/console/log/span.ts'
import type { RunSpans } from '../../../src/console/log/timeline.ts'

const span = (kind: Span['kind'], start: number, end: number): Span => ({
  ...{ id: `${kind} ${start}`, run_id: 'run', kind, name: kind, start, end },
  ...{ outcome: 'ok', seq: 1 },
})

const run = (start: number, end: number, ...spans: readonly Span[]): RunSpans => ({
  ...{ run_id: 'run', depth: 0, agent: 'general', label: null, status: 'completed' },
  ...{ start, end, spans },
})

const HOUR_MS = 3_600_000

describe('the scale', () => {
  it('is linear if the run works all the time', () => {
    const scale = scaleOf([run(0, 1_000, span('model', 0, 1_000))])
    expect(scale).toEqual([{ start: 0, end: 1_000, at: 0, width: 1, isFolded: false }])
    expect(positionOf(scale, 250)).toBe(0.25)
  })

  it('folds a wait that is much longer than the work, and keeps the order of times', () => {
    const model = [span('model', 0, 2_000), span('model', HOUR_MS, HOUR_MS + 2_000)]
    const person = span('person', 2_000, HOUR_MS)
    const scale = scaleOf([run(0, HOUR_MS + 2_000, ...model, person)])
    expect(scale.map(({ isFolded }) => isFolded)).toEqual([false, true, false])
    expect(positionOf(scale, 2_000)).toBeGreaterThan(0.4)
    const times = [-5, 0, 1_000, 2_000, HOUR_MS / 2, HOUR_MS, HOUR_MS + 1_000, 2 * HOUR_MS]
    const positions = times.map((time) => positionOf(scale, time))
    expect(positions).toEqual([...positions].sort((first, second) => first - second))
    expect(positions[0]).toBe(0)
    expect(positions.at(-1)).toBeCloseTo(1)
  })

  it('gives a folded wait a width in which its length can be read', () => {
    const queue = span('queued', 0, 900)
    const scale = scaleOf([run(0, HOUR_MS, queue, span('model', 900, 920))])
    const fold = scale.at(-1)
    expect(fold).toMatchObject({ isFolded: true })
    expect(fold?.width).toBeGreaterThan(0.1)
  })

  it('folds nothing in a run that did not work, nor a wait of less than a second', () => {
    expect(scaleOf([run(0, HOUR_MS)])).toHaveLength(1)
    expect(scaleOf([run(0, 900, span('model', 0, 10))])).toHaveLength(1)
  })

  it('has a width for a run without a duration', () => {
    const scale = scaleOf([run(5, 5)])
    expect(positionOf(scale, 5)).toBe(0)
    expect(scale[0]?.width).toBe(1)
  })
})

describe('the view', () => {
  it('keeps the pointed position in place, and stays within the axis', () => {
    const view = zoomed(FULL_VIEW, 0.5, 0.2)
    expect(view).toEqual({ from: 0.1, to: 0.6 })
    expect(shareOf(view, 0.2)).toBeCloseTo(0.2)
    expect(zoomed(view, 100)).toEqual(FULL_VIEW)
    expect(moved(view, 10)).toEqual({ from: 0.5, to: 1 })
    expect(moved(view, -10)).toEqual({ from: 0, to: 0.5 })
  })

  it('has a smallest size', () => {
    let view = FULL_VIEW
    for (let step = 0; step < 200; step += 1) view = zoomed(view, 0.5)
    expect(view.to - view.from).toBeGreaterThan(0)
  })
})

describe('the ticks', () => {
  it('are round times that lie within the view', () => {
    const scale = scaleOf([run(1_000, 11_000, span('model', 1_000, 11_000))])
    expect(ticksOf(scale, FULL_VIEW, 6).map(({ ms }) => ms)).toEqual([
      ...[0, 2_000, 4_000, 6_000, 8_000, 10_000],
    ])
    const ticks = ticksOf(scale, { from: 0.42, to: 0.44 }, 6)
    expect(ticks.length).toBeGreaterThan(2)
    for (const { position } of ticks) {
      expect(position).toBeGreaterThanOrEqual(0.42)
      expect(position).toBeLessThanOrEqual(0.44)
    }
  })

  it('of long runs are whole minutes or hours', () => {
    const stepOf = (end: number) => {
      const ticks = ticksOf(scaleOf([run(0, end, span('model', 0, end))]), FULL_VIEW, 6)
      return ticks[1]!.ms - ticks[0]!.ms
    }
    expect(stepOf(6 * 60_000)).toBe(60_000)
    expect(stepOf(HOUR_MS)).toBe(10 * 60_000)
  })

  it('are few, whatever the length of the run', () => {
    for (const end of [1, 10, 999, 60_000, 86_400_000 * 30]) {
      const scale = scaleOf([run(0, end, span('model', 0, end))])
      expect(ticksOf(scale, FULL_VIEW, 6).length).toBeLessThanOrEqual(13)
    }
  })
})
