/**
 * State of the page of the audit log in its URL: the selection, and the filters under the names of
 * `GET /v1/audit`.
 */

const FILTERS = ['kind', 'action', 'name', 'by', 'created[gte]', 'created[lt]'] as const
type FilterName = (typeof FILTERS)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

export interface AuditSearch extends Filters {
  /** ID of the selected entry. */
  readonly sel?: string
}

/** Returns the filters in a URL; ignores other members and empty values. */
export function filtersOf(search: object): Filters {
  const members = search as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = members[name]
      const text = ['string', 'number'].includes(typeof value) ? String(value).trim() : ''
      return text === '' ? [] : [[name, text]]
    }),
  )
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const { sel } = search
  const isId = typeof sel === 'string' && /^ver_\w+$/.test(sel)
  return { ...filtersOf(search), ...(isId ? { sel } : {}) }
}
