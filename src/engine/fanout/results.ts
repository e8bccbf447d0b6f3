/**
 * Renders task results for the closing run's input: one block per task, in order. All results
 * together use at most a quarter of the model's context window. Longer results are shortened and
 * name the run that has the full result (PROTOCOL.md rule 20).
 */

import { findAgent } from '../../core/config/layer/catalog.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { taskCounts, toldBy } from '../../core/fanout/state.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Body } from '../../core/message.ts'
import type { Announce } from '../../core/run/log/facts.ts'
import {
  announceBlock,
  announcedBody,
  missingBlock,
  reports,
} from '../../core/run/prompt/blocks.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { type Home, homeOfFanout } from '../partition/home.ts'
import { load, spill } from '../tenant/blobs.ts'
import { findModel, readPolicy } from '../tenant/policy.ts'
import { readTasks } from './tasks.ts'
import { firstTasks } from './walk.ts'

export async function resultsText(world: World, tenant: string, state: FanoutState): Promise<Body> {
  const closing = state.spec!.closing!
  const home = homeOfFanout(tenant, state.spec)
  if (state.spec!.open) return pagesText(world, tenant, state)
  const plans = await readTasks(world, home, state.spec!)
  if (plans.length === 0) return NONE
  const share = Math.floor((await quarter(world, tenant, closing.agent)) / plans.length)
  const missing = new Set(state.released?.missing)
  const blocks = await Promise.all(
    state.tasks.map(async (task, index) => {
      const { run_id } = task
      const announce = toldBy(task)
      if (announce !== null && !missing.has(String(index))) {
        const text = await resultText(world, home, announce, share)
        return announceBlock(announce, () => text)
      }
      return missingBlock(
        { ...plans[index]!, run_id },
        state.released?.reason ?? 'joined',
        state.spec!.join,
      )
    }),
  )
  const { text } = reports(blocks)
  return spill(world, home, await load(world, home, text))
}

const NONE = 'There were no tasks.'

/**
 * Renders as many task results as fit, page by page, each shortened like an announce. States the
 * number of omitted results and how all tasks ended.
 */
async function pagesText(world: World, tenant: string, state: FanoutState): Promise<Body> {
  const counts = taskCounts(state)
  if (counts.total === 0) return NONE
  const home = homeOfFanout(tenant, state.spec)
  let room = await quarter(world, tenant, state.spec!.closing!.agent)
  const blocks: (readonly Body[])[] = []
  for (const { task, plan, released } of await firstTasks(world, tenant, state, MOST_BLOCKS)) {
    const announce = toldBy(task)
    const text = announce ? await resultText(world, home, announce, LIMITS.announce_bytes) : ''
    const block = announce
      ? announceBlock(announce, () => text)
      : missingBlock({ ...plan, run_id: task.run_id }, released, state.spec!.join)
    room -= byteLength(block.join(''))
    if (room < 0) break
    blocks.push(block)
  }
  const omitted = counts.total - blocks.length
  const { text } = reports(blocks)
  const all = `All tasks: ${JSON.stringify(counts)}.`
  const omittedNote = omitted === 0 ? '' : ` ${omitted} of them are not shown.`
  return spill(world, home, `${all}${omittedNote}\n\n${await load(world, home, text)}`)
}
/**
 * Maximum number of result blocks. The headers of more blocks would by themselves fill the largest
 * context window.
 */
const MOST_BLOCKS = 1_000

/**
 * Returns the byte budget of the results: a quarter of the model's context window, at about four
 * bytes per token.
 */
async function quarter(world: World, tenant: string, agentId: string): Promise<number> {
  const { policy } = await readPolicy(world, tenant)
  const resolved = await resolveLayers(world, tenant, {})
  const agent = resolved.ok ? findAgent(resolved.value, agentId) : undefined
  const agentModel = agent?.model === 'inherit' ? null : agent?.model
  if (world.model.ready) await world.model.ready()
  const model = findModel(world, policy, agentModel ?? agent?.model_role ?? undefined)
  return model.ok ? model.value.window : SMALL_WINDOW
}

const SMALL_WINDOW = 32_768

async function resultText(
  world: World,
  home: Home,
  announce: Announce,
  share: number,
): Promise<string> {
  const { run_id } = announce
  const body = announcedBody(announce)
  if (body === null) return ''
  const text = await load(world, home, body)
  const bytes = byteLength(text)
  return bytes <= share ? text : `${cut(text, share)}\n[… ${bytes} bytes total, in ${run_id}]`
}
