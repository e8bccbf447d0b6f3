/**
 * Tags that find a run in a list: one letter for its status and a word for each thing that never
 * changes. A word is a digest, so it is short whatever it stands for, and a reader checks that a
 * run found by it really matches (`isFound`).
 */

import { sha256 } from '../../../lib/digest.ts'
import { boundedCache } from '../../../lib/lru-cache.ts'
import { taggedAs } from '../../../lib/tags.ts'
import { sessionOf } from '../decide/child.ts'
import type { RunState, RunStatus } from '../state/state.ts'
import type { RunView } from './view.ts'

/** List filters for runs; all must match. */
export interface RunFilter {
  /** Any of these. */
  readonly status?: readonly RunStatus[] | undefined
  readonly kind?: string | undefined
  readonly agent?: string | undefined
  readonly session_id?: string | undefined
  readonly role?: string | undefined
  readonly label?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Only runs that started their session, even if other runs continued it. */
  readonly own_session?: true
}

/**
 * A live run has one letter in every state: an index is written when the letter changes, and so few
 * are live that each of them can be read.
 */
const LIVE = 'l'
const MARKS: Readonly<Partial<Record<RunStatus, string>>> = {
  completed: 'c',
  failed: 'f',
  cancelled: 'x',
  timed_out: 't',
}
const markOf = (status: RunStatus): string => MARKS[status] ?? LIVE

const WORD = 10
/** Values with few variants, which are repeated in many runs. */
const knownWords = boundedCache<string>(1_000)

function word(name: string, value: string): string {
  const text = `${name}=${value}`
  const cached = knownWords.get(text)
  if (cached !== undefined) return cached
  const tagWord = sha256(text).slice(0, WORD)
  if (name !== 'session_id') knownWords.set(text, tagWord)
  return tagWord
}

const OWN_SESSION = 'own_session'

/** A filter as a query of the index. */
export function wantedTags(filter: RunFilter): { marks: string; words: string[] } {
  const { status = [], metadata = {}, own_session, ...fields } = filter
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [word(name, value)],
  )
  const pairs = Object.entries(metadata).map(([key, value]) => word(`metadata.${key}`, value))
  return {
    marks: [...new Set(status.map(markOf))].join(''),
    words: [...words, ...pairs, ...(own_session ? [word(OWN_SESSION, 'true')] : [])],
  }
}

/** Whether a run that the index named is one that the filter means. */
export const isFound = (run: RunView, { status, metadata = {}, ...fields }: RunFilter): boolean =>
  (status === undefined || status.includes(run.status as RunStatus)) &&
  (fields.kind === undefined || run.kind === fields.kind) &&
  (fields.agent === undefined || run.agent === fields.agent) &&
  (fields.session_id === undefined || run.session_id === fields.session_id) &&
  (fields.role === undefined || run.role === fields.role) &&
  (fields.label === undefined || run.label === fields.label) &&
  (fields.own_session === undefined || run.session_id === sessionOf(run.id)) &&
  Object.entries(metadata).every(([key, value]) => run.metadata[key] === value)

/** The words of a run, made once for each: `spec` is the same object in all its states. */
const tagCache = new WeakMap<
  object,
  { readonly agent: string; readonly words: readonly string[] }
>()

/** Runs below another one are listed under it and not searched, so their tags cost nothing. */
export function tagsOf({ spec, started, status }: RunState): string | undefined {
  if (spec === null || spec.parent !== null) return undefined
  const agent = started?.agent ?? spec.agent
  let cached = tagCache.get(spec)
  if (cached?.agent !== agent) {
    const { kind, session_id, role, label, metadata } = spec
    const words = wantedTags({
      ...{ kind, agent, session_id, metadata },
      role: role ?? undefined,
      label: label ?? undefined,
      ...(session_id === sessionOf(spec.id) ? { own_session: true } : {}),
    }).words
    cached = { agent, words }
    tagCache.set(spec, cached)
  }
  return taggedAs(markOf(status), cached.words)
}
