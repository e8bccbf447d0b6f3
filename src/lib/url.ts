/**
 * Ensures that each host has a single spelling. URL parsers convert hosts: other scripts to
 * Punycode, wide letters to narrow letters, invisible characters to nothing, `%61` to `a`, `0x7f.1`
 * to `127.0.0.1`. A user would then read one host while the request goes to another. A host that
 * differs from its displayed form is rejected; other hosts are kept in canonical form.
 */

import { fail, type Outcome, ok } from './outcome.ts'

/** Matches a URL's scheme, its authority without a user name, and the unchanged remainder. */
const SHAPE = /^(https?):\/\/([^/?#@]+)((?:[/?#].*)?)$/is

/**
 * Returns the URL with its host in canonical form, or a sentence that explains why the URL is
 * rejected.
 */
export function canonicalUrl(text: string): Outcome<string, string> {
  const url = URL.parse(text)
  const [, , authority, suffix] = SHAPE.exec(text) ?? []
  if (url === null || authority === undefined || suffix === undefined) {
    return fail('the URL cannot be parsed')
  }
  const writtenHost = authority.replace(/:\d*$/, '')
  const disguise = disguised(writtenHost, url.hostname)
  if (disguise !== undefined) return fail(disguise)
  const port = url.port === '' ? '' : `:${url.port}`
  return ok(`${url.protocol}//${withoutDot(url.hostname)}${port}${suffix}`)
}

/** Converts the host in a URL text to canonical form, if there is a host. */
export function canonicalOf(text: string): string {
  const canonical = canonicalUrl(text)
  return canonical.ok ? canonical.value : text
}

/** Returns the canonical `host` or `host:port` of a URL; '' if the text has no host. */
export function hostOf(text: string): string {
  const url = URL.parse(text)
  if (url === null) return ''
  return withoutDot(url.hostname) + (url.port === '' ? '' : `:${url.port}`)
}

/** Removes a host's trailing dot, which does not change its meaning. */
const withoutDot = (host: string): string => host.replace(/\.$/, '')

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u
/** Matches non-ASCII characters that URL parsers accept as dots. */
const DOTS = /[\u3002\uff0e\uff61]/u

function disguised(writtenHost: string, host: string): string | undefined {
  if (writtenHost.includes('%')) return 'the host must not be percent-encoded'
  if (INVISIBLE.test(writtenHost)) return 'the host contains invisible characters'
  // URL parsers map wide, circled, and mathematical letters to other letters.
  if (DOTS.test(writtenHost) || writtenHost.normalize('NFKC') !== writtenHost.normalize('NFC')) {
    return 'the host contains characters that normalize to different characters'
  }
  const numbers = /^[\d.]+$/.test(host) || host.startsWith('[')
  if (numbers && withoutDot(writtenHost).toLowerCase() !== host) {
    return `the host is a non-canonical form of the address ${host}`
  }
  return undefined
}
