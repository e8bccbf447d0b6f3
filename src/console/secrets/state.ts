/** Draft of a secret in its form, and the request that it becomes. */

import type { components } from '../../client/index.ts'

type Schemas = components['schemas']
export type Secret = Schemas['Secret']
export type Use = Secret['uses'][number]

/** Uses of secrets; the compiler rejects a missing or unknown one. */
const USE: Readonly<Record<Use, true>> = { mcp: true, model: true, search: true }
export const USES = Object.keys(USE) as readonly Use[]

export interface Draft {
  readonly name: string
  readonly value: string
  /** Whether the value is entered in a field of several lines. */
  readonly isMultiline: boolean
  /** Hosts, separated by white space or commas. */
  readonly hosts: string
  readonly isAnyHost: boolean
  readonly uses: readonly Use[]
}

/** Returns the draft of a new secret, or of the replacement of a secret, which has no value. */
export const draftOf = (secret?: Secret): Draft => ({
  name: secret?.name ?? '',
  value: '',
  isMultiline: false,
  hosts: secret?.hosts.join(' ') ?? '',
  isAnyHost: secret?.any_host ?? false,
  uses: secret?.uses ?? ['mcp'],
})

const hostsIn = (text: string): string[] => text.split(/[\s,]+/).filter((host) => host !== '')

/** Whether the text can be the name of a secret. */
export const isName = (name: string): boolean => /^[A-Za-z_]\w{0,127}$/.test(name)

/** Whether the draft can be sent; the server checks the form of each host. */
export const isComplete = ({ name, value, hosts, isAnyHost, uses }: Draft): boolean =>
  isName(name) && value !== '' && uses.length > 0 && (isAnyHost || hostsIn(hosts).length > 0)

export const inputOf = ({ value, hosts, isAnyHost, uses }: Draft): Schemas['SecretInput'] => ({
  value,
  ...(isAnyHost ? { any_host: true } : { hosts: hostsIn(hosts) }),
  uses: USES.filter((use) => uses.includes(use)),
})

/** Adds a use to the draft, or removes it. */
export const toggledUse = (uses: readonly Use[], use: Use): readonly Use[] =>
  uses.includes(use) ? uses.filter((other) => other !== use) : [...uses, use]
