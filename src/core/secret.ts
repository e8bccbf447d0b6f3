/**
 * Secrets that a tenant keeps by the API: their names, what each may be used for, and where it may
 * go. A name reads like a variable of the environment, because servers refer to both alike.
 */

import { type Binding, boundHost, mayGo } from './config/server/secret-binding.ts'
import type { ProblemPlace } from './problem.ts'

export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/** MCP servers; calls of models, embeddings among them; web search. */
export const SECRET_USES = ['server', 'model', 'search'] as const
export type SecretUse = (typeof SECRET_USES)[number]
/** A name of a server's must not become the key of model calls because nobody said otherwise. */
export const USUAL_USES: readonly SecretUse[] = ['server']
/** Uses in which a secret stands for a key of the deployment. */
export type KeyUse = Exclude<SecretUse, 'server'>

/** A key of a provider that a tenant's secret of this name replaces. */
export interface KeySlot {
  readonly use: KeyUse
  readonly name: string
  /** The canonical host that it is sent to. */
  readonly place: string
}

/** A shorter value is not hidden: it cannot be distinguished from an ordinary word. */
const HIDDEN_FROM = 8

/** A secret beside its value. */
export interface SecretFacts {
  readonly name: string
  /** Rises with each put of any secret of the tenant, so that no two values share one. */
  readonly version: number
  /** Null: it may be sent anywhere. */
  readonly hosts: Binding | null
  readonly uses: readonly SecretUse[]
  /** RFC 3339. */
  readonly created_at: string
  readonly updated_at: string
}

/** The hosts in their canonical form, or the places in the request that are wrong. */
export function hostsOf(given: {
  readonly hosts?: readonly string[] | undefined
  readonly any_host?: boolean | undefined
}): { readonly hosts: Binding | null } | { readonly errors: readonly ProblemPlace[] } {
  const { hosts = [], any_host = false } = given
  if (any_host && hosts.length > 0)
    return wrong('/any_host', 'stands beside hosts: give one of them')
  if (any_host) return { hosts: null }
  if (hosts.length === 0)
    return wrong('/hosts', 'names no host; say `any_host: true` if it may be sent anywhere')
  const errors = hosts.flatMap((host, at) =>
    boundHost(host) === null
      ? [{ pointer: `/hosts/${at}`, message: 'is no host: `host`, `*.host` or `stdio`' }]
      : [],
  )
  if (errors.length > 0) return { errors }
  return { hosts: [...new Set(hosts.map((host) => boundHost(host)!))] }
}

const wrong = (pointer: string, message: string) => ({ errors: [{ pointer, message }] })

/** Sentences for who writes it. */
export function secretWarnings(value: string, hosts: Binding | null): string[] {
  const short =
    'The value has fewer than 8 characters: where a server repeats it, models and people see it.'
  const free = 'Layers may send it to any host; `hosts` binds it.'
  return [...(value.trim().length < HIDDEN_FROM ? [short] : []), ...(hosts === null ? [free] : [])]
}

/** Sentences about the keys that a secret is to stand for: none, or not where they are sent. */
export function keyWarnings(
  { name, uses, hosts }: Pick<SecretFacts, 'name' | 'uses' | 'hosts'>,
  slots: readonly KeySlot[],
): string[] {
  return uses.flatMap((use) => {
    if (use === 'server') return []
    const all = slots.filter((slot) => slot.use === use)
    const mine = all.filter((slot) => slot.name === name)
    const names = [...new Set(all.map((slot) => slot.name))].join(', ') || 'none'
    if (mine.length === 0) return [`No ${use} takes a key of this name; names here: ${names}.`]
    const away = mine.filter(({ place }) => !mayGo(hosts ?? undefined, place))
    return away.map(
      ({ place }) => `A ${use} sends it to ${place}, which hosts lacks: such calls are refused.`,
    )
  })
}
