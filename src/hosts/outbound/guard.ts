/**
 * Defines the outbound policy: which URLs may be requested, judged by their text alone, and which
 * addresses are public. Host names are checked again at resolution. Node then connects to the
 * vetted address, and Workers reject private addresses.
 */

import ipaddr from 'ipaddr.js'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { canonicalUrl } from '../../lib/url.ts'

export interface UrlPolicy {
  /** True if `http(s)://127.0.0.1`, `[::1]`, and `localhost` are allowed on any port. */
  readonly allowLoopback: boolean
  /** Allowed URL ports in addition to 443. */
  readonly ports?: readonly number[] | undefined
  /**
   * Addresses of this deployment (API, object storage) as `host` or `host:port`, which requests
   * must not reach. A leading dot includes every subdomain.
   */
  readonly ownHosts?: readonly string[] | undefined
  /** Addresses of this process and its machine, detected without configuration. */
  readonly own?: OwnAddresses | undefined
}

export interface OwnAddresses {
  /** Ports on which this process listens, including on loopback. */
  readonly ports: ReadonlySet<number>
  /** Reports whether the address belongs to this machine. */
  has(address: string): boolean
}

const URL_BYTES = 2_048
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Host names that are never public, including their subdomains. */
const PRIVATE_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|onion|home\.arpa)$/

/** Returns the parsed URL, or one sentence that explains why the URL is rejected. */
export function checkUrl(text: string, policy: UrlPolicy): Outcome<URL, string> {
  if (byteLength(text) > URL_BYTES) return fail(`the URL is longer than ${URL_BYTES} bytes`)
  // URL parsers repair backslashes, whitespace, and missing slashes; a URL that needs repair is
  // rejected.
  if (/[\s\\\p{Cc}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) {
    return fail('the URL must start with https:// and must not contain spaces or backslashes')
  }
  const parsed = URL.parse(text)
  if (parsed === null) return fail('the URL cannot be parsed')
  if (parsed.username !== '' || parsed.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return fail('the URL must not contain a user name or password')
  }
  if (text.includes('#')) return fail('the URL must not contain a fragment')
  const canonical = canonicalUrl(text)
  if (!canonical.ok) return canonical
  const url = new URL(canonical.value)
  if (policy.allowLoopback && LOOPBACK.has(url.hostname)) {
    return isOwnUrl(url, policy)
      ? fail(OWN_URL)
      : url.port === '0'
        ? fail('port 0 is not allowed')
        : ok(url)
  }
  if (LOOPBACK.has(url.hostname)) return fail(ON_LOOPBACK)
  if (url.protocol !== 'https:') return fail('the URL must start with https://')
  const fault = checkHost(url) ?? checkPort(url, policy)
  if (fault) return fail(fault)
  return isOwnUrl(url, policy) ? fail(OWN_URL) : ok(url)
}

/**
 * Rejection reason for both unknown and internal host names, so that internal names stay hidden.
 */
export const UNKNOWN_HOST = 'the host is unknown or not public'

/** Rejection reason for a URL that points to this service. */
export const OWN_URL = 'the URL points back to this service'

/** Rejection reason for a loopback URL, which the operator can allow. */
const ON_LOOPBACK = 'the URL points to this machine; set ALLOW_LOOPBACK=true to allow it'

function checkHost(url: URL): string | undefined {
  const host = url.hostname.replace(/\.$/, '')
  if (host.startsWith('[') || ipaddr.isValid(host)) {
    return 'the URL must contain a host name, not an IP address'
  }
  const labels = host.split('.')
  // The URL parser converts other scripts to punycode, so a remaining non-ASCII label is invalid.
  if (host.length > 253 || !labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) {
    return 'invalid host name'
  }
  if (labels.length < 2 || PRIVATE_NAMES.test(host)) return 'the host is not public'
  return undefined
}

function checkPort(url: URL, policy: UrlPolicy): string | undefined {
  if (url.port === '' || policy.ports?.includes(Number(url.port))) return undefined
  return 'the port is not allowed'
}

function isOwnUrl(url: URL, policy: UrlPolicy): boolean {
  const name = url.hostname.replace(/\.$/, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (LOOPBACK.has(name) && policy.own?.ports.has(Number(port))) return true
  return (policy.ownHosts ?? []).some((host) => {
    const entry = host.toLowerCase()
    if (entry.startsWith('.')) return name === entry.slice(1) || name.endsWith(entry)
    return entry === name || entry === `${name}:${port}`
  })
}

/** Address ranges that `ipaddr.js` treats as ordinary although they have no legitimate use. */
const EXTRA = ['3fff::/20', '5f00::/16', '168.63.129.16/32'].map((range) => ipaddr.parseCIDR(range))

/** Reports whether an IPv4 or IPv6 address, given as text, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (EXTRA.some((range) => range[0].kind() === parsed.kind() && parsed.match(range))) return false
  if (parsed.kind() === 'ipv6' && !parsed.match(ipaddr.parseCIDR('2000::/3'))) return false
  return parsed.range() === 'unicast'
}

/** Reports whether a connection to an address is allowed for a URL that `checkUrl` accepted. */
export function mayConnect(hostname: string, address: string, policy: UrlPolicy): boolean {
  if (policy.allowLoopback && LOOPBACK.has(hostname)) {
    return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
  }
  return isPublicAddress(address) && !isOwnAddress(address, policy)
}

/** Reports whether an address belongs to this machine. */
export const isOwnAddress = (address: string, policy: UrlPolicy): boolean =>
  policy.own?.has(address) === true && ipaddr.isValid(address) && !isLoopback(address)

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'
