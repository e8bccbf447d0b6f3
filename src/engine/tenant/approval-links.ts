/**
 * Decision links in `approval.requested` webhooks, sent if the approval policy names a key that
 * creates them. A link decides one approval; it expires with the key or the approval.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Policy } from '../../core/policy.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { ApprovalRequested } from '../../core/run/log/approval-facts.ts'
import { holds, type Scope } from '../../core/scopes.ts'
import { LINK_PATH } from '../../core/token.ts'
import { derivedId } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { hasExpired, readKey } from './api-keys.ts'
import { readPolicy } from './policy.ts'
import { makeToken } from './tokens.ts'

const SCOPES: readonly Scope[] = ['approvals:read', 'approvals:write']
const SECOND = 1_000

interface Maker {
  readonly url: string
  readonly scopes: readonly string[]
}

/**
 * Returns the base URL of approval links and the rights of the key that creates them, or the reason
 * why no link can be created.
 */
async function makerOf(
  world: World,
  tenant: string,
  { key_id }: NonNullable<Policy['approval_links']>,
): Promise<Outcome<Maker, string>> {
  const { publicUrl } = world.settings
  if (publicUrl === undefined) return fail('STRATA_PUBLIC_URL is not set')
  const key = await readKey(world, key_id)
  if (key?.tenant !== tenant || hasExpired(key, world.clock.now())) {
    return fail(`API key ${key_id} not found or expired`)
  }
  const lacking = SCOPES.find((scope) => !holds(key.scopes, scope))
  if (lacking !== undefined) return fail(`the API key ${key_id} lacks the scope ${lacking}`)
  return ok({ url: publicUrl, scopes: key.scopes })
}

/** Rejects a policy whose approval links are invalid or exceed the rights of its author. */
export async function linksRefusal(
  world: World,
  tenant: string,
  { approval_links: links }: Pick<Policy, 'approval_links'>,
  writerScopes: readonly string[],
): Promise<Refusal | undefined> {
  if (links === null) return undefined
  const { policy } = await readPolicy(world, tenant)
  if (policy.approval_links?.key_id === links.key_id) return undefined
  const lacking = SCOPES.find((scope) => !holds(writerScopes, scope))
  if (lacking !== undefined) {
    return refusal(
      'insufficient_scope',
      `To set approval_links, the key also needs the scope ${lacking}.`,
    )
  }
  const maker = await makerOf(world, tenant, links)
  if (maker.ok) return undefined
  const errors = [{ pointer: '/approval_links', message: maker.error }]
  return refusal('invalid_request', `Approval links cannot be created: ${maker.error}.`, { errors })
}

/**
 * Returns the approval's decision link; undefined if the policy disables links. Returns null if
 * creation failed, and logs the failure.
 */
export async function decideUrl(
  world: World,
  tenant: string,
  { id, expires_at }: Pick<ApprovalRequested, 'id' | 'expires_at'>,
): Promise<string | null | undefined> {
  const { policy } = await readPolicy(world, tenant)
  const links = policy.approval_links
  if (links === null) return undefined
  const maker = await makerOf(world, tenant, links)
  const remainingSeconds = Math.ceil((expires_at - world.clock.now()) / SECOND)
  const issued = maker.ok
    ? await makeToken(
        { world, tenant, by: links.key_id, scopes: maker.value.scopes },
        {
          kind: 'approval',
          subject: id,
          scopes: SCOPES,
          expires_in: Math.min(Math.max(remainingSeconds, 1), LIMITS.access_link_seconds),
          // Each attempt derives the same token ID, so the audit log has one entry.
          id: derivedId('tok', 'approval', id),
        },
      )
    : maker
  if (issued.ok && maker.ok) return `${maker.value.url}${LINK_PATH}${issued.value.token}`
  const error = issued.ok ? undefined : issued.error
  const message = typeof error === 'string' ? error : error?.detail
  world.log?.write({
    level: 'warn',
    event: 'approval_link.missing',
    tenant,
    approval_id: id,
    message,
  })
  return null
}
