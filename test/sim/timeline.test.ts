/** A timeline is read by people: who is who, what struck, and what kind of world it was. */

import { describe, expect, it } from 'vitest'
import type { RunFact } from '../../src/core/run/log/facts.ts'
import { factWords, nameOf, short } from './world/names.ts'
import { type Result, simulate } from './world/world.ts'

const RUN = 'run_efg4jy8dnhthqyzxec7ka865cq'
const CALL = 'call_gr3b13ejnkqnnt7spqy3maazq1'

describe('a timeline', () => {
  it('has one short name per run, wherever it appears', () => {
    expect(short(`red/run/${RUN}`)).toBe('red/run/run_a865cq')
    expect(short(`/v1/runs/${RUN}/cancel?a=1`)).toBe('/v1/runs/run_a865cq/cancel?a=1')
    expect(nameOf(`red/run/${RUN}`)).toBe('run_a865cq')
  })

  it('shows the important part of a fact', () => {
    const call = { type: 'tool.call', call: CALL, tool: 'mcp__sim__pay', mode: 'once', epoch: 1 }
    expect(factWords(call as RunFact)).toBe('tool.call pay call_maazq1 once')
    const result = { type: 'tool.result', call: CALL, tool: 'file_read', status: 'ok', text: 'x' }
    expect(factWords(result as RunFact)).toBe('tool.result file_read call_maazq1 ok')
  })

  it('shortens every ID, and gives each actor one name', async () => {
    const { timeline } = await recorded()
    expect(timeline.filter((line) => /_[0-9a-z]{20,}/.test(line))).toEqual([])
    const names = timeline.join('\n').match(/\brun_\w+/g) ?? []
    expect(new Set(names.map((name) => name.length))).toEqual(new Set(['run_a865cq'.length]))
  })

  it('has a line for each fault that strikes', async () => {
    const { timeline, faults } = await recorded()
    const all = Object.values(faults).reduce((sum, count) => sum + count, 0)
    expect(all).toBeGreaterThan(10)
    for (const [kind, count] of Object.entries(faults)) {
      const lines = timeline.filter((line) => line.slice(10).startsWith(`      ! ${kind}`))
      expect(lines, kind).toHaveLength(count)
    }
  })

  it('begins with the world and the client actions', async () => {
    const [first, settings, faults, ...operations] = (await recorded()).header
    expect(first).toMatch(/^seed 1: (sqs|cloudflare|node), \d processes/)
    expect(settings).toContain('flushMs')
    expect(faults).toContain('×')
    expect(operations.join('\n')).toMatch(/create r0 .*plan \(/)
  })

  it('has no influence: a seed runs the same whether it is recorded or not', async () => {
    for (const seed of [1, 2, 3]) {
      const { fingerprint } = await simulate({ seed, record: true })
      expect((await simulate({ seed })).fingerprint).toBe(fingerprint)
    }
  })
})

const recorded = (): Promise<Result> => simulate({ seed: 1, record: true })
