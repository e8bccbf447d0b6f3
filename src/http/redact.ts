/** What must not be shown although it is stored: the values of `env` and `http_headers`. */

import type { Resolved, ServerEntry } from '../core/config/types.ts'

export const REDACTED = '[redacted]'

const blank = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, REDACTED]))

export const shownServer = (server: ServerEntry): ServerEntry => ({
  ...server,
  env: blank(server.env),
  http_headers: blank(server.http_headers),
  url: server.url === null ? null : withoutUserinfo(server.url),
})

function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, `$1${REDACTED}@`)
}

export const shownResolved = (resolved: Resolved): Resolved => ({
  ...resolved,
  servers: resolved.servers.map(shownServer),
})
