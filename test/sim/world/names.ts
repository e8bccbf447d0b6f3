/**
 * How a timeline calls what has an id, in every line the same: what it is and its last six
 * characters. And a fact in a few words, so that a log can be read in it.
 */

import type { FanoutFact } from '../../../src/core/fanout/facts.ts'
import type { RunFact } from '../../../src/core/run/log/facts.ts'

/** A text with its ids made short: `red/run/run_x5tq2e`. */
export const short = (text: string): string =>
  text.replace(/\b([a-z]+_)[0-9A-Za-z]{10,}([0-9A-Za-z]{6})\b/g, '$1$2')

/** The name of a partition, without the tenant and the kind that its id says already. */
export const nameOf = (partition: string): string => short(partition.split('/').at(-1) ?? '')

/** What matters in some fact or other, in the order in which it is said. */
const WORDS = [
  'step',
  'finish',
  'tool',
  'call',
  'mode',
  'status',
  'label',
  'run_id',
  'on',
  'attempt',
  'reason',
  'stop_reason',
  'by',
  'decision',
  'skill',
  'message_id',
] as const

export function factWords(fact: RunFact | FanoutFact): string {
  const all = fact as unknown as Readonly<Record<string, unknown>>
  const words = WORDS.flatMap((key) => said(key, all[key]))
  return [fact.type, ...words, ...more(fact)].map(short).join(' ')
}

function said(key: string, value: unknown): string[] {
  if (key === 'step' || key === 'attempt') return value === undefined ? [] : [`${key} ${value}`]
  return typeof value === 'string' ? [value.replace('mcp__sim__', '')] : []
}

function more(fact: RunFact | FanoutFact): string[] {
  switch (fact.type) {
    case 'run.created':
      return [planOf(fact.run.input), ...(fact.run.parent ? [`of ${fact.run.parent.run_id}`] : [])]
    case 'fanout.created':
      return fact.fanout.open ? ['open'] : [`${fact.fanout.count} tasks`]
    case 'fanout.extended':
      return [`page ${fact.page}: ${fact.count} tasks`]
    case 'page.ended':
      return [fact.announce.run_id, fact.announce.status]
    case 'assistant.message':
      return fact.calls.map(({ tool, id }) => `${tool.replace('mcp__sim__', '')}:${id}`)
    case 'subagent.announced':
    case 'subagent.failed':
      return [fact.announce.run_id, fact.announce.status]
    case 'barrier.released':
      return [
        `${fact.calls.length} joined`,
        ...(fact.missing.length > 0 ? ['missing'] : []),
        ...fact.missing,
      ]
    case 'run.waiting':
    case 'run.failed':
    case 'run.timed_out':
    case 'fanout.failed':
      return fact.error ? [fact.error.code] : []
    default:
      return []
  }
}

const planOf = (input: unknown): string =>
  /\{\\*"id\\*":\\*"([^"\\]+)/.exec(JSON.stringify(input))?.[1] ?? ''
