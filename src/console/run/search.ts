/** Address of a run's page: tab, selected event, and compared run. */

export const TABS = [
  'timeline',
  'transcript',
  'events',
  'given',
  'usage',
  'compare',
  'raw',
] as const
export type Tab = (typeof TABS)[number]

/** Event that is selected on all tabs. */
export interface Selection {
  readonly run: string
  readonly seq: number
}

export interface RunSearch {
  readonly tab?: Tab
  /** ID of a run and sequence number of its event, separated by a dot. */
  readonly sel?: string
  /** ID of the run to compare with; kept as it was entered, so that the page can name a wrong one. */
  readonly with?: string
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function runSearch({ tab, sel, with: other }: Record<string, unknown>): RunSearch {
  const name = TABS.find((candidate) => candidate === tab)
  const isText = ['string', 'number', 'boolean'].includes(typeof other)
  return {
    ...(name && name !== 'timeline' ? { tab: name } : {}),
    ...(typeof sel === 'string' && selectionOf(sel) ? { sel } : {}),
    ...(isText && other !== '' ? { with: String(other) } : {}),
  }
}

/** Returns the run ID in a text, which may be a link to a run or to a comparison. */
export const runIdIn = (text: string): string | undefined =>
  /(?<!\w)run_[0-9a-hjkmnp-tv-z]{26}(?!\w)/.exec(text)?.[0]

export type Target =
  | { readonly kind: 'none' | 'same' }
  | { readonly kind: 'invalid'; readonly text: string }
  | { readonly kind: 'run'; readonly id: string }

/** Returns the run that the address compares with `id`. */
export function targetOf(other: string | undefined, id: string): Target {
  if (other === undefined) return { kind: 'none' }
  if (runIdIn(other) !== other) return { kind: 'invalid', text: other }
  return other === id ? { kind: 'same' } : { kind: 'run', id: other }
}

export function selectionOf(text: string | undefined): Selection | undefined {
  const [, run, seq] = /^(\w+)\.(\d{1,9})$/.exec(text ?? '') ?? []
  return run === undefined ? undefined : { run, seq: Number(seq) }
}
