/**
 * Rules for secrets that a tenant stores with the API: names, permitted uses, and permitted hosts.
 * A name has the form of an environment variable, because servers refer to both in the same way.
 */

import { type Binding, boundHost, mayGo } from './config/server/secret-binding.ts'
import type { ProblemPlace } from './problem.ts'

export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
export const SECRET_NAME_RULE =
  'The name of a secret has at most 128 letters, digits, and _, and starts with no digit.'

/** Uses of a secret: MCP servers, model calls including embeddings, and web search. */
export const SECRET_USES = ['mcp', 'model', 'search'] as const
export type SecretUse = (typeof SECRET_USES)[number]

/** Uses in which a secret replaces a key of the deployment. */
type KeyUse = Exclude<SecretUse, 'mcp'>

/** Destination of a secret at the time of use. */
export interface SecretDestination {
  readonly use: SecretUse
  /** Canonical host, or `stdio`. */
  readonly place: string
}

/** Key of a provider that a tenant's secret of the same name replaces. */
export interface KeySlot extends SecretDestination {
  readonly use: KeyUse
  readonly name: string
}

/** Minimum length of a value that is redacted; shorter values resemble ordinary words. */
const REDACTED_FROM = 8

/** Properties of a secret without its value. */
export interface SecretFacts {
  readonly name: string
  /** End user to whom the secret belongs; absent if it belongs to all runs of the tenant. */
  readonly subject?: string
  /** Version, which increases with each change of any secret of the owner and is never reused. */
  readonly version: number
  /** Permitted hosts in canonical form; null permits every host. */
  readonly hosts: Binding | null
  readonly uses: readonly SecretUse[]
  /** Time of creation (RFC 3339). */
  readonly created_at: string
  /** Time of the last change (RFC 3339). */
  readonly updated_at: string
}

/** Returns the canonical hosts of a request, or its invalid parts; null permits every host. */
export function hostsOf(request: {
  readonly hosts?: readonly string[] | undefined
  readonly any_host?: boolean | undefined
}): { readonly hosts: Binding | null } | { readonly errors: readonly ProblemPlace[] } {
  const { hosts = [], any_host = false } = request
  if (any_host && hosts.length > 0)
    return invalid('/any_host', 'Cannot be combined with `hosts`; use one of them.')
  if (any_host) return { hosts: null }
  if (hosts.length === 0)
    return invalid('/hosts', 'Name at least one host, or set `any_host` to allow every host.')
  const canonical = hosts.map(boundHost)
  const errors = canonical.flatMap((host, at) =>
    host === null ? [{ pointer: `/hosts/${at}`, message: HOST_FORM }] : [],
  )
  if (errors.length > 0) return { errors }
  return { hosts: [...new Set(canonical.flatMap((host) => host ?? []))] }
}

const HOST_FORM = 'Must be a host (`example.com`), its subdomains (`*.example.com`), or `stdio`.'

const invalid = (pointer: string, message: string) => ({ errors: [{ pointer, message }] })

/** Returns warnings about a secret that was written, each one sentence. */
export function secretWarnings(
  value: string,
  { name, uses, hosts }: Pick<SecretFacts, 'name' | 'uses' | 'hosts'>,
  slots: readonly KeySlot[],
): string[] {
  const isShort = value.trim().length < REDACTED_FROM
  return [
    ...(isShort ? [SHORT] : []),
    ...(hosts === null ? [ANY_HOST] : []),
    ...uses.flatMap((use) => (use === 'mcp' ? [] : keyWarnings({ name, hosts }, use, slots))),
  ]
}

const SHORT =
  'The value has fewer than 8 characters, too short to be redacted from the output of servers.'
const ANY_HOST = 'Layers may send the secret to any host; use `hosts` to restrict it.'

/** Returns warnings about the provider keys that the secret cannot replace. */
function keyWarnings(
  { name, hosts }: Pick<SecretFacts, 'name' | 'hosts'>,
  use: KeyUse,
  slots: readonly KeySlot[],
): string[] {
  const ofUse = slots.filter((slot) => slot.use === use)
  const matching = ofUse.filter((slot) => slot.name === name)
  if (matching.length === 0) {
    const names = [...new Set(ofUse.map((slot) => slot.name))].join(', ') || 'none'
    return [`No key for the use \`${use}\` has this name; available names: ${names}.`]
  }
  return matching
    .filter(({ place }) => !mayGo(hosts ?? undefined, place))
    .map(
      ({ place }) =>
        `Calls for the use \`${use}\` go to ${place}, which \`hosts\` does not contain; they ` +
        'will be refused.',
    )
}
