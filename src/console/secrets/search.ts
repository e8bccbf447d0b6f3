/** State of the page of secrets in its URL. */

export interface SecretSearch {
  /** Name of the selected secret. */
  readonly sel?: string
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function secretSearch({ sel }: Record<string, unknown>): SecretSearch {
  return typeof sel === 'string' && /^[A-Za-z_]\w{0,127}$/.test(sel) ? { sel } : {}
}
