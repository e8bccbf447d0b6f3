/**
 * The fold of a run's events for the console. The events were recorded from a run with subagents, an
 * approval and a steering message; they give the same view in any number of pieces and repetitions.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { evolve, itemsOf, readAll } from '../../../src/console/log/conversation.ts'
import {
  type Call,
  type ChatEvent,
  costOf,
  EMPTY_TREE,
  type Item,
  liveBelow,
  statusOf,
  type Tree,
} from '../../../src/console/log/shape.ts'

const FILE = fileURLToPath(new URL('../../fixtures/console/conversation.json', import.meta.url))
const RECORDED = JSON.parse(readFileSync(FILE, 'utf8')) as ChatEvent[]
const ROOT = (RECORDED[0] as { run_id: string }).run_id
const isPassing = ({ type }: ChatEvent) => type === 'assistant.delta' || type === 'subagent.started'
const LOGGED = RECORDED.filter((one) => !isPassing(one))

/** Deltas as a faster reader gets them: in pieces, each at its place. */
const IN_PIECES = RECORDED.flatMap((event): ChatEvent[] => {
  if (event.type !== 'assistant.delta' || !event.text) return [event]
  const { text, at = 0 } = event
  return Array.from({ length: Math.ceil(text.length / 7) }, (_, index) => {
    const from = index * 7
    return { ...event, at: at + from, text: text.slice(from, from + 7) }
  })
})

const viewOf = (events: readonly ChatEvent[], from: Tree = EMPTY_TREE) => readAll(events, from)
const root = (tree: Tree) => tree.runs[ROOT]!
const calls = (tree: Tree, run = ROOT): Call[] =>
  tree.runs[run]!.items.filter((one): one is Call => one.kind === 'call')
const textsOf = (items: readonly Item[]) =>
  items.flatMap((one) => (one.kind === 'text' ? [one.text] : []))

describe('the fold of a conversation', () => {
  it('keeps inputs, reasoning, calls, and answers in the order of the log', () => {
    const tree = viewOf(LOGGED)
    expect(root(tree)).toMatchObject({ status: 'completed', steps: 5, agent: 'general' })
    expect(root(tree).items.map((one) => (one.kind === 'call' ? one.tool : one.kind))).toEqual([
      ...['input', 'reasoning', 'text', 'file_read', 'file_read', 'skill'],
      ...['input', 'text', 'sessions_spawn', 'sessions_spawn', 'text', 'file_write', 'text'],
    ])
  })

  it('gives a call its arguments, result, outcome, and duration', () => {
    const [read, missing, skill, , , write] = calls(viewOf(LOGGED))
    expect(read).toMatchObject({ status: 'ok', arguments: '{"path": "README.md"}' })
    expect(read?.duration_ms).toBeGreaterThan(0)
    expect(missing).toMatchObject({ status: 'error', result: expect.stringMatching('not_found') })
    expect(skill).toMatchObject({ skill: 'code-review', status: 'ok' })
    // The person who approved has changed the arguments.
    expect(write?.approval).toMatchObject({ decision: 'approve' })
    expect(JSON.parse(String(write?.arguments))).toMatchObject({ content: '43' })
  })

  it('shows a call as running until its result, and an unknown outcome as unknown', () => {
    const sent = LOGGED.findIndex(({ type }) => type === 'tool.call')
    const { run_id, data } = LOGGED[sent] as { run_id: string; data: { call: string } }
    const result = {
      call: data.call,
      tool: 'file_read',
      status: 'unknown',
      text: '',
      duration_ms: 9,
    }
    const event = { type: 'tool.result', run_id, seq: 99, created_at: '', data: result }
    const during = viewOf(LOGGED.slice(0, sent + 1))
    expect(calls(during)[0]).toMatchObject({ status: 'running' })
    expect(calls(viewOf([event as unknown as ChatEvent], during))[0]).toMatchObject({
      ...{ status: 'unknown', duration_ms: 9 },
    })
  })

  it('gives a subagent its end, a separate view, and its subagents', () => {
    const tree = viewOf(LOGGED)
    const [, , , prices, broken] = calls(tree)
    expect(prices).toMatchObject({ status: 'ok', child: { label: 'prices' } })
    expect(broken?.child?.announce).toMatchObject({ status: 'failed', steps: 0 })
    const below = tree.runs[prices!.child!.run_id]!
    expect(below).toMatchObject({ status: 'completed', steps: prices!.child!.announce!.steps })
    const deep = calls(tree, below.id).find(({ child }) => child)?.child
    expect(tree.runs[deep!.run_id]).toMatchObject({ status: 'completed', label: 'deep' })
  })

  it('gives the same view for deltas in one piece or in many', () => {
    expect(viewOf(RECORDED)).toEqual(viewOf(LOGGED))
    expect(viewOf(IN_PIECES)).toEqual(viewOf(LOGGED))
  })

  it('gives the same view after an interruption anywhere, with repeated events', () => {
    const whole = viewOf(LOGGED)
    for (let cut = 0; cut <= IN_PIECES.length; cut += 1) {
      const before = viewOf(IN_PIECES.slice(0, cut))
      // A resumed stream repeats the events of live subagents.
      expect(viewOf(RECORDED, before)).toEqual(whole)
    }
  })

  it('gives the same view after a reload at any event', () => {
    for (let cut = 1; cut <= RECORDED.length; cut += 1) {
      const live = viewOf(RECORDED.slice(0, cut))
      const anew = viewOf(RECORDED.slice(0, cut).filter((one) => !isPassing(one)))
      for (const run of Object.values(live.runs)) {
        const { writing: _, ...logged } = run
        expect(logged).toEqual(anew.runs[run.id] ?? { ...logged, seq: 0 })
      }
    }
  })

  it('keeps live text as the last item until its message replaces it', () => {
    const at = RECORDED.findLastIndex(({ type }) => type === 'assistant.delta')
    const during = root(viewOf(RECORDED.slice(0, at + 1)))
    expect(itemsOf(during).at(-1)).toMatchObject({ kind: 'text', live: true })
    const after = root(viewOf(RECORDED))
    expect(after.writing).toBeUndefined()
    const [whole, soFar] = [after.items, itemsOf(during)].map((one) => textsOf(one).at(-1))
    expect(String(whole).startsWith(String(soFar))).toBe(true)
    // A late delta of the message is void.
    expect(evolve(viewOf(RECORDED), RECORDED[at]!)).toEqual(viewOf(RECORDED))
  })

  it('shows a run as running from its first delta', () => {
    const first = RECORDED.findIndex(({ type }) => type === 'assistant.delta')
    const before = root(
      viewOf(RECORDED.slice(0, first).filter(({ type }) => type !== 'run.started')),
    )
    expect([before.status, statusOf(before)]).toEqual(['queued', 'queued'])
    const during = evolve({ runs: { [ROOT]: before } }, RECORDED[first]!)
    expect([root(during).status, statusOf(root(during))]).toEqual(['queued', 'running'])
    const waits = { ...root(during), status: 'waiting', waiting_on: 'subagents' } as const
    expect(statusOf(waits)).toBe('running')
    expect(statusOf({ ...waits, status: 'completed' })).toBe('completed')
  })

  it('replaces text from the position of a delta, and marks a gap', () => {
    const piece = { run_id: ROOT, epoch: 1, step: 0, type: 'assistant.delta' } as const
    const shown = (...pieces: object[]) =>
      root(viewOf(pieces.map((one) => ({ ...piece, ...one }) as ChatEvent))).writing
    expect(shown({ at: 0, text: 'Hello' }, { at: 4, text: 'ium' })?.text).toBe('Hellium')
    expect(shown({ at: 0, text: 'Hello' }, { epoch: 2, at: 0, text: 'Anew' })?.text).toBe('Anew')
    expect(shown({ at: 0, text: 'Hello' }, { reset: true })).toBeUndefined()
    const gap = shown({ at: 0, text: 'Hello' }, { at: 9, text: 'x' }, { at: 10, text: 'y' })
    expect(gap).toMatchObject({ text: 'Hello', gap: true })
    expect(shown({ at: 9, text: 'x' }, { at: 0, text: 'Whole' })).toMatchObject({ text: 'Whole' })
  })

  it('computes the cost from the price of the run, and no cost without a price', () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 100_000, model_calls: 1 }
    expect(costOf(usage)).toBeUndefined()
    expect(costOf(usage, { input_per_million: 2, output_per_million: 10 })).toBe(3)
    expect(costOf({ ...usage, list_price: 7 })).toBe(7)
  })
})

describe('subagent runs', () => {
  it('are live from their spawn to the end of their own log', () => {
    const spawning = LOGGED.findIndex(({ type }) => type === 'subagent.spawned')
    expect(liveBelow(viewOf(LOGGED.slice(0, spawning)), ROOT)).toEqual([])
    const spawned = liveBelow(viewOf(LOGGED.slice(0, spawning + 1)), ROOT)
    expect(spawned).toHaveLength(1)
    expect(liveBelow(viewOf(LOGGED), ROOT)).toEqual([])
    const ofRoot = LOGGED.filter((one) => 'run_id' in one && one.run_id === ROOT)
    expect(liveBelow(viewOf(ofRoot), ROOT).length).toBeGreaterThan(1)
  })
})
