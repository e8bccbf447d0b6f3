/** Removes secrets from resolved configuration before it is shown. */

import type { Resolved, ServerEntry } from '../../core/config/types.ts'
import { blanked, withoutUserinfo } from '../../core/redaction.ts'

export const shownServer = (server: ServerEntry): ServerEntry => ({
  ...server,
  env: blanked(server.env),
  http_headers: blanked(server.http_headers),
  url: server.url === null ? null : withoutUserinfo(server.url),
})

export const shownResolved = (resolved: Resolved) => ({
  ...resolved,
  schedules: resolved.schedules.map(({ id, ...schedule }) => ({ name: id, ...schedule })),
  servers: resolved.servers.map(shownServer),
})
