/**
 * Run tags for finding a run in a list: one letter for the status, and one word per immutable
 * property. Words are digests and thus always short. Readers verify that a returned run really
 * matches (`isFound`).
 */

import { sha256 } from '../../../lib/digest.ts'
import { hasAllWords } from '../../../lib/find.ts'
import { boundedCache } from '../../../lib/lru-cache.ts'
import { taggedAs } from '../../../lib/tags.ts'
import { sessionOf } from '../decide/child.ts'
import type { RunState, RunStatus } from '../state/state.ts'
import type { RunView } from './view.ts'

/** Filters of a run list; all must match. */
export interface RunFilter {
  /** Accepted run statuses; a run matches if it has any of them. */
  readonly status?: readonly RunStatus[] | undefined
  readonly kind?: string | undefined
  readonly agent?: string | undefined
  readonly session_id?: string | undefined
  readonly role?: string | undefined
  readonly label?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Words that must all occur in the searched members of the view (`searchedTexts`). */
  readonly q?: string | undefined
  /** Model as the view reports it. */
  readonly model?: string | undefined
  /** Accepted values of `waiting_on`; only live runs have one. */
  readonly waiting_on?: readonly string[] | undefined
  /**
   * Whether to include only runs that started their session, even if other runs continued the
   * session.
   */
  readonly own_session?: true
}

/**
 * Status letter shared by all live runs. The index is written when the letter changes, and live
 * runs are few enough to read each.
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
/** Cached words of values with few variants, which repeat across many runs. */
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

/**
 * Converts a run filter to an index query. The index has no words for `q`, `model`, and
 * `waiting_on`, so `isFound` decides these; `waiting_on` restricts the index to live runs.
 */
export function wantedTags(filter: RunFilter): { marks: string; words: string[] } {
  const { status = [], metadata = {}, own_session, q, model, waiting_on, ...fields } = filter
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [word(name, value)],
  )
  const pairs = Object.entries(metadata).map(([key, value]) => word(`metadata.${key}`, value))
  return {
    marks: waiting_on ? LIVE : [...new Set(status.map(markOf))].join(''),
    words: [...words, ...pairs, ...(own_session ? [word(OWN_SESSION, 'true')] : [])],
  }
}

/** Texts of a run that `q` searches, as a list response shows them. */
const searchedTexts = (run: RunView): (string | null | undefined)[] => [
  ...[run.id, run.agent, run.label, run.role, run.input],
  ...[run.error?.message, run.output?.text, run.partial],
  ...Object.values(run.metadata),
]

/** Whether a run returned by the index really matches the filter. */
export const isFound = (run: RunView, { status, metadata = {}, ...fields }: RunFilter): boolean =>
  (status === undefined || status.includes(run.status as RunStatus)) &&
  (fields.kind === undefined || run.kind === fields.kind) &&
  (fields.agent === undefined || run.agent === fields.agent) &&
  (fields.session_id === undefined || run.session_id === fields.session_id) &&
  (fields.role === undefined || run.role === fields.role) &&
  (fields.label === undefined || run.label === fields.label) &&
  (fields.own_session === undefined || run.session_id === sessionOf(run.id)) &&
  (fields.model === undefined || run.model === fields.model) &&
  (fields.waiting_on === undefined ||
    (run.waiting_on !== null && fields.waiting_on.includes(run.waiting_on))) &&
  Object.entries(metadata).every(([key, value]) => run.metadata[key] === value) &&
  (fields.q === undefined || hasAllWords(searchedTexts(run), fields.q))

/**
 * Cached tag words by spec. Each run is computed once, because `spec` is the same object in all its
 * states.
 */
const tagCache = new WeakMap<
  object,
  { readonly agent: string; readonly words: readonly string[] }
>()

/**
 * Returns the tags of a run. Descendants have none, because they are listed under their parent and
 * not searched.
 */
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
