/**
 * Short-lived tokens (`core/token.ts`). A token is its own record, sealed by the deployment, so none
 * is stored: it ends with its time, or with the key that made it. It counts from everywhere,
 * because it is made to be handed on.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { holds } from '../../core/scopes.ts'
import { needsOf, type SubjectKind, type TokenAction, type TokenRights } from '../../core/token.ts'
import { random } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { hasExpired, type Principal, readKey } from './api-keys.ts'
import { audit } from './audit.ts'
import { browserSessionEnd } from './browser-sessions.ts'
import type { KeyMaker } from './manage-keys.ts'
import { tenantStatus } from './state.ts'

export interface TokenRequest {
  readonly kind: SubjectKind
  /** It was found in the tenant. */
  readonly subject: string
  readonly actions: readonly TokenAction[]
  readonly expires_in_seconds: number
}

interface Sealed extends TokenRights {
  readonly tenant: string
  readonly key_id: string
}

const PREFIX = 'strata_token_'
const FORM = /^strata_token_([\w.-]{1,1200})$/
const CONTEXT = 'token'

export const isToken = (text: string): boolean => text.startsWith(PREFIX)

/** Why a key may not hand this on; undefined: it may. */
export function tokenRefusal(
  { scopes }: Pick<KeyMaker, 'scopes'>,
  { kind, actions }: Pick<TokenRequest, 'kind' | 'actions'>,
): Refusal | undefined {
  const needs = actions.map((action) => ({ action, needed: needsOf(kind, action) }))
  const none = needs.find(({ needed }) => needed === undefined)
  if (none) {
    const message = `There is no ${none.action} for the id of this kind (${kind}).`
    return refusal('invalid_request', message, { errors: [{ pointer: '/actions', message }] })
  }
  const all = needs.flatMap(({ needed = [] }) => needed)
  const lacking = [...new Set(all.filter((scope) => !holds(scopes, scope)))]
  if (lacking.length === 0) return undefined
  const message = `A token allows what its maker may do; your key lacks ${lacking.join(', ')}.`
  return refusal('insufficient_scope', message)
}

export async function makeToken(
  maker: KeyMaker,
  { kind, subject, actions, expires_in_seconds }: TokenRequest,
): Promise<Outcome<{ readonly token: string; readonly rights: TokenRights }, Refusal>> {
  const refused = tokenRefusal(maker, { kind, actions })
  if (refused) return fail(refused)
  const { world, tenant, by } = maker
  const id = random('tok', world.clock.random(17))
  const until = world.clock.now() + expires_in_seconds * 1_000
  const rights: TokenRights = { id, kind, subject, actions: [...new Set(actions)], until }
  const sealed = { ...rights, tenant, key_id: by } satisfies Sealed
  const token = PREFIX + (await world.secrets.seal(JSON.stringify(sealed), CONTEXT))
  const detail = `${subject} ${rights.actions.join(' ')} until ${iso(until)}`
  await audit(world, tenant, { kind: 'token', name: id, action: 'create', by, number: 0, detail })
  return ok({ token, rights })
}

/** Undefined: forged, of another deployment, expired, or its key is gone. */
export async function verifyToken(world: World, text: string): Promise<Principal | undefined> {
  const [, sealed] = FORM.exec(text) ?? []
  const opened = sealed && (await world.secrets.open(sealed, CONTEXT))
  if (!opened) return undefined
  const { tenant, key_id, ...token } = JSON.parse(opened) as Sealed
  const principal: Principal = { tenant, key_id, scopes: [], token }
  return (await keyEnd(world, principal)) === undefined ? principal : undefined
}

/** The same, or that its tenant is not at work: an open stream ends by it. */
export async function endOf(world: World, principal: Principal): Promise<string | undefined> {
  const status = await tenantStatus(world, principal.tenant)
  return status === 'active' ? keyEnd(world, principal) : 'the tenant is suspended'
}

/** Why this key or token counts no more, as it is known here; undefined: it does. */
async function keyEnd(world: World, principal: Principal): Promise<string | undefined> {
  const { token, browser, key_id } = principal
  const now = world.clock.now()
  const over = browser && (await browserSessionEnd(world, browser.id))
  if (over !== undefined) return over
  const until = token?.until ?? principal.until
  if (until !== undefined && until <= now) return 'the token has expired'
  if (principal.until !== undefined) return undefined
  const key = await readKey(world, key_id)
  const whose = token ? 'the API key that made the token' : 'the API key'
  if (key?.tenant !== principal.tenant) return `${whose} was revoked`
  return hasExpired(key, now) ? `${whose} has expired` : undefined
}
