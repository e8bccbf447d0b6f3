/**
 * Plans a file write. The log first records the intended change, with the ETag before and the
 * digest after. A worker that repeats the call can therefore detect a completed write.
 */

import { effectiveArguments } from '../../../../core/run/human-input/approval.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import { givenOf } from '../../../../core/tools/builtin-arguments.ts'
import { parseArguments } from '../../../../core/tools/plan.ts'
import { assert } from '../../../../lib/assert.ts'
import { homeOfRun } from '../../../partition/home.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { load } from '../../../tenant/blobs.ts'
import { planned } from '../../../tools/index.ts'
import { workingFolder } from '../../../tools/paths.ts'
import { memoryOfRun } from '../../memory.ts'
import type { Context } from '../context.ts'
import { pinOf } from '../context.ts'

export async function performPrepare(context: Context, id: string): Promise<EffectResult> {
  const { world, tenant, state } = context
  const call = state.calls.get(id)
  assert(call && state.spec, `call ${id} not found`)
  const parsed = parseArguments(
    await load(world, homeOfRun(tenant, state.spec), effectiveArguments(call)),
  )
  assert(typeof parsed !== 'string', 'unchecked arguments reached the tool call')
  const pin = await pinOf(context)
  const args = givenOf(pin, call.tool, parsed)
  const place = workingFolder(tenant, state.spec)
  const folder = { world, place, ...memoryOfRun(state, pin) }
  const plan = await planned(folder, call.tool, args)
  const { tool } = call
  const fact: RunFact =
    'status' in plan
      ? {
          type: 'tool.result',
          call: id,
          tool,
          status: plan.status,
          text: plan.text,
          duration_ms: 0,
        }
      : { type: 'tool.call', call: id, tool, mode: 'write', epoch: state.epoch, write: plan }
  return { facts: [fact] }
}
