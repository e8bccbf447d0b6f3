/**
 * Attachments of other runs: a file that a subagent attached is readable, at any location, by every
 * run that receives the subagent's report. These runs are its parent, later runs in the parent's
 * session, and the closing run of a fan-out.
 */

import { CLOSING, toldBy } from '../../core/fanout/state.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import type { RunState } from '../../core/run/state/state.ts'
import type { World } from '../../ports/world.ts'
import { readFanout } from '../logs/fanout.ts'
import { readRunCached } from '../logs/run.ts'
import { fanoutPartition, runPartition } from '../partition/keys.ts'

const OF_RUN = /^workspaces\/(run_[0-9a-z]{26})\//

/** Reports whether the run may read this file because a subagent's report named it. */
export async function isSharedAttachment(
  world: World,
  tenant: string,
  state: RunState,
  name: string,
): Promise<boolean> {
  for (const { child } of state.calls.values()) {
    if (child?.announce?.attachments?.includes(name)) return true
  }
  const spec = state.spec!
  const [, owner] = OF_RUN.exec(name) ?? []
  if (owner !== undefined) {
    const run = await readRunCached(world, runPartition(tenant, owner))
    if (!run || !attaches(run.state, name)) return false
    return (
      isHandedOver(spec, run.state.spec) || (await isOfPage(world, tenant, spec, run.state.spec))
    )
  }
  const fanout = closedBy(spec)
  if (fanout === undefined) return false
  const fanoutLog = await readFanout(world, fanoutPartition(tenant, fanout))
  return fanoutLog?.state.tasks.some((task) => toldBy(task)?.attachments?.includes(name)) ?? false
}

/** Reports whether the `reader` run receives the reports of the `owner` run. */
function isHandedOver(reader: RunSpec, owner: RunSpec | null): boolean {
  const parent = owner?.parent
  if (!parent) return false
  if (parent.session_id === reader.session_id) return true
  return parent.run_id === reader.id || parent.run_id === closedBy(reader)
}

/** Reports whether `owner` was a task in a page of the open fan-out that `reader` closes. */
async function isOfPage(
  world: World,
  tenant: string,
  reader: RunSpec,
  owner: RunSpec | null,
): Promise<boolean> {
  const fanout = closedBy(reader)
  const page = owner?.parent?.run_id ?? ''
  if (fanout === undefined || !isFanoutId(page)) return false
  const pageLog = await readFanout(world, fanoutPartition(tenant, page))
  return pageLog?.state.spec?.parent?.run_id === fanout
}

const closedBy = ({ parent }: RunSpec): string | undefined =>
  parent && isFanoutId(parent.run_id) && parent.call === CLOSING ? parent.run_id : undefined

const attaches = ({ status, attachments }: RunState, name: string): boolean =>
  status === 'completed' && attachments.includes(name)
