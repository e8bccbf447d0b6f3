/** Links in model output: which URLs become links, and what is displayed. */

const LINKED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

export interface LinkTarget {
  readonly href: string
  /** Host name of the link's target in ASCII, or the email address. */
  readonly host: string
}

/** Returns the target of a link, or undefined for a relative URL or an unsupported scheme. */
export function linkTarget(address: string): LinkTarget | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!LINKED.has(url.protocol)) return undefined
  return { href: url.href, host: url.host === '' ? url.pathname : url.host }
}

/**
 * Whether the link text is a bare domain such as `www.example.com`, which GFM links without a
 * scheme.
 */
export const isBareWord = (text: string, address: string): boolean =>
  address === `http://${text}` && !text.includes('://')
