/**
 * Headers that every answer has, whoever asks: for a browser an answer of the API is nothing but
 * data, which it does not sniff, run, frame, keep or tell others about.
 */

/** Also of answers that a host gives before the app is reached. */
export const GUARDS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

const EACH = Object.entries(GUARDS)

/** Answers to a key: any of them may hold a secret, a token or a link that is its own key. */
const KEYED = /^\/(?:v1|mcp|metrics)(?:\/|$)/
const YEARS_2 = 63_072_000
export const HSTS_SECONDS_MAX = YEARS_2

/** Sets what the route has not set; `hstsSeconds`: how long browsers insist on https from now on. */
export function guard(headers: Headers, path: string, hstsSeconds = 0): void {
  for (const [name, value] of EACH) if (!headers.has(name)) headers.set(name, value)
  if (KEYED.test(path) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
  if (hstsSeconds > 0) headers.set('strict-transport-security', `max-age=${hstsSeconds}`)
}
