/** Filters, scales, differences and commands of the console, without a browser. */

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlOf } from '../../src/console/pages/run/as-text.ts'
import { differences } from '../../src/console/pages/run/config-diff.ts'
import { marksOf, markText, moved, showing, zoomed } from '../../src/console/pages/run/scale.ts'
import { filtersOf, pairOf, queryOf } from '../../src/console/pages/runs/filters.ts'
import { RUN_CONFIGS } from '../../src/http/examples/run-config.ts'

describe('filters of the list of runs', () => {
  it('a pair is cut at the first =, and what has none is no pair', () => {
    expect(pairOf('q=a=b')).toEqual(['q', 'a=b'])
    expect(pairOf(' team = red ')).toEqual(['team', 'red'])
    expect(pairOf('team=')).toEqual(['team', ''])
    for (const none of ['team', '=x', ' =x', '']) expect(pairOf(none)).toBeUndefined()
  })

  it('an address may hold numbers and what is no filter', () => {
    const search = { q: 7, status: 'failed', label: '  ', tab: 'x', metadata: 'a=b=c' }
    expect(filtersOf(search)).toEqual({ q: '7', status: 'failed', metadata: 'a=b=c' })
  })

  it('the API is asked for the times, the pair and the rest', () => {
    const now = Date.parse('2026-01-02T00:00:00Z')
    const given = { q: 'x', since: 'day', metadata: 'a=b=c', until: '2026-01-03T00:00:00.000Z' }
    expect(queryOf(given, now)).toEqual({
      q: 'x',
      'created[gte]': '2026-01-01T00:00:00.000Z',
      'created[lt]': '2026-01-03T00:00:00.000Z',
      'metadata.a': 'b=c',
    })
    expect(queryOf({ from: 'f', since: 'never' }, now)).toEqual({ 'created[gte]': 'f' })
  })
})

describe('the scale of a timeline', () => {
  const whole = { from: 1_000, to: 11_000 }

  it('zooms about a point, stays within the whole, and is the whole again in the end', () => {
    expect(zoomed(whole, whole, 0.5, 0.5)).toEqual({ from: 3_500, to: 8_500 })
    expect(zoomed(whole, whole, 0.5, 0)).toEqual({ from: 1_000, to: 6_000 })
    expect(zoomed({ from: 3_500, to: 8_500 }, whole, 2)).toBeUndefined()
    let view = whole
    for (let count = 0; count < 100; count += 1) view = zoomed(view, whole, 0.5, 1) ?? whole
    expect(view.to - view.from).toBeCloseTo(5)
    expect(view.to).toBeCloseTo(11_000)
  })

  it('moves to the ends and no further, and to a span that is out of sight', () => {
    const view = { from: 3_000, to: 5_000 }
    expect(moved(view, whole, 0.25)).toEqual({ from: 3_500, to: 5_500 })
    expect(moved(view, whole, -9)).toEqual({ from: 1_000, to: 3_000 })
    expect(moved(view, whole, 9)).toEqual({ from: 9_000, to: 11_000 })
    expect(showing(view, whole, { from: 4_000, to: 9_000 })).toEqual(view)
    expect(showing(view, whole, { from: 8_000, to: 9_000 })).toEqual({ from: 7_500, to: 9_500 })
  })

  it('marks are round, few and within', () => {
    for (const width of [5, 37, 900, 12_345, 61_000, 3_600_000, 90_000_000]) {
      const view = { from: 7_000, to: 7_000 + width }
      const marks = marksOf(view, { from: 0, to: 1e9 }, 6)
      expect([width, marks.length >= 1, marks.length <= 8]).toEqual([width, true, true])
      for (const mark of marks) expect(mark >= view.from && mark <= view.to).toBe(true)
      expect(new Set(marks.map(markText)).size).toBe(marks.length)
    }
    expect([0, 250, 1_500, 150_000, 4_500_000].map(markText)).toEqual([
      ...['0', '250 ms', '1.5 s', '2:30', '1:15:00'],
    ])
  })
})

describe('configurations of two runs', () => {
  const config = RUN_CONFIGS[0] as unknown as Parameters<typeof differences>[0]

  it('equal ones have no difference, in whatever order their members stand', () => {
    const turned = Object.fromEntries(Object.entries(config).reverse()) as typeof config
    expect(differences(config, turned)).toEqual([])
    expect(differences(config, { ...config, run_id: 'run_other' })).toEqual([])
  })

  it('each difference has both values', () => {
    const [tool] = config.tools
    const next = {
      ...config,
      prompt: 'Other.',
      limits: { ...config.limits, max_steps: 7 },
      tools: [...config.tools.slice(1), { ...tool!, name: 'more' }],
    }
    expect(differences(config, next)).toEqual([
      { part: 'prompt', name: '', change: 'changed', before: config.prompt, after: 'Other.' },
      { part: 'limits', name: 'max_steps', change: 'changed', before: '20', after: '7' },
      expect.objectContaining({ part: 'tools', name: tool!.name, change: 'removed', after: '' }),
      expect.objectContaining({ part: 'tools', name: 'more', change: 'added', before: '' }),
    ])
  })
})

describe('a request as a command', () => {
  /** What a real shell hands to curl. */
  const sent = (body: unknown): unknown => {
    const script = `curl() { while [ $# -gt 0 ]; do
      if [ "$1" = --data-binary ]; then
        if [ "$2" = @- ]; then cat; else printf %s "$2"; fi
      fi; shift; done; }\n${curlOf('http://host', body)}`
    const given = execFileSync('bash', { input: script, encoding: 'utf8' })
    return JSON.parse(given)
  }

  it('a shell hands it on as it is, whatever it holds and however long', () => {
    const words = [
      "'",
      "'; id; '",
      '"$HOME" `id` !x',
      '\\ \n \t \0 \u2028',
      '$(id)',
      "''''",
      '中文 🙂',
    ]
    for (const input of [...words, 'STRATA_REQUEST\nSTRATA_REQUEST']) {
      expect(sent({ input })).toEqual({ input })
      const long = { input, more: `${input} x`.repeat(20_000) }
      expect(sent(long)).toEqual(long)
    }
  })
})
