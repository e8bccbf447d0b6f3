/**
 * Addresses that may receive a secret of the deployment. A layer names the secret and the address;
 * the operator decides which pairs are allowed (`NAME@host`). Therefore no layer can send a secret
 * to an arbitrary address.
 */

import { quoteText } from '../../../lib/invisible-characters.ts'
import type { ServerEntry } from '../types.ts'
import { referredNames } from './expand.ts'

/** Destinations allowed for a secret: canonical hosts, `*.host` for subdomains, or `stdio`. */
export type Binding = readonly string[]
/** Bindings by secret name; a secret without an entry is unbound. */
export type Bindings = ReadonlyMap<string, Binding>

const STDIO = 'stdio'

type Asking = Pick<
  ServerEntry,
  | 'name'
  | 'transport'
  | 'url'
  | 'args'
  | 'env'
  | 'http_headers'
  | 'env_http_headers'
  | 'bearer_token_env_var'
>

/** Returns the names of all secrets that a server requests. */
export function secretsOf(server: Omit<Asking, 'name'>): string[] {
  const bearer = server.bearer_token_env_var
  const headers = Object.values(server.env_http_headers)
  return [...new Set([...(bearer === null ? [] : [bearer]), ...headers, ...referredNames(server)])]
}

/**
 * Returns the canonical host that would receive a server's secrets, or `stdio`. Returns an empty
 * string if the URL is invalid or its host contains secrets.
 */
export function placeOf({ transport, url }: Pick<Asking, 'transport' | 'url'>): string {
  if (transport === 'stdio') return STDIO
  const [, authority = '$'] = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(url ?? '') ?? []
  return authority.includes('$') || authority.includes('@') ? '' : canonicalHost(url ?? '')
}

/** Returns the canonical host of a URL; empty if the URL is invalid. */
const canonicalHost = (url: string): string => (URL.parse(url)?.hostname ?? '').replace(/\.$/, '')

/** Whether a secret with this binding may be sent to the host `place`. */
export const mayGo = (binding: Binding | undefined, place: string): boolean =>
  binding === undefined ||
  binding.some((host) => (host.startsWith('*.') ? isBelow(place, host.slice(1)) : host === place))

const isAddress = (host: string): boolean => /^(?:\[|[\d.]+$)/.test(host)

/** Whether a host is a subdomain of `end`; IP addresses have no subdomains. */
const isBelow = (place: string, end: string): boolean =>
  place.length > end.length && place.endsWith(end) && !isAddress(place)

/**
 * Explains why a server does not receive a secret that it requests; returns undefined if it
 * receives all of them.
 */
export function bindingFault(server: Asking, bindings: Bindings): string | undefined {
  const place = placeOf(server)
  const name = secretsOf(server).find((secret) => !mayGo(bindings.get(secret), place))
  if (name === undefined) return undefined
  const to = bindings.get(name)!.join(', ')
  const destination =
    place === STDIO
      ? 'a local program (stdio)'
      : place === ''
        ? 'a host name that contains secrets'
        : quoteText(place)
  return `secret ${name} is bound to ${to} and is not sent to ${destination}`
}

/**
 * Parses the secret list: `NAME`, `NAME@host`, `NAME@*.host`, and `NAME@stdio`, separated by spaces
 * or commas. Throws if an entry is invalid.
 */
export function parseSecrets(text: string | undefined): ReadonlyMap<string, Binding | undefined> {
  const bindings = new Map<string, Binding | undefined>()
  for (const entry of (text ?? '').split(/[\s,]+/).filter((word) => word !== '')) {
    const at = entry.indexOf('@')
    const name = at < 0 ? entry : entry.slice(0, at)
    const place = at < 0 ? undefined : boundHost(entry.slice(at + 1))
    if (place === null)
      throw new Error(`STRATA_SECRETS: ${quoteText(entry)} must have the form NAME@host`)
    const previous = bindings.get(name)
    // A secret named without a host may be sent anywhere, regardless of other entries for the
    // secret.
    const anywhere = place === undefined || (bindings.has(name) && previous === undefined)
    bindings.set(name, anywhere ? undefined : [...(previous ?? []), place])
  }
  return bindings
}

const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/** Returns the canonical form of a host that a secret is bound to; null if it is invalid. */
export function boundHost(text: string): string | null {
  if (text === STDIO) return STDIO
  const below = text.startsWith('*.')
  const host = below ? text.slice(2) : text
  if (host === '' || /[/?#@:*\\]/.test(host.replace(/^\[.*\]$/, ''))) return null
  const canonical = canonicalHost(`https://${host}/`)
  if (isAddress(canonical)) return below ? null : canonical
  // URLs permit further characters, such as a comma, but no host name has them.
  if (!HOST_NAME.test(canonical)) return null
  return below ? `*.${canonical}` : canonical
}
