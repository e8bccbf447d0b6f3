/** Fact as clients see it: the same name and fields, with an ID and a time. */

import { derivedId } from '../../../lib/id.ts'
import { jsonVisible } from '../../../lib/invisible-characters.ts'
import { iso } from '../../../lib/time.ts'
import { type AssistantPart, type Body, isRef } from '../../message.ts'
import { shownBody, withoutValues } from '../../redaction.ts'
import type { LoggedFact, RunFact } from '../log/facts.ts'

export interface Event {
  readonly id: string
  readonly type: string
  readonly run_id: string
  /** Event sequence number, without gaps per run, from 1. */
  readonly seq: number
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

export const eventOf = (runId: string, entry: LoggedFact<RunFact>): Event =>
  eventWith(runId, entry, dataOf(entry.fact))

/** Builds an event from a fact; `id` identifies the run or fan-out whose log contains the fact. */
export const eventWith = (
  id: string,
  { seq, at, fact }: LoggedFact<{ readonly type: string }>,
  data: Event['data'],
): Event => ({
  id: derivedId('evt', id, seq),
  type: fact.type,
  run_id: id,
  seq,
  created_at: iso(at),
  data,
})

/** Returns a fact's public data, without engine internals (pins, epochs, inherited defaults). */
function dataOf(fact: RunFact): Record<string, unknown> {
  switch (fact.type) {
    case 'run.created': {
      const { agent_entry: _, inherited_model: __, trace: ___, ...run } = fact.run
      return { ...run, mcp_servers: withoutValues(run.mcp_servers) }
    }
    case 'run.started': {
      const { type: _, pin: __, began_at, ...data } = fact
      return { ...data, ...beganAt(began_at) }
    }
    case 'assistant.message': {
      const { type: _, parts, began_at, ...data } = fact
      return {
        ...data,
        ...beganAt(began_at),
        parts: parts.map(shownPart),
      }
    }
    case 'tool.call': {
      const { type: _, epoch: __, ...data } = fact
      return data
    }
    case 'approval.requested': {
      const { type: _, ...data } = fact
      const expires_at = iso(fact.expires_at)
      return { ...data, expires_at, arguments: readable(shownBody(fact.tool, fact.arguments)) }
    }
    case 'tool.paused': {
      const { type: _, state: __, ...data } = fact
      return data
    }
    case 'question.asked': {
      const { type: _, ...data } = fact
      return { ...data, expires_at: iso(fact.expires_at) }
    }
    case 'approval.decided': {
      const { type: _, arguments: changed, ...data } = fact
      return changed === undefined ? data : { ...data, arguments: withoutText(changed) }
    }
    case 'message.received': {
      const { type: _, caller: __, ...data } = fact
      return data
    }
    case 'tool.result': {
      const { type: _, began_at, ...data } = fact
      return { ...data, ...beganAt(began_at) }
    }
    case 'clock.stepped':
      return { ms: fact.ms, to: iso(fact.to) }
    case 'run.waiting': {
      const { type: _, until, ...data } = fact
      return { ...data, until: until === null ? null : iso(until), ...outage(fact) }
    }
    case 'model.unavailable':
    case 'model.recovered': {
      const { type: _, ...data } = fact
      return { ...data, ...outage(fact) }
    }
    case 'subagent.waiting': {
      const { type: _, until, ...data } = fact
      return { ...data, until: until === null ? null : iso(until) }
    }
    default: {
      const { type: _, ...data } = fact
      return data
    }
  }
}

interface OutageTimes {
  readonly since?: number
  readonly gives_up_at?: number
}
const outage = ({ since, gives_up_at }: OutageTimes) => ({
  ...(since === undefined ? {} : { since: iso(since) }),
  ...(gives_up_at === undefined ? {} : { gives_up_at: iso(gives_up_at) }),
})

const beganAt = (at: number | undefined) => (at === undefined ? {} : { began_at: iso(at) })

function shownPart({ provider: _, ...part }: AssistantPart): object {
  return part.type === 'call' ? { ...part, arguments: shownBody(part.tool, part.arguments) } : part
}

/** Escapes invisible characters in JSON arguments, because a person decides based on this text. */
const readable = (body: Body): Body => (isRef(body) ? body : jsonVisible(body))

/** Hides all argument values, because an approval decision does not name its tool. */
const withoutText = (body: Body): Body =>
  isRef(body) ? { ...body, preview: '' } : JSON.stringify(withoutValues(JSON.parse(body)))
