/** Checks the target URL for the webhooks of an endpoint, a run, or a fan-out. */

import { type Refusal, refusal } from '../../core/problem.ts'
import { secretFault } from '../../core/webhook/signature.ts'
import type { World } from '../../ports/world.ts'

interface Target {
  readonly url?: string | undefined
  readonly secret?: string | undefined
}

/** Rejects a disallowed webhook target; `at` is the target's JSON pointer in the request. */
export function targetRefused(
  world: World,
  { url, secret }: Target,
  at: '' | '/webhook',
): Refusal | undefined {
  const blocked = url === undefined ? undefined : world.web.check(url)
  if (blocked !== undefined) {
    const errors = [{ pointer: `${at}/url`, message: blocked }]
    return refusal('blocked_url', blocked, { errors })
  }
  const message = secret === undefined ? undefined : secretFault(secret)
  if (message === undefined) return undefined
  const errors = [{ pointer: `${at}/secret`, message }]
  return refusal('invalid_request', `Invalid secret: ${message}.`, { errors })
}
