/**
 * The last check before a call is performed: between the answer and now the tenant may have changed
 * its policy, and a run that began before that obeys it all the same (protocol rule 29).
 */

import type { Pin } from '../../../core/run/log/pin.ts'
import type { Call } from '../../../core/run/state/state.ts'
import { deniedText, rulingOf } from '../../../core/tools/rules.ts'
import { policyNow } from '../../tenant/policy.ts'
import type { Context } from './context.ts'

/** Why the call may not be performed, as the model will read it; undefined when it may. */
export async function rulingNow(
  context: Pick<Context, 'world' | 'tenant' | 'state'>,
  pin: Pin,
  call: Call,
  args?: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { policy } = await policyNow(context)
  const ruling = rulingOf(call.tool, pin, policy, () => args)
  if (ruling?.rule === 'deny') return deniedText(call.tool, ruling)
  // It was allowed when the model asked: asked again, it will be shown to a person.
  const unasked = ruling !== undefined && call.ask === undefined
  return unasked
    ? `approval_required: ${ruling.by} now requires approval; call the tool again.`
    : undefined
}
