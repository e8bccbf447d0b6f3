/** Addresses in texts of models: which are linked, and what is shown of them. */

const LINKED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

export interface LinkTarget {
  readonly href: string
  /** The host in ASCII, or the address of a mail. */
  readonly host: string
}

/** Returns undefined for relative addresses and for every other scheme. */
export function linkTarget(address: string): LinkTarget | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!LINKED.has(url.protocol)) return undefined
  return { href: url.href, host: url.host === '' ? url.pathname : url.host }
}

/** A word such as `www.example.com`, which GFM links although it has no scheme. */
export const isBareWord = (text: string, address: string): boolean =>
  address === `http://${text}` && !text.includes('://')
