/**
 * Memory (I6, I8): entries are added and nothing else changes, each stands in its file once, one
 * that was acknowledged stays and is found, and what must last is asked for once and written before
 * a conversation is shortened.
 */

import type { Body } from '../../../src/core/message.ts'
import { isRef } from '../../../src/core/message.ts'
import type { RunFact } from '../../../src/core/run/log/facts.ts'
import { decode } from '../../../src/lib/bytes.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { entryOf, NOTES } from '../world/memory.ts'
import type { Sim } from '../world/sim.ts'

const FILE = /^([^/]+)\/files\/memory\//

const entriesIn = (bytes: Uint8Array | undefined): string[] =>
  bytes
    ? decode(bytes)
        .split('\n')
        .filter((line) => line.startsWith('- '))
    : []

/** A file of memory is about to be another one. */
export function I8_memoryOnlyGrows(sim: Sim, key: string, body: Uint8Array): void {
  if (!FILE.test(key)) return
  const before = entriesIn(sim.objects.get(key)?.body)
  const after = entriesIn(body)
  const lost = before.find((line) => !after.includes(line))
  if (lost !== undefined) sim.law.breach('I8_memoryOnlyGrows', `${key} loses ${lost}`)
  const twice = after.find((line, at) => after.indexOf(line) !== at)
  if (twice !== undefined) sim.law.breach('I8_entriesAreOnce', `${key} has twice ${twice}`)
  if (before.length > 0) sim.rare('memory grows')
}

/** Before its conversation is shortened a run with memory has said what must last, once. */
export function I6_lastingIsWrittenFirst(
  { noted, flushed, steps }: Shadow,
  fact: RunFact,
  remembers: boolean,
): string | undefined {
  if (fact.type === 'memory.noted') {
    if (fact.step !== steps) return `asked what must last at ${fact.step} where ${steps} is due`
    return noted?.step === fact.step ? `asked twice what must last at ${fact.step}` : undefined
  }
  if (fact.type === 'memory.flushed') {
    if (!flushed) {
      return noted?.step === fact.step ? undefined : `written at ${fact.step}, nobody said what`
    }
    if (!flushed.unwritten) return `written again at ${fact.step}, though nothing was left`
    return flushed.step === fact.step ? `written twice at ${fact.step}` : undefined
  }
  if (fact.type !== 'transcript.compacted' || !remembers) return undefined
  if (noted?.step !== fact.step) return `shortened at ${fact.step}, nobody asked what must last`
  const isDue = noted.entries.length > 0 && flushed?.step !== fact.step
  return isDue ? `shortened at ${fact.step} before what must last was written` : undefined
}

/** When everything has come to rest. */
export function memoryAtRest(sim: Sim): void {
  if (!sim.remembers) return
  for (const shadow of sim.law.runs.values()) {
    I11_memoryIsKept(sim, shadow)
    I8_memoryIsFound(sim, shadow)
  }
}

interface Told {
  readonly call: string
  readonly tool: string
  readonly given: Record<string, unknown>
}

/** Calls of the model, by id. */
function callsOf({ facts }: Shadow): Map<string, Told> {
  const calls = new Map<string, Told>()
  for (const fact of facts) {
    if (fact.type !== 'assistant.message') continue
    for (const part of fact.parts) {
      if (part.type !== 'call' || isRef(part.arguments) || !part.tool.startsWith('memory_'))
        continue
      calls.set(part.id, { call: part.id, tool: part.tool, given: JSON.parse(part.arguments) })
    }
  }
  return calls
}

const tenantOf = ({ partition }: Shadow): string => partition.split('/')[0]!

/** What was said to be written stands there. */
function I11_memoryIsKept(sim: Sim, shadow: Shadow): void {
  const tenant = tenantOf(shadow)
  const calls = callsOf(shadow)
  const holds = (path: string): readonly string[] =>
    entriesIn(sim.objects.get(`${tenant}/files/memory/${path}`)?.body)
  const must = (path: string, entries: readonly string[]): void => {
    const there = holds(path)
    const lost = entries.find((line) => !there.includes(line))
    if (lost === undefined) return
    sim.law.breach('I11_memoryIsKept', `${shadow.partition}: ${path} lacks ${lost}`)
  }
  for (const fact of shadow.facts) {
    if (fact.type === 'tool.result' && fact.tool === 'memory_write' && fact.status === 'ok') {
      const { given } = calls.get(fact.call) ?? {}
      if (given) must(NOTES, String(given.content).split('\n'))
      sim.rare('an entry is acknowledged')
    }
    if (fact.type === 'memory.flushed' && fact.written.length > 0 && !fact.errors) {
      const noted = shadow.facts.find(
        (one) => one.type === 'memory.noted' && one.step === fact.step,
      )
      const [entry] = noted?.type === 'memory.noted' ? noted.entries : []
      if (entry && !isRef(entry.content)) must(fact.written[0]!.path, [entry.content])
      sim.rare('what must last is written')
    }
  }
}

/** A search that began after an entry was acknowledged knows it, or says that it may not. */
function I8_memoryIsFound(sim: Sim, shadow: Shadow): void {
  const calls = callsOf(shadow)
  const known = new Set<string>()
  for (const fact of shadow.facts) {
    if (fact.type !== 'tool.result' || fact.status !== 'ok') continue
    const told = calls.get(fact.call)
    if (told?.tool === 'memory_write') {
      for (const line of String(told.given.content).split('\n')) known.add(line)
    }
    if (told?.tool !== 'memory_search') continue
    const of = String(told.given.query).split(' ')[1] ?? ''
    const text = textOf(sim, fact.text)
    if (text === undefined || !known.has(entryOf(of)) || !askedAfter(shadow, fact.call, of))
      continue
    sim.rare('an entry is looked for')
    if (text.includes(`[${of}]`) || text.includes('"stale":true')) continue
    sim.law.breach('I8_memoryIsFound', `${shadow.partition}: ${of} is not found`)
  }
}

/** The model asked for the search when it had the result of the write. */
function askedAfter({ facts }: Shadow, search: string, token: string): boolean {
  const asked = facts.findIndex(
    (fact) => fact.type === 'assistant.message' && fact.calls.some(({ id }) => id === search),
  )
  return facts
    .slice(0, asked)
    .some(
      (fact) => fact.type === 'assistant.message' && JSON.stringify(fact).includes(`[${token}]`),
    )
}

/** Undefined: it is no longer stored. */
function textOf(sim: Sim, body: Body): string | undefined {
  if (!isRef(body)) return body
  for (const { key } of sim.objects.all()) {
    if (key.endsWith(`/${body.digest}`)) return decode(sim.objects.get(key)!.body)
  }
  return undefined
}
