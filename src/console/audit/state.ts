/** Kinds and actions of audit entries, and the pages of the console about changed resources. */

import type { components } from '../../client/index.ts'

export type Entry = components['schemas']['AuditEntry']
/** Position in the hash chain; its members are null until the entry is sealed. */
export type Position = Pick<components['schemas']['AuditEntryWithPosition'], 'seq' | 'hash'>
export type ResourceKind = Entry['kind']
export type Action = Entry['action']

/** Kinds of resources; the compiler rejects a missing or unknown one. */
const KIND: Readonly<Record<ResourceKind, true>> = {
  ...{ agent: true, skill: true, server: true, file: true, memory: true, policy: true },
  ...{ run: true, fanout: true, session: true, approval: true, schedule: true, hook: true },
  ...{ endpoint: true, delivery: true, authorization: true, key: true, token: true },
  ...{ browser_session: true, sign_in_link: true, tenant: true, secret: true },
}
export const KINDS = Object.keys(KIND) as readonly ResourceKind[]

const ACTION: Readonly<Record<Action, true>> = {
  ...{ create: true, put: true, update: true, delete: true, enable: true, disable: true },
  ...{ rollback: true, found: true, rotate: true, refuse: true, approve: true, deny: true },
  ...{ cancel: true, cancel_children: true, retry: true, pause: true, resume: true, run: true },
  ...{ replay: true, authorize: true, refresh_failed: true, forget: true, fork: true },
  ...{ suspend: true, export: true, import: true },
  ...{ read: true, reseal: true },
}
export const ACTIONS = Object.keys(ACTION) as readonly Action[]

const CHANNEL: Readonly<Record<NonNullable<Entry['via']>, true>> = {
  ...{ api: true, console: true, mcp: true, a2a: true, ag_ui: true, openai: true },
  ...{ link: true, hook: true },
}
export const CHANNELS = Object.keys(CHANNEL) as readonly NonNullable<Entry['via']>[]

const LAYERS: readonly (readonly [prefix: RegExp, choice: (layer: string) => object])[] = [
  [/^base\/$/, () => ({})],
  [/^roles\/[^/]+\/$/, (layer) => ({ role: layer.slice('roles/'.length, -1) })],
  [/^repos\/[^/]+\/$/, (layer) => ({ repo: layer.slice(0, -1) })],
]

const TABS = { agent: undefined, skill: 'skills', server: 'servers' } as const

export type Versioned = keyof typeof TABS

export const isVersioned = (kind: ResourceKind): kind is Versioned => Object.hasOwn(TABS, kind)

/** Address of a page below `/console`, as the router's link takes it. */
export interface Target {
  readonly to: string
  readonly params?: Readonly<Record<string, string>>
  readonly search?: Readonly<Record<string, string>>
}

const APPROVAL = /\bapr_\w+/
const SELECTED: Partial<Record<ResourceKind, (name: string) => Target>> = {
  run: (run) => ({ to: '/runs/$run', params: { run } }),
  fanout: (fanout) => ({ to: '/fanouts/$fanout', params: { fanout } }),
  session: (session) => ({ to: '/chat/$session', params: { session } }),
  endpoint: (sel) => ({ to: '/webhooks', search: { tab: 'endpoints', sel } }),
  hook: (sel) => ({ to: '/webhooks', search: { tab: 'hooks', sel } }),
  delivery: (sel) => ({ to: '/webhooks', search: { sel } }),
  key: (sel) => ({ to: '/keys', search: { sel } }),
  secret: (sel) => ({ to: '/secrets', search: { sel } }),
  file: (file) => ({ to: '/layers', search: { file, pane: 'versions' } }),
  memory: (file) => ({ to: '/memory', search: { file } }),
  schedule: (sel) => ({ to: '/schedules', search: { sel } }),
  policy: () => ({ to: '/settings' }),
  browser_session: () => ({ to: '/settings', search: { tab: 'sessions' } }),
}

/** Prefixes of the IDs that the linked pages can show. */
const IDS: Partial<Record<ResourceKind, RegExp>> = {
  ...{ run: /^run_\w+$/, fanout: /^fan_\w+$/, session: /^ses_\w+$/, endpoint: /^whe_\w+$/ },
  ...{ hook: /^hk_\w+$/, delivery: /^dlv_\w+$/, key: /^\w+$/, secret: /^\w+$/ },
  // The entry of an import or of a folder has no file of its own.
  ...{ file: /[^/]$/, memory: /[^/]$/, schedule: /^[\w.-]{1,64}$/ },
}

/** Returns the page about the changed resource; undefined if the console has none. */
export function targetOf({ kind, name, layer, action }: Entry): Target | undefined {
  if (action === 'delete' && kind !== 'policy') return undefined
  if (kind === 'approval') {
    const [sel] = APPROVAL.exec(name) ?? []
    return sel === undefined ? undefined : { to: '/approvals', search: { tab: 'decided', sel } }
  }
  if (isVersioned(kind)) {
    const choice = LAYERS.find(([prefix]) => prefix.test(layer))?.[1](layer)
    if (!choice) return undefined
    const tab = TABS[kind]
    return { to: '/layers/effective', search: { ...choice, ...(tab && { kind: tab }), name } }
  }
  return (IDS[kind]?.test(name) ?? true) ? SELECTED[kind]?.(name) : undefined
}

/** Returns the page about the author of a change; undefined for tokens and the platform. */
export function authorTargetOf(by: string, mayReadKeys: boolean): Target | undefined {
  if (/^run_\w+$/.test(by)) return { to: '/runs/$run', params: { run: by } }
  return mayReadKeys && /^[0-9a-z]{16}$/.test(by) ? { to: '/keys', search: { sel: by } } : undefined
}

/** Returns the ID of the newest key that has a name, or the text if no key has this name. */
export function idOfName(names: ReadonlyMap<string, string>, text: string): string {
  const entry = [...names].find(([, name]) => name.toLowerCase() === text.toLowerCase())
  return names.has(text) ? text : (entry?.[0] ?? text)
}

/** A stored version with the version before it, if any. */
interface VersionAt {
  readonly previous: string | undefined
}

/**
 * Finds a version in a list that has the newest version first; returns undefined if it is not in
 * the list. Reads no further than the version before it.
 */
export async function versionAt(
  newestFirst: AsyncIterable<{ readonly version: string }>,
  id: string,
): Promise<VersionAt | undefined> {
  let isFound = false
  for await (const { version } of newestFirst) {
    if (isFound) return { previous: version }
    isFound = version === id
  }
  return isFound ? { previous: undefined } : undefined
}
