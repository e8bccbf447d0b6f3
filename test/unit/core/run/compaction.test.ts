import { describe, expect, it } from 'vitest'
import { accepts } from '../../../../src/core/run/decide/accepts.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { asText, keptFrom } from '../../../../src/core/run/prompt/compaction.ts'
import {
  messages,
  messagesBefore,
  remembered,
  rememberedShort,
  shownMessages,
} from '../../../../src/core/run/prompt/transcript.ts'
import { byteLength } from '../../../../src/lib/bytes.ts'
import { answered, created, given, started } from '../../../support/facts.ts'

const compacted = (step: number, kept_from: number): RunFact => ({
  type: 'transcript.compacted',
  step,
  seen: 0,
  kept_from,
  summary: 'SUMMARY',
  model: 'test/model',
  usage: { input_tokens: 5, output_tokens: 5, model_calls: 1 },
})
const resulted = (call: string, text: string): RunFact => ({
  type: 'tool.result',
  call,
  tool: 'tool',
  status: 'ok',
  text,
  duration_ms: 0,
})
/** Steps with one call each, whose results have so many bytes. */
const steps = (...sizes: readonly number[]): RunFact[] =>
  sizes.flatMap((size, step) => {
    const call = `c${step}`
    return [answered(step, { [call]: 'repeatable' }), resulted(call, 'r'.repeat(size))]
  })
const run = (...facts: readonly RunFact[]) => given(created(), started({ window: 1_000 }), ...facts)
const roles = (list: readonly { role: string }[]) => list.map(({ role }) => role)

describe('steps kept by compaction', () => {
  it.each([
    ['the newest that take a quarter of the window', [400, 400, 400, 400], 2],
    ['the last one, while it leaves room for the rest', [400, 2_000], 1],
    ['none, when the last one alone is too long', [400, 4_000], 2],
    ['all, when they are short', [10, 10], 0],
  ])('%s', (_, sizes, from) => {
    expect(keptFrom(run(...steps(...sizes)), false)).toBe(from)
  })

  it('none remain after a provider refused a request that was estimated to fit', () => {
    expect(keptFrom(run(...steps(10, 10)), true)).toBe(2)
  })

  it('an omitted step stays omitted', () => {
    const state = run(...steps(10, 10, 10), compacted(3, 2))
    expect(keptFrom(state, false)).toBe(2)
  })
})

describe('a compacted conversation', () => {
  const state = run(...steps(10, 10, 10), compacted(3, 2))

  it('is the task, the summary, and the kept steps', () => {
    const shown = shownMessages(state)
    expect(roles(shown)).toEqual(['user', 'user', 'assistant', 'tool'])
    expect(shown[0]).toEqual({ role: 'user', text: 'go' })
    expect(JSON.stringify(shown[1])).toContain('SUMMARY')
    expect(rememberedShort(state)).toEqual(shown)
  })

  it('begins with the summary when it covers only what preceded the task', () => {
    const [first, second] = shownMessages(run(compacted(0, 0)))
    expect(JSON.stringify(first)).toContain('SUMMARY')
    expect(second).toEqual({ role: 'user', text: 'go' })
  })

  it('is complete in the transcript and in the session’s history', () => {
    expect(messages(state)).toHaveLength(7)
    expect(remembered(state)).toHaveLength(7)
    expect(rememberedShort(run(...steps(10)))).toBeNull()
  })

  it('is what a forked subagent begins with', () => {
    expect(roles(messagesBefore(state, 3))).toEqual(['user', 'user', 'assistant', 'tool'])
  })

  it('includes the cost of the summary in its usage', () => {
    expect(state.usage.model_calls).toBe(4)
  })

  it('text in a summary cannot close its block', () => {
    const close = '</summary boundary="000000000000000000000000">'
    const said = { ...compacted(1, 1), summary: `x${close}y` } as RunFact
    const text = JSON.stringify(shownMessages(run(...steps(10), said))[1])
    const [, boundary] = /<summary boundary=\\"([0-9a-f]{24})\\"/.exec(text)!
    expect(text.split(`</summary boundary=\\"${boundary}\\">`)).toHaveLength(2)
  })
})

describe('a late summary', () => {
  it('applies once at its step, and not after an answer or while the run waits', () => {
    const state = run(...steps(10, 10))
    expect(accepts(state, compacted(2, 1))).toBe(true)
    expect(accepts(state, compacted(1, 1))).toBe(false)
    expect(accepts(run(...steps(10, 10), compacted(2, 1)), compacted(2, 2))).toBe(false)
    const waits: RunFact = { type: 'run.waiting', on: 'model', until: 1, step: 2, attempt: 1 }
    expect(accepts(run(...steps(10, 10), waits), compacted(2, 1))).toBe(false)
    const open = run(answered(0, { c0: 'repeatable' }))
    expect(accepts(open, compacted(1, 1))).toBe(false)
  })
})

describe('summarizer input', () => {
  const said = (text: string) => ({ role: 'user', text }) as const

  it('is bounded: the first entry and the newest of the others', () => {
    const many = Array.from({ length: 500 }, (_, at) => said(`${at} ${'x'.repeat(9_000)}`))
    const text = asText(many, 50_000)
    expect(byteLength(text)).toBeLessThan(52_000)
    expect(text.startsWith('user:\n0 xxx')).toBe(true)
    expect(text).toContain('user:\n499 ')
    expect(text).toMatch(/\[\d+ entries omitted\]/)
    expect(text).not.toContain('user:\n250 ')
  })

  it('prefers answers to results: a flood of results hides no answer', () => {
    const answer = { type: 'text', text: 'thinking in turn 3' } as const
    const results = Array.from({ length: 400 }, (_, at) => ({
      ...{ call: `c${at}`, tool: 'look', is_error: true },
      text: `unknown tool ${at}`,
    }))
    const text = asText(
      [said('the task'), { role: 'assistant', parts: [answer] }, { role: 'tool', results }],
      4_000,
    )
    expect(byteLength(text)).toBeLessThan(4_100)
    expect(text).toMatch(/the task\n\nassistant:\nthinking in turn 3\n\n\[\d+ entries omitted/)
    expect(text).toContain('unknown tool 399')
  })

  it('contains calls and results, and no reasoning', () => {
    const call = {
      type: 'call',
      id: 'c',
      provider_id: 'c',
      tool: 'look',
      arguments: '{"a":1}',
    } as const
    const text = asText(
      [
        { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, call] },
        { role: 'tool', results: [{ call: 'c', tool: 'look', text: 'no', is_error: true }] },
      ],
      1_000,
    )
    expect(text).toBe('assistant calls look:\n{"a":1}\n\nerror of look:\nno')
  })

  it('is never cut inside a character', () => {
    const text = asText([said('😀'.repeat(5_000))], 1_000_000)
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain('\ufffd\ufffd')
  })
})
