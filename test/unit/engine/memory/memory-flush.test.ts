/** What a run begins with of its memory, and what it writes down before it is shortened. */

import { describe, expect, it } from 'vitest'
import { FLUSH_SYSTEM } from '../../../../src/core/prompt.ts'
import type {
  MemoryFlushed,
  MemoryNoted,
  RunFact,
  RunStarted,
} from '../../../../src/core/run/log/facts.ts'
import { createSession } from '../../../../src/engine/session/query.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { decode } from '../../../../src/lib/bytes.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import { Unavailable } from '../../../../src/lib/unavailable.ts'
import type { Model, ModelFailure, ModelRequest, Objects } from '../../../../src/ports/world.ts'
import { setPolicy } from '../../../support/approvals.ts'
import {
  factsOf,
  look,
  outputOf,
  putFiles,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { agent } from '../../../support/layers.ts'
import { scriptModel } from '../../../support/script.ts'

const WINDOW = 12_000
const FILES = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [
    `repos/app/${at}.txt`,
    `remember(file ${at} was read)\n${`${at}`.repeat(9_000)}`,
  ]),
)
const TOOLS = 'tools: [Read, memory_write, memory_search]\nmemory: agent\n'
const AGENTS = { 'base/.agents/agents/lean.md': agent('You read.', 'lean', TOOLS) }

interface Bent {
  readonly window?: number
  /** Whether the model says itself that the conversation is too long. */
  readonly announced?: number
  /** Whether nobody answers what must last. */
  readonly away?: { now: boolean }
}

function smallModel({ window = WINDOW, announced = window, away }: Bent = {}) {
  const script = scriptModel()
  const flushes: ModelRequest[] = []
  const all: ModelRequest[] = []
  const model: Model = {
    find: (reference) => ok({ id: reference ?? 'test/model', window: announced }),
    async respond(request, options) {
      all.push(request)
      if (request.system === FLUSH_SYSTEM) {
        flushes.push(request)
        if (away?.now) return fail(AWAY)
      }
      if (JSON.stringify([request.system, request.messages, request.tools]).length > window * 4) {
        return fail({ code: 'too_long', message: 'prompt is too long', retryable: false })
      }
      return script.respond(request, options)
    },
  }
  return { model, flushes, all }
}
const AWAY: ModelFailure = { code: 'unavailable', message: 'down', retryable: true }

async function worldWith(model: Model, objects?: Objects) {
  const world = testWorld({ model, ...(objects ? { objects } : {}) })
  await putFiles(world, { ...FILES, ...AGENTS })
  return world
}
type TestWorld = Awaited<ReturnType<typeof worldWith>>

const reads = (times: number): string =>
  Array.from({ length: times }, (_, at) => `@call file_read {"path":"${at}.txt"}\n@then`).join('\n')
const LONG = { input: `${reads(9)}\n@say that is all`, agent: 'lean', repo_dir: 'repos/app' }
const notedIn = (facts: readonly RunFact[]) =>
  facts.filter(({ type }) => type === 'memory.noted') as MemoryNoted[]
const flushedIn = (facts: readonly RunFact[]) =>
  facts.filter(({ type }) => type === 'memory.flushed') as MemoryFlushed[]
const orderOf = (facts: readonly RunFact[]): string[] =>
  facts.map(({ type }) => type).filter((type) => /^memory|compacted$/.test(type))

async function notesOf(world: TestWorld): Promise<string> {
  const listed = await world.objects.list(`${TENANT}/files/memory/agents/lean/`)
  const bodies = await Promise.all(listed.objects.map(({ key }) => world.objects.get(key)))
  return bodies.map((one) => decode(one!.body)).join('\n')
}

/** A bucket that takes no memory until so many facts say that it did not. */
async function untilWritten(failures: number) {
  const inner = memoryObjects()
  let failed = 0
  const objects: Objects = {
    ...inner,
    async put(key, body, expect) {
      if (key.includes('/files/memory/') && failed < failures * TRIES_OF_A_WRITE) {
        failed += 1
        throw new Unavailable('no bucket')
      }
      return inner.put(key, body, expect)
    },
  }
  const { model, flushes } = smallModel()
  const world = await worldWith(model, objects)
  const end = async (input: Parameters<typeof runToRest>[1]) => {
    const run = await runToRest(world, input)
    expect(outputOf(run)).toBe('that is all')
    return factsOf(world, run.state.spec!.id)
  }
  return { world, flushes, end }
}
const TRIES_OF_A_WRITE = 3

describe('memory flush before compaction', () => {
  it('the model records lasting facts once per compaction, with memory_write alone, and they are stored [ME-02]', async () => {
    const { model, flushes } = smallModel()
    const world = await worldWith(model)
    const run = await runToRest(world, LONG)
    expect(outputOf(run)).toBe('that is all')
    const facts = await factsOf(world, run.state.spec!.id)
    const order = orderOf(facts)
    expect(order.length).toBeGreaterThanOrEqual(6)
    expect(order).toEqual(
      Array.from({ length: order.length / 3 }, () => [
        ...['memory.noted', 'memory.flushed', 'transcript.compacted'],
      ]).flat(),
    )
    expect(flushes).toHaveLength(notedIn(facts).length)
    for (const { tools } of flushes) expect(tools.map(({ name }) => name)).toEqual(['memory_write'])
    const last = facts.findLast(({ type }) => type === 'transcript.compacted')
    for (let at = 0; at < (last as { kept_from: number }).kept_from; at += 1) {
      expect(await notesOf(world)).toContain(`- file ${at} was read`)
    }
    // What was said is counted: each answer, each summary, each of these.
    const answers = facts.filter(({ type }) => /assistant\.message|compacted|noted/.test(type))
    expect(run.state.usage.model_calls).toBe(answers.length)
  })

  it('also happens when a provider refuses the estimated size, and when no summary model works [ME-02]', async () => {
    const small = smallModel({ announced: WINDOW * 4 })
    const world = await worldWith({
      ...small.model,
      respond: async (request, options) =>
        request.system?.startsWith('You summarize')
          ? fail({ code: 'rejected', message: 'no', retryable: false })
          : small.model.respond(request, options),
    })
    const run = await runToRest(world, LONG)
    const facts = await factsOf(world, run.state.spec!.id)
    expect(notedIn(facts)[0]).toMatchObject({ refused: true })
    expect(orderOf(facts).slice(0, 3)).toEqual([
      ...['memory.noted', 'memory.flushed', 'transcript.compacted'],
    ])
    expect(facts.find(({ type }) => type === 'transcript.compacted')).toMatchObject({ model: null })
    expect(await notesOf(world)).toContain('- file 0 was read')
  })

  it('an unavailable model loses the note, not the run, which reports it and retries [ME-06 MC-49]', async () => {
    const away = { now: true }
    const { model } = smallModel({ away })
    const world = await worldWith(model)
    const id = await startRun(world, LONG)
    for (let round = 0; round < 8; round += 1) {
      await settle(world)
      world.clock.advance(20_000)
      await tick(world)
      if (notedIn(await factsOf(world, id)).length > 0) away.now = false
    }
    await settle(world)
    expect(outputOf(await look(world, id))).toBe('that is all')
    const facts = await factsOf(world, id)
    const waits = facts.filter((fact) => fact.type === 'run.waiting' && fact.on === 'model')
    expect(waits.length).toBeGreaterThanOrEqual(2)
    const [first] = notedIn(facts)
    expect(first).toMatchObject({ entries: [], model: null, error: { code: 'model_unavailable' } })
    // What was left out when nobody could write it down is shown again.
    expect(await notesOf(world)).toContain('- file 0 was read')
  })

  it('an unavailable bucket loses the note, not the run, which reports it [ME-06 MC-49]', async () => {
    const inner = memoryObjects()
    let broken = true
    const objects: Objects = {
      ...inner,
      async put(key, body, expect) {
        if (broken && key.includes('/files/memory/')) throw new Unavailable('no bucket')
        return inner.put(key, body, expect)
      },
    }
    const { model } = smallModel()
    const world = await worldWith(model, objects)
    const run = await runToRest(world, LONG)
    broken = false
    expect(outputOf(run)).toBe('that is all')
    const [failed] = flushedIn(await factsOf(world, run.state.spec!.id))
    expect(failed).toMatchObject({ written: [], errors: [{ code: 'unavailable' }] })
  })

  it('an entry the bucket refused is written at the next step, without another model call', async () => {
    const { world, flushes, end } = await untilWritten(1)
    const facts = await end(LONG)
    const [failed, repeated] = flushedIn(facts)
    expect(failed).toMatchObject({ written: [], unwritten: [0], errors: [{ code: 'unavailable' }] })
    expect(repeated).toMatchObject({ step: failed!.step + 1, written: [{ added: 3 }] })
    expect(repeated!.errors).toBeUndefined()
    expect(flushes).toHaveLength(notedIn(facts).length)
    expect(await notesOf(world)).toContain('- file 0 was read')
  })

  it('an entry the bucket refused at the last step is written before the run completes', async () => {
    const { world, end } = await untilWritten(1)
    const facts = await end({ ...LONG, input: `${reads(4)}\n@say that is all` })
    expect(orderOf(facts).slice(-2)).toEqual(['transcript.compacted', 'memory.flushed'])
    expect(await notesOf(world)).toContain('- file 0 was read')
  })

  it('a bucket that never accepts the entry does not delay the run’s end', async () => {
    const { end } = await untilWritten(Number.POSITIVE_INFINITY)
    const facts = await end(LONG)
    expect(facts.at(-1)?.type).toBe('run.completed')
    expect(flushedIn(facts).at(-1)).toMatchObject({ written: [], errors: expect.anything() })
  })

  it('is skipped where approval is required or the tool is denied, and the log has the reason', async () => {
    for (const rule of ['ask', 'deny'] as const) {
      const { model, flushes } = smallModel()
      const world = await worldWith(model)
      await setPolicy(world, { approvals: { memory_write: rule } })
      const run = await runToRest(world, LONG)
      const facts = await factsOf(world, run.state.spec!.id)
      expect(flushes).toEqual([])
      expect(notedIn(facts)[0]).toMatchObject({ entries: [], error: { code: 'not_allowed' } })
      expect(await notesOf(world)).toBe('')
    }
  })

  it('an answer is requested once, although its worker dies before the write', async () => {
    const inner = memoryObjects()
    let dies = true
    const objects: Objects = {
      ...inner,
      async put(key, body, expect) {
        if (dies && key.includes('/files/memory/')) {
          dies = false
          await inner.put(key, body, expect)
          throw new Error('the worker has died')
        }
        return inner.put(key, body, expect)
      },
    }
    const { model, flushes } = smallModel()
    const world = await worldWith(model, objects)
    const id = await startRun(world, LONG)
    for (let round = 0; round < 6; round += 1) {
      await settle(world).catch(() => undefined)
      world.clock.advance(120_000)
      await tick(world)
    }
    const facts = await factsOf(world, id)
    expect(outputOf(await look(world, id))).toBe('that is all')
    expect(flushes).toHaveLength(notedIn(facts).length)
    expect(flushedIn(facts)).toHaveLength(notedIn(facts).length)
    expect((await notesOf(world)).match(/file 0 was read/g)).toHaveLength(1)
  })

  it('a nonce from turn 1 is found in turn 200 by search alone', async () => {
    const { model, all } = smallModel({ window: 3_000 })
    const world = await worldWith(model)
    const quiet = agent(
      'You.',
      'quiet',
      `${TOOLS.split('memory: ')[0]}memory: {scope: agent, start: false}\n`,
    )
    await putFiles(world, { 'base/.agents/agents/quiet.md': quiet })
    const session = await createSession(world, TENANT, { agent: null, metadata: {} })
    if (!session.ok) throw new Error(session.error.detail)
    const turn = (input: string) =>
      runToRest(world, { input, agent: 'quiet', session_id: session.value.state.id })
    await turn('@say remember(the nonce is zq81x) Noted.')
    for (let at = 2; at < 200; at += 1) await turn(`@say turn ${at}: ${'lorem ipsum '.repeat(20)}`)
    const before = all.length
    const run = await turn('@call memory_search {"query":"nonce"}\n@then\n@say {last}')
    // The conversation itself has long lost it.
    const [request] = all.slice(before)
    expect(JSON.stringify(request!.messages)).not.toContain('zq81x')
    expect(JSON.stringify(await factsOf(world, run.state.spec!.id))).toContain('zq81x')
  })
})

describe('initial memory of a run', () => {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const START = agent('You.', 'start', 'memory: {scope: agent, read: [shared], start_bytes: 200}\n')

  it('is MEMORY.md and the notes of two days, as data, pinned and listed', async () => {
    const { model, all } = smallModel()
    const world = await worldWith(model)
    const now = world.clock.now()
    await putFiles(world, {
      'base/.agents/agents/start.md': START,
      'memory/agents/start/MEMORY.md': '- own\n',
      'memory/shared/MEMORY.md': '- ours\n',
      [`memory/agents/start/${day(now)}.md`]: '- today\n',
      [`memory/agents/start/${day(now - 86_400_000)}.md`]: '- yesterday\n',
      [`memory/agents/start/${day(now - 2 * 86_400_000)}.md`]: '- long ago\n',
    })
    const run = await runToRest(world, { input: '@say x', agent: 'start' })
    const [request] = all
    const text = JSON.stringify(request!.messages[0])
    expect(request!.messages.map(({ role }) => role)).toEqual(['user', 'user'])
    for (const one of ['- own', '- ours', '- today', '- yesterday']) expect(text).toContain(one)
    expect(text).not.toContain('long ago')
    expect(`${request!.system}${request!.notes ?? ''}`).not.toContain('- own')
    const started = (await factsOf(world, run.state.spec!.id)).find(
      ({ type }) => type === 'run.started',
    ) as RunStarted
    expect(started.memory!.files.map(({ path }) => path)).toEqual([
      ...['agents/start/MEMORY.md', 'shared/MEMORY.md'],
      ...[`agents/start/${day(now)}.md`, `agents/start/${day(now - 86_400_000)}.md`],
    ])
    expect(started.warnings).toBeUndefined()
  })

  it('is truncated to its budget, with a warning on the run', async () => {
    const { model } = smallModel()
    const world = await worldWith(model)
    await putFiles(world, {
      'base/.agents/agents/start.md': START,
      'memory/agents/start/MEMORY.md': '- a line of memory\n'.repeat(50),
    })
    const run = await runToRest(world, { input: '@say x', agent: 'start' })
    const started = run.state.started!
    expect(started.memory!.files).toMatchObject([{ cut: true, bytes: 190 }])
    expect(started.warnings).toMatchObject([{ code: 'memory_cut' }])
  })
})
