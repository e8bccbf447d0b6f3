/**
 * What events say (I9): the same whether they are streamed or read in pages, and what stands in the
 * log. What the API shows otherwise than it is stored (times, what is blank) is left out here.
 */

import { isDeepStrictEqual } from 'node:util'
import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Shadow } from '../shadow/shadow.ts'
import type { Line } from '../world/line.ts'
import type { Sim } from '../world/sim.ts'

export interface SeenEvent {
  readonly type: string
  readonly run_id: string
  readonly seq: number
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}
interface EventPage {
  readonly data: readonly SeenEvent[]
  readonly next_cursor: string | null
}

/** Shown in another form, or not at all. */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set([
  'type',
  'run',
  'pin',
  'epoch',
  'began_at',
  'until',
  'since',
  'gives_up_at',
  'expires_at',
  'arguments',
  'parts',
  'agent_entry',
  'inherited_model',
  'mcp_servers',
])
const PAGE = 7
/** Nobody may be there for minutes. */
const TRIES = 300

/** Asked for when the faults are over, so that nothing else of the world falls otherwise. */
export async function I9_pagesSayTheSame(
  sim: Sim,
  line: Line,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  streamed: readonly SeenEvent[],
): Promise<void> {
  const partition = `${tenant}/run/${id}`
  if (sim.inject) return
  while (!sim.faults.over) await line.sleep(60_000)
  const read: SeenEvent[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const more: string = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/v1/runs/${id}/events?limit=${PAGE}${more}`
    const answer = await line.insist(TRIES, tenant, 'GET', path)
    if (answer?.status === 404 && sim.law.retention.isGone(partition)) return
    const text = await answer?.response.text()
    if (answer?.status !== 200 || text === undefined) {
      return sim.law.breach('I9_pagesSayTheSame', `${partition}: ${answer?.status} ${text}`)
    }
    sim.law.I22_noSecret(text, 'a page')
    const page = JSON.parse(text) as EventPage
    read.push(...page.data)
    cursor = page.next_cursor
  }
  sim.rare('events read in pages')
  if (isDeepStrictEqual(read, streamed)) return
  const seq = read.findIndex((event, index) => !isDeepStrictEqual(event, streamed[index])) + 1
  sim.law.breach('I9_pagesSayTheSame', `${partition}: ${seq} of ${read.length} is another one`)
}

/** What is told of a log is what stands in it. */
export function I9_eventsSayTheFacts(
  sim: Sim,
  { partition, facts, times }: Shadow,
  events: readonly SeenEvent[],
): void {
  for (const [index, fact] of facts.entries()) {
    const event = events[index]
    const differs = event && (outside(event, partition, index, times) ?? inside(event, fact))
    if (differs === undefined) continue
    const message = `${partition}: ${differs} of ${index + 1} (${fact.type})`
    return sim.law.breach('I9_eventsSayTheFacts', message)
  }
}

function outside(
  { run_id, seq, created_at }: SeenEvent,
  partition: string,
  index: number,
  times: readonly number[],
): string | undefined {
  if (run_id !== partition.split('/')[2]) return 'the run'
  if (seq !== index + 1) return 'the place'
  return Date.parse(created_at) === times[index] ? undefined : 'the time'
}

function inside({ type, data }: SeenEvent, fact: RunFact): string | undefined {
  if (type !== fact.type) return 'the type'
  const facts = fact.type === 'run.created' ? fact.run : fact
  for (const [name, value] of Object.entries(facts)) {
    if (SHOWN_OTHERWISE.has(name)) continue
    // A server's own words to itself are nobody else's.
    if (fact.type === 'tool.paused' && name === 'state') {
      if (name in data) return 'a state'
      continue
    }
    if (!isDeepStrictEqual(data[name], value)) return name
  }
  if (fact.type !== 'assistant.message') return undefined
  const { parts } = data as { parts?: typeof fact.parts }
  const texts = (of: typeof fact.parts = []) =>
    of.map((part) => (part.type === 'call' ? part.tool : part.text))
  return isDeepStrictEqual(texts(parts), texts(fact.parts)) ? undefined : 'the parts'
}
