/**
 * Addresses that may receive a secret of the deployment. A layer names the secret and the address;
 * the operator decides which pairs are allowed (`NAME@host`). No layer can therefore send a secret
 * to an arbitrary address.
 */

import { quoteText } from '../../../lib/invisible-characters.ts'
import type { ServerEntry } from '../types.ts'
import { referredNames } from './expand.ts'

/** Canonical hosts, `*.host` for subdomains, or `stdio`. */
export type Binding = readonly string[]
/** Bindings by secret name; other secrets are unbound. */
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

/** Returns the names of all secrets that the server requests. */
export function secretsOf(server: Omit<Asking, 'name'>): string[] {
  const bearer = server.bearer_token_env_var
  const headers = Object.values(server.env_http_headers)
  return [...new Set([...(bearer === null ? [] : [bearer]), ...headers, ...referredNames(server)])]
}

/**
 * Returns the canonical host that receives the secrets, or `stdio`. Returns an empty string if the
 * URL is invalid or its host contains secrets.
 */
export function placeOf({ transport, url }: Pick<Asking, 'transport' | 'url'>): string {
  if (transport === 'stdio') return STDIO
  const [, authority = '$'] = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(url ?? '') ?? []
  return authority.includes('$') || authority.includes('@') ? '' : canonicalHost(url ?? '')
}

/** Returns the host to connect to; empty if the URL is invalid. */
const canonicalHost = (url: string): string => (URL.parse(url)?.hostname ?? '').replace(/\.$/, '')

/** Whether a secret with this binding may be sent to this host. */
export const mayGo = (binding: Binding | undefined, place: string): boolean =>
  binding === undefined ||
  binding.some((host) => (host.startsWith('*.') ? isBelow(place, host.slice(1)) : host === place))

/** IP addresses have no subdomains. */
const isBelow = (place: string, end: string): boolean =>
  place.length > end.length && place.endsWith(end) && !/^(?:\[|[\d.]+$)/.test(place)

/** Explains why the server does not receive a requested secret; returns undefined if it does. */
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
 * Parses `NAME`, `NAME@host`, `NAME@*.host`, and `NAME@stdio`, separated by spaces or commas. May
 * throw.
 */
export function parseSecrets(text: string | undefined): ReadonlyMap<string, Binding | undefined> {
  const bindings = new Map<string, Binding | undefined>()
  for (const entry of (text ?? '').split(/[\s,]+/).filter((word) => word !== '')) {
    const at = entry.indexOf('@')
    const name = at < 0 ? entry : entry.slice(0, at)
    const place = at < 0 ? undefined : bound(entry.slice(at + 1))
    if (place === null)
      throw new Error(`STRATA_SECRETS: ${quoteText(entry)} must have the form NAME@host`)
    const previous = bindings.get(name)
    // A name without a host may be sent anywhere, regardless of other entries.
    const anywhere = place === undefined || (bindings.has(name) && previous === undefined)
    bindings.set(name, anywhere ? undefined : [...(previous ?? []), place])
  }
  return bindings
}

function bound(text: string): string | null {
  if (text === STDIO) return STDIO
  const below = text.startsWith('*.')
  const host = below ? text.slice(2) : text
  if (host === '' || /[/?#@:*\\]/.test(host.replace(/^\[.*\]$/, ''))) return null
  const canonical = canonicalHost(`https://${host}/`)
  if (canonical === '') return null
  return below ? `*.${canonical}` : canonical
}
