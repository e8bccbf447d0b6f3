/** State of the page of usage in its URL. */

export const GROUPINGS = ['agent', 'model', 'kind'] as const
export type Grouping = (typeof GROUPINGS)[number]
export const MEASURES = ['cost', 'tokens', 'runs'] as const
export type Measure = (typeof MEASURES)[number]

export interface UsageSearch {
  /** First day (UTC), and the day after the last one. */
  readonly from?: string
  readonly to?: string
  /** Grouping; absent for agents. */
  readonly by?: Exclude<Grouping, 'agent'>
  /** Measure of the chart; absent for the cost, or for tokens if no cost is known. */
  readonly of?: Measure
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function usageSearch({ from, to, by, of }: Record<string, unknown>): UsageSearch {
  const grouping = GROUPINGS.find((name) => name === by)
  const measure = MEASURES.find((name) => name === of)
  return {
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(grouping && grouping !== 'agent' && { by: grouping }),
    ...(measure && { of: measure }),
  }
}
