/** State of the page of API keys in its URL. */

export interface KeySearch {
  /** ID of the selected key. */
  readonly sel?: string
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function keySearch({ sel }: Record<string, unknown>): KeySearch {
  return typeof sel === 'string' && /^\w{1,64}$/.test(sel) ? { sel } : {}
}
