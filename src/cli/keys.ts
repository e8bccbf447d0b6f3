/** `strata keys`: API keys of the server; made, replaced and revoked. */

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
  /** Addresses and ranges. */
  readonly from: readonly string[]
  /** A key's id. */
  readonly rotate?: string
  /** Seconds. */
  readonly overlap?: number
  readonly revoke?: string
}

/** Lists them, each on a line: its id, its scopes, until when, its name; or does what is said. */
export async function keys(terminal: Terminal, options: KeyOptions): Promise<number> {
  const { json, create, rotate, revoke, name, scope, expires, from, overlap } = options
  if (!create && (name ?? expires ?? scope[0] ?? from[0]) !== undefined)
    throw new WrongUse('--name, --scope, --from and --expires go with --create')
  if (create && scope.length === 0) throw new WrongUse('--create needs a --scope, such as runs:*')
  if (rotate === undefined && overlap !== undefined)
    throw new WrongUse('--overlap goes with --rotate')
  const { keys: all } = clientOf(terminal.env)
  if (revoke !== undefined) {
    await all.revoke(revoke)
    terminal.out(json ? jsonLine({ id: revoke, revoked: true }) : 'revoked')
    return 0
  }
  if (create || rotate !== undefined) {
    const made = create
      ? await all.create({
          name,
          scopes: scope as Scopes,
          expires_at: expires,
          ...(from.length > 0 ? { allowed_addresses: [...from] } : {}),
        })
      : await all.rotate(rotate!, { overlap_seconds: overlap })
    terminal.out(json ? jsonLine(made) : (made.key ?? `${made.id}: its text was shown before`))
    if (create && expires === undefined && made.expires_at !== null)
      terminal.err(`It expires at ${made.expires_at}, with the key that made it.`)
    return 0
  }
  const page = await all.list({ limit: 100 })
  for (const one of page.data) {
    const until = one.expired ? 'expired' : (one.expires_at ?? '–')
    const line = [one.id, one.scopes.join(','), until, one.name ?? ''].join(' ')
    terminal.out(json ? jsonLine(one) : oneLine(line.trimEnd()))
  }
  return 0
}
