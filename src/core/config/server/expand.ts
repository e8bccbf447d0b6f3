/**
 * Expands `${NAME}` and `${NAME:-default}` in a server's `args`, `env`, `url`, and `http_headers`
 * with the tenant's secrets. Values are expanded at the time of use and never stored. A missing
 * secret without a default is an error that names the secret. The literal placeholder is never
 * sent.
 */

import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import type { ServerEntry } from '../types.ts'

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Returns the text up to its last closing brace, which keeps the search for closing braces linear.
 */
const closed = (text: string): string => text.slice(0, text.lastIndexOf('}') + 1)
const references = (text: string) => [...closed(text).matchAll(REFERENCE)]

type Texts = Pick<ServerEntry, 'args' | 'env' | 'url' | 'http_headers'>

const textsOf = ({ args, env, url, http_headers }: Texts): readonly string[] => [
  ...args,
  ...Object.values(env),
  ...(url === null ? [] : [url]),
  ...Object.values(http_headers),
]

/** Returns the names of the secrets without a default, which must be set. */
export function neededNames(server: Texts): string[] {
  const all = textsOf(server).flatMap(references)
  return [...new Set(all.flatMap(([, name, fallback]) => (fallback === undefined ? [name!] : [])))]
}

/** Returns the names of all secrets that the server's texts reference. */
export const referredNames = (server: Texts): string[] => [
  ...new Set(textsOf(server).flatMap((text) => references(text).map(([, name]) => name!))),
]

/** Expands all references in a server's texts, or returns the name of a missing secret. */
export function expandServer(
  server: ServerEntry,
  values: ReadonlyMap<string, string>,
): Outcome<ServerEntry, string> {
  const missing = neededNames(server).find((name) => !values.has(name))
  if (missing !== undefined) return fail(missing)
  const fill = (text: string): string => {
    const head = closed(text)
    const full = head.replace(REFERENCE, (_, name: string, other = '') => values.get(name) ?? other)
    return full + text.slice(head.length)
  }
  const fillMap = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(map).map(([key, text]) => [key, fill(text)]))
  return ok({
    ...server,
    args: server.args.map(fill),
    env: fillMap(server.env),
    url: server.url === null ? null : fill(server.url),
    http_headers: fillMap(server.http_headers),
  })
}
