/**
 * `strata token`, `strata link`, `strata console`: create credentials with the API key of this
 * terminal.
 */

import type { components } from '../client/index.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

/** Lifetime of a credential in seconds; defaults to the server's value. */
interface Lasting extends Shape {
  readonly expires?: number
}

type Inputs = components['schemas']
/** Kinds of resources by ID prefix. */
const KINDS = { run: 'run', ses: 'session', fan: 'fanout', apr: 'approval' } as const

function kindOf(id: string): (typeof KINDS)[keyof typeof KINDS] {
  const prefix = id.slice(0, id.indexOf('_'))
  const kind = Object.hasOwn(KINDS, prefix) ? KINDS[prefix as keyof typeof KINDS] : undefined
  if (kind) return kind
  throw new WrongUse(`${id} is not the ID of a run, session, fan-out, or approval`)
}

/** Creates a token and prints it on one line. */
export async function token(
  terminal: Terminal,
  id: string | undefined,
  {
    json,
    tenant,
    scope,
    expires,
  }: Lasting & { readonly tenant?: true; readonly scope: readonly string[] },
): Promise<number> {
  if ((id === undefined) === (tenant === undefined))
    throw new WrongUse('a token requires a subject; pass an ID or --tenant')
  if (scope.length === 0) throw new WrongUse('a token requires --scope, such as runs:read')
  const subject = id === undefined ? { tenant: true } : { [kindOf(id)]: id }
  const created = await clientOf(terminal.env).tokens.create({
    for: subject as Inputs['TokenInput']['for'],
    scopes: scope as Inputs['TokenInput']['scopes'],
    ...(expires === undefined ? {} : { expires_in: expires }),
  })
  terminal.out(json ? jsonLine(created) : created.token)
  if (!json)
    terminal.err(`valid until ${created.expires_at} or until your key expires or is revoked`)
  return 0
}

/** Creates a signed link and prints its URL on one line. */
export async function link(
  terminal: Terminal,
  id: string,
  { json, read, expires }: Lasting & { readonly read?: true },
): Promise<number> {
  const kind = kindOf(id)
  if (kind !== 'run' && kind !== 'approval')
    throw new WrongUse('a link requires the ID of an approval or a run')
  const created = await clientOf(terminal.env).accessLinks.create({
    for: { [kind]: id } as Inputs['AccessLinkInput']['for'],
    ...(read ? { may: 'read' } : {}),
    ...(expires === undefined ? {} : { expires_in: expires }),
  })
  terminal.out(json ? jsonLine(created) : created.url)
  if (!json)
    terminal.err(`valid until ${created.expires_at}; anyone with the link can ${created.may}`)
  return 0
}

/** Creates a sign-in link and prints its URL on one line. */
export async function signInLink(
  terminal: Terminal,
  { json, scope }: Shape & { readonly scope: readonly string[] },
): Promise<number> {
  const scopes = scope as NonNullable<Inputs['SignInLinkInput']['scopes']>
  const created = await clientOf(terminal.env).signInLinks.create(
    scope.length === 0 ? {} : { scopes },
  )
  terminal.out(json ? jsonLine(created) : created.url)
  if (!json) terminal.err(`signs in one browser, only once; valid until ${created.expires_at}`)
  return 0
}
