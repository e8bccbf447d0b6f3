/** State of the page of settings in its URL. */

/** Tabs of the page, in their order. */
export const TABS = [
  ...(['policy', 'models', 'tools', 'limits', 'readiness', 'sessions', 'browser'] as const),
] as const
export type Tab = (typeof TABS)[number]

export interface SettingsSearch {
  /** Open tab; absent for the policy. */
  readonly tab?: Exclude<Tab, 'policy'>
  /** Text that the rows of a table contain. */
  readonly q?: string
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function settingsSearch({ tab, q }: Record<string, unknown>): SettingsSearch {
  const open = TABS.find((name) => name === tab)
  const text = ['string', 'number'].includes(typeof q) ? String(q).trim() : ''
  return { ...(open && open !== 'policy' && { tab: open }), ...(text !== '' && { q: text }) }
}

/** Returns whether each word of the query occurs in one of the texts; case is ignored. */
export function hasWords(query: string, texts: readonly (string | null)[]): boolean {
  const text = texts.join(' ').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
