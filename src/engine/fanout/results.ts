/**
 * What the closing run is given besides its input: a block for each task, in their order.
 * All results together take at most a quarter of the model's window; longer ones are shortened and
 * name the run that has them whole (protocol rule 20).
 */

import { findAgent } from '../../core/config/catalog.ts'
import type { TaskPlan } from '../../core/fanout/facts.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import type { Body } from '../../core/message.ts'
import type { Announce } from '../../core/run/facts.ts'
import { announceBlock, missingBlock, reports } from '../../core/run/transcript.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import { load, spill } from '../blob.ts'
import { findModel, readPolicy } from '../policy.ts'
import { resolveLayers } from '../resolve.ts'

export async function resultsText(
  world: World,
  tenant: string,
  state: FanoutState,
  plans: readonly TaskPlan[],
): Promise<Body> {
  const closing = state.spec!.closing!
  if (plans.length === 0) return 'There were no tasks.'
  const share = Math.floor((await quarter(world, tenant, closing.agent)) / plans.length)
  const missing = new Set(state.released?.missing)
  const blocks = await Promise.all(
    state.tasks.map(async ({ run_id, announce }, index) => {
      if (announce !== null && !missing.has(String(index))) {
        const text = await resultText(world, tenant, announce, share)
        return announceBlock(announce, () => text)
      }
      return missingBlock({ ...plans[index]!, run_id }, state.released?.reason ?? 'joined')
    }),
  )
  const { text } = reports(blocks)
  return spill(world, tenant, await load(world, tenant, text))
}

/** Bytes: a token has about four, and a quarter of the tokens may be results. */
async function quarter(world: World, tenant: string, agentId: string): Promise<number> {
  const { policy } = await readPolicy(world, tenant)
  const resolved = await resolveLayers(world, tenant, {})
  const agent = resolved.ok ? findAgent(resolved.value, agentId) : undefined
  const own = agent?.model === 'inherit' ? null : agent?.model
  const model = findModel(world, policy, own ?? agent?.model_role ?? undefined)
  return model.ok ? model.value.window : SMALL_WINDOW
}

const SMALL_WINDOW = 32_768

async function resultText(
  world: World,
  tenant: string,
  { run_id, result }: Announce,
  share: number,
): Promise<string> {
  if (result === null) return ''
  const text = await load(world, tenant, result)
  const bytes = byteLength(text)
  return bytes <= share ? text : `${cut(text, share)}\n[… ${bytes} bytes in all, in ${run_id}]`
}
