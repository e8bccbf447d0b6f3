/** Rows of a timeline, merged bars, and the commands that create a run again. */

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { Span } from '../../../src/console/log/span.ts'
import type { RunSpans } from '../../../src/console/log/timeline.ts'
import { type Bar, mergedBars, timelineRows } from '../../../src/console/log/timeline-rows.ts'
import { commandsFor } from '../../../src/console/run/copy-as.ts'

const span = (id: string, start: number, more: Partial<Span> = {}): Span => ({
  ...{ id, run_id: 'root', kind: 'tool', name: id, start, end: start + 5 },
  ...{ outcome: 'ok', seq: 1 },
  ...more,
})

const run = (run_id: string, start: number, more: Partial<RunSpans> = {}): RunSpans => ({
  ...{ run_id, depth: 0, agent: run_id, label: null, status: 'completed' },
  ...{ start, end: start + 100, spans: [] },
  ...more,
})

const ROOT = run('root', 0, {
  spans: [
    span('model', 0, { kind: 'model' }),
    span('spawn', 6, { child: 'kid' }),
    span('late', 50),
  ],
})
const KID = run('kid', 10, { parent: 'root', depth: 1, spans: [span('kid model', 12)] })

const keys = (isOpen: (id: string) => boolean) =>
  timelineRows([ROOT, KID], isOpen).map(({ key, level }) => `${level} ${key}`)

describe('the rows', () => {
  it('show a subagent at its start, in place of the call that started it', () => {
    expect(keys((id) => id === 'root')).toEqual(['1 root', '2 model', '2 kid', '2 late'])
    expect(keys(() => true)).toEqual(['1 root', '2 model', '2 kid', '3 kid model', '2 late'])
    expect(keys(() => false)).toEqual(['1 root'])
  })

  it('show the call if no event of the subagent has arrived', () => {
    const rows = timelineRows([ROOT], () => true)
    expect(rows.map(({ key }) => key)).toEqual(['root', 'model', 'spawn', 'late'])
  })
})

describe('narrow bars', () => {
  const bar = (from: number, to: number): Bar => ({ span: span('a', 0), from, to, count: 1 })

  it('are merged with their neighbors, and counted', () => {
    const bars = [bar(0.3, 0.5), bar(0, 0.0001), bar(0.0005, 0.0006), bar(0.0008, 0.0009)]
    expect(mergedBars(bars, 0.002).map(({ from, count }) => [from, count])).toEqual([
      [0, 3],
      [0.3, 1],
    ])
  })

  it('are as few as the width has room for', () => {
    const bars = Array.from({ length: 5_000 }, (_, index) => bar(index / 5_000, index / 5_000))
    expect(mergedBars(bars, 0.002).length).toBeLessThanOrEqual(500)
  })
})

describe('the copied command', () => {
  it('passes the request to curl unchanged, and contains no key', () => {
    const request = JSON.stringify({ input: 'it\'s "quoted" $HOME `id` \\\n done' })
    const [curl] = commandsFor(request, 'https://strata.example.com')
    const script = `curl() { printf '%s' "\${@: -1}"; }; ${curl?.command}`
    const sent = execFileSync('bash', ['-c', script], { env: {} }).toString()
    expect(sent).toBe(request)
    expect(curl?.command).toContain('Bearer $STRATA_API_KEY')
  })
})
