/** What must not be shown although it is stored: the values of `env` and `http_headers`. */

export const REDACTED = '[redacted]'

export const blanked = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, REDACTED]))

/** A URL without the user and password that it may carry. */
export const withoutUserinfo = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, `$1${REDACTED}@`)
