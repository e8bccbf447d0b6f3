/** State of the page of memory in its URL. */

export interface MemorySearch {
  /** Path of the open file. */
  readonly file?: string
  /** Line at which the file is open, from 1. */
  readonly line?: number
  /** Words to search for. */
  readonly q?: string
  /** ID of the open version; `all` lists the versions. */
  readonly version?: string
}

/** The router parses a value that looks like a number. */
const textOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function memorySearch(search: Readonly<Record<string, unknown>>): MemorySearch {
  const [file, q, version] = [search.file, search.q, search.version].map(textOf)
  const line = Number(search.line)
  const isLine = Number.isSafeInteger(line) && line > 0
  return {
    ...(q?.trim() && { q }),
    ...(file && { file }),
    ...(file && isLine && { line }),
    ...(file && version && /^(?:all|ver_\w+)$/.test(version) && { version }),
  }
}
