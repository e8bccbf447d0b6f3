/** `Authorization: Bearer <key>` on everything under /v1. The tenant comes from the key alone. */

import type { Context, MiddlewareHandler } from 'hono'
import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import { readKey, verifyKey } from '../../engine/tenant/api-keys.ts'
import type { World } from '../../ports/world.ts'
import { whileValid } from '../stream/while-valid.ts'
import { admitKey, isAddressAllowed } from './admission.ts'
import { refuse } from './problem.ts'
import type { Env } from './route.ts'

/** A sender to an inbound hook shows a signature instead of a key; all else needs one. */
const SIGNED = /^\/v1\/hooks\/[^/]+$/
const KEYED = new Set(['GET', 'HEAD', 'PATCH', 'DELETE'])

/** A link to a file is its own key. */
const LINKED = '/v1/downloads'
/** A person's browser has no key; its state is sealed. */
export const CALLBACK = '/v1/oauth/callback'
const OPEN = new Set([LINKED, CALLBACK])

const BEARER = /^bearer ([^\s,]+)$/i

/** For doors that the operator has opened: no key is needed. */
export const asOperator: MiddlewareHandler<Env> = (c, next) => {
  c.set('principal', { tenant: DEFAULT_TENANT, key_id: '', scopes: ['metrics:read'] })
  return next()
}

/** The same answer, but an open stream of events ends when its key does. */
export const endingWithKey = (
  c: Context<Env>,
  answer: Response,
  world: World,
  text: string,
): Response =>
  whileValid(answer, world.clock, async () => {
    const principal = await verifyKey(world, text)
    const key = principal && (await readKey(world, principal.key_id))
    return key !== undefined && isAddressAllowed(c, world, key)
  })

export function authenticate(world: World): MiddlewareHandler<Env> {
  return async function authenticated(c, next) {
    if (!KEYED.has(c.req.method) && SIGNED.test(c.req.path)) return next()
    if (c.req.method === 'GET' && OPEN.has(c.req.path)) return next()
    const header = c.req.header('authorization')
    if (header?.includes(',')) throw refuse('invalid_header', 'Authorization is given twice.')
    const [, text] = BEARER.exec(header ?? '') ?? []
    if (text === undefined) {
      throw refuse('unauthorized', 'Send `Authorization: Bearer <API key>`.')
    }
    const principal = await verifyKey(world, text)
    if (!principal) throw refuse('unauthorized', 'The API key is not valid.')
    c.set('principal', principal)
    const noted = await admitKey(c, world, principal)
    await next()
    if (noted) await noted
    const answer = endingWithKey(c, c.res, world, text)
    if (answer !== c.res) c.res = answer
  }
}
