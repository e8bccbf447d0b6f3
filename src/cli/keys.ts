/** `strata keys`: creates, lists, changes, rotates, and revokes the server's API keys. */

import type { components } from '../client/index.ts'
import { KEY_QUOTAS, quotasText } from '../core/tenant-quotas.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { quotasOf } from './quotas.ts'
import { jsonLine } from './run.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

/** API key scopes as entered by the user; the server validates them. */
type Scopes = components['schemas']['ApiKeyInput']['scopes']
type ApiKey = components['schemas']['ApiKey']

interface KeyOptions extends Shape {
  readonly create?: true
  readonly name?: string
  readonly scope: readonly string[]
  /** Expiry time of the key in RFC 3339 format. */
  readonly expires?: string
  /** ID of the API key to change. */
  readonly update?: string
  readonly address: readonly string[]
  /** Rate limit of the key in requests per second. */
  readonly rate?: number
  /** Quotas of the key, such as `active_runs=5`. */
  readonly quota: readonly string[]
  /** ID of the API key to rotate. */
  readonly rotate?: string
  /** Time in seconds during which the old key and the new key are both valid. */
  readonly overlap?: number
  readonly revoke?: string
}

/** Lists API keys as a table, or creates or changes a key as the options require. */
export async function keys(terminal: Terminal, options: KeyOptions): Promise<number> {
  const { json, create, update, rotate, revoke, overlap } = options
  checkUse(options)
  const { keys: all } = clientOf(terminal.env)
  const show = (entries: readonly ApiKey[]): void => {
    const lines = json ? entries.map(jsonLine) : tableOf(HEADS, entries.map(rowOf))
    for (const line of lines) terminal.out(line)
  }
  if (revoke !== undefined) {
    await all.revoke(revoke)
    terminal.out(json ? jsonLine({ id: revoke, revoked: true }) : 'revoked')
    return 0
  }
  if (create || rotate !== undefined) {
    const apiKey = create
      ? await all.create({ scopes: options.scope as Scopes, ...membersOf(options) })
      : await all.rotate(rotate!, { overlap_seconds: overlap })
    terminal.out(
      json
        ? jsonLine(apiKey)
        : (apiKey.key ?? `${apiKey.id}: the key was already shown and cannot be shown again`),
    )
    return 0
  }
  if (update !== undefined) {
    const scopes = options.scope.length > 0 ? { scopes: options.scope as Scopes } : {}
    const changed = await all.update(update, { ...scopes, ...membersOf(options) })
    show([changed])
    return 0
  }
  const page = await all.list({ limit: 100 })
  show(page.data)
  return 0
}

function checkUse({ create, update, rotate, name, scope, expires, overlap, ...more }: KeyOptions) {
  const lists = [scope, more.address, more.quota]
  const hasMembers = (name ?? expires ?? more.rate) !== undefined || lists.flat().length > 0
  if (!create && update === undefined && hasMembers)
    throw new WrongUse(
      '--name, --scope, --expires, --address, --rate, and --quota require --create or --update',
    )
  if (create && scope.length === 0) throw new WrongUse('--create requires --scope, such as runs:*')
  if (rotate === undefined && overlap !== undefined)
    throw new WrongUse('--overlap requires --rotate')
}

const membersOf = ({ name, expires, address, rate, quota }: KeyOptions) => ({
  ...(name === undefined ? {} : { name }),
  ...(expires === undefined ? {} : { expires_at: expires }),
  ...(address.length === 0 ? {} : { addresses: [...address] }),
  ...(rate === undefined ? {} : { rate_limits: { requests_per_second: rate } }),
  ...(quota.length === 0 ? {} : { quotas: quotasOf(quota, KEY_QUOTAS) }),
})

const HEADS = [
  ...['id', 'name', 'scopes', 'expires_at', 'last_used_at', 'addresses', 'rate_limits'],
  'quotas',
]

function rowOf({ id, name, scopes, ...key }: ApiKey): (string | null | undefined)[] {
  const until = key.expired ? 'expired' : key.expires_at
  const rate = key.rate_limits?.requests_per_second
  const limit = rate === undefined ? null : `${rate}/s`
  const quotas = key.quotas && quotasText(key.quotas)
  const addresses = key.addresses?.join(',')
  return [id, name, scopes.join(','), until, key.last_used_at, addresses, limit, quotas]
}
