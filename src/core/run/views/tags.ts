/**
 * Tags that find a run in a list: one letter for its status and a word for each thing that never
 * changes. A word is a digest, so it is short whatever it stands for, and a reader checks that a
 * run found by it really matches (`isFound`).
 */

import { bounded } from '../../../lib/bounded.ts'
import { sha256 } from '../../../lib/digest.ts'
import { taggedAs } from '../../../lib/tags.ts'
import { sessionOf } from '../decide/child.ts'
import type { RunState, RunStatus } from '../state/state.ts'
import type { RunView } from './view.ts'

/** Filters of lists of runs; all of them must hold. */
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
/** Kinds, agents and roles are few, and come with every run. */
const knownWords = bounded<string>(1_000)

function word(name: string, value: string): string {
  const text = `${name}=${value}`
  const known = knownWords.get(text)
  if (known !== undefined) return known
  const made = sha256(text).slice(0, WORD)
  if (name !== 'session_id') knownWords.set(text, made)
  return made
}

const OWN = 'own_session'

/** A filter as a query of the index. */
export function wantedTags(filter: RunFilter): { marks: string; words: string[] } {
  const { status = [], metadata = {}, own_session, ...named } = filter
  const words = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [word(name, value)],
  )
  const pairs = Object.entries(metadata).map(([key, value]) => word(`metadata.${key}`, value))
  return {
    marks: [...new Set(status.map(markOf))].join(''),
    words: [...words, ...pairs, ...(own_session ? [word(OWN, 'true')] : [])],
  }
}

/** Whether a run that the index named is one that the filter means. */
export const isFound = (run: RunView, { status, metadata = {}, ...named }: RunFilter): boolean =>
  (status === undefined || status.includes(run.status as RunStatus)) &&
  (named.kind === undefined || run.kind === named.kind) &&
  (named.agent === undefined || run.agent === named.agent) &&
  (named.session_id === undefined || run.session_id === named.session_id) &&
  (named.role === undefined || run.role === named.role) &&
  (named.label === undefined || run.label === named.label) &&
  (named.own_session === undefined || run.session_id === sessionOf(run.id)) &&
  Object.entries(metadata).every(([key, value]) => run.metadata[key] === value)

/** The words of a run, made once for each: `spec` is the same object in all its states. */
const made = new WeakMap<object, { readonly agent: string; readonly words: readonly string[] }>()

/** Runs below another one are listed under it and not searched, so their tags cost nothing. */
export function tagsOf({ spec, started, status }: RunState): string | undefined {
  if (spec === null || spec.parent !== null) return undefined
  const agent = started?.agent ?? spec.agent
  let known = made.get(spec)
  if (known?.agent !== agent) {
    const { kind, session_id, role, label, metadata } = spec
    const words = wantedTags({
      ...{ kind, agent, session_id, metadata },
      role: role ?? undefined,
      label: label ?? undefined,
      ...(session_id === sessionOf(spec.id) ? { own_session: true } : {}),
    }).words
    known = { agent, words }
    made.set(spec, known)
  }
  return taggedAs(markOf(status), known.words)
}
