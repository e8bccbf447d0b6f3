/** `strata keys`: API keys of the server; made, changed, replaced and revoked. */

import type { components } from '../client/index.ts'
import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

/** As they were typed: the server says which of them it does not know. */
type Scopes = components['schemas']['ApiKeyInput']['scopes']

interface KeyOptions extends Shape {
  readonly create?: true
  readonly name?: string
  readonly scope: readonly string[]
  /** RFC 3339. */
  readonly expires?: string
  /** A key's id. */
  readonly update?: string
  readonly address: readonly string[]
  /** Requests in a second. */
  readonly rate?: number
  /** A key's id. */
  readonly rotate?: string
  /** Seconds. */
  readonly overlap?: number
  readonly revoke?: string
}

/**
 * Lists keys, each on a line: its id, its scopes, its end, its name, its last use, its addresses
 * and its rate; or does what the options say.
 */
export async function keys(terminal: Terminal, options: KeyOptions): Promise<number> {
  const { json, create, update, rotate, revoke, overlap } = options
  checkUse(options)
  const { keys: all } = clientOf(terminal.env)
  if (revoke !== undefined) {
    await all.revoke(revoke)
    terminal.out(json ? jsonLine({ id: revoke, revoked: true }) : 'revoked')
    return 0
  }
  if (create || rotate !== undefined) {
    const made = create
      ? await all.create({ scopes: options.scope as Scopes, ...membersOf(options) })
      : await all.rotate(rotate!, { overlap_seconds: overlap })
    terminal.out(json ? jsonLine(made) : (made.key ?? `${made.id}: its text was shown before`))
    return 0
  }
  if (update !== undefined) {
    const scopes = options.scope.length > 0 ? { scopes: options.scope as Scopes } : {}
    const changed = await all.update(update, { ...scopes, ...membersOf(options) })
    terminal.out(json ? jsonLine(changed) : lineOf(changed))
    return 0
  }
  const page = await all.list({ limit: 100 })
  for (const key of page.data) terminal.out(json ? jsonLine(key) : lineOf(key))
  return 0
}

function checkUse({ create, update, rotate, name, scope, expires, overlap, ...more }: KeyOptions) {
  const hasMembers = (name ?? expires ?? scope[0] ?? more.address[0] ?? more.rate) !== undefined
  if (!create && update === undefined && hasMembers)
    throw new WrongUse(
      '--name, --scope, --expires, --address and --rate go with --create or --update',
    )
  if (create && scope.length === 0) throw new WrongUse('--create needs a --scope, such as runs:*')
  if (rotate === undefined && overlap !== undefined)
    throw new WrongUse('--overlap goes with --rotate')
}

const membersOf = ({ name, expires, address, rate }: KeyOptions) => ({
  ...(name === undefined ? {} : { name }),
  ...(expires === undefined ? {} : { expires_at: expires }),
  ...(address.length === 0 ? {} : { addresses: [...address] }),
  ...(rate === undefined ? {} : { rate_limits: { requests_per_second: rate } }),
})

function lineOf(key: components['schemas']['ApiKey']): string {
  const until = key.expired ? 'expired' : (key.expires_at ?? '–')
  const used = key.last_used_at === null ? [] : [`used ${key.last_used_at}`]
  const addresses = key.addresses === null ? [] : [`from ${key.addresses.join(',')}`]
  const rate = key.rate_limits?.requests_per_second
  const limit = rate === undefined ? [] : [`${rate}/s`]
  const named = key.name === null ? [] : [key.name]
  const parts = [key.id, key.scopes.join(','), until, ...named, ...used, ...addresses, ...limit]
  return oneLine(parts.join(' '))
}
