/**
 * Final check before a tool call is performed. A tenant's policy may have changed since the answer,
 * and the policy applies even to runs that started earlier (PROTOCOL.md rule 29).
 */

import type { Pin } from '../../../core/run/log/pin.ts'
import type { Call } from '../../../core/run/state/state.ts'
import { deniedText, rulingOf } from '../../../core/tools/rules.ts'
import { policyNow } from '../../tenant/policy.ts'
import type { Context } from './context.ts'

/** Returns a rejection message for the model; undefined if the call is allowed. */
export async function rulingNow(
  context: Pick<Context, 'world' | 'tenant' | 'state'>,
  pin: Pin,
  call: Call,
  args?: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { policy } = await policyNow(context)
  const ruling = rulingOf(call.tool, pin, policy, () => args)
  if (ruling?.rule === 'deny') return deniedText(call.tool, ruling)
  // The call was allowed when the model made it. A repeated call will require approval.
  const unasked = ruling !== undefined && call.ask === undefined
  return unasked
    ? `approval_required: ${ruling.by} now requires approval; call the tool again.`
    : undefined
}
