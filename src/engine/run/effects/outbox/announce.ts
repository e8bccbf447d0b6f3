/** Sends a finished child's announce to its parent's mailbox, create-only (PROTOCOL.md rule 18). */

import { taskOf } from '../../../../core/fanout/state.ts'
import { LIMITS } from '../../../../core/limits.ts'
import type { Body } from '../../../../core/message.ts'
import { isRef } from '../../../../core/message.ts'
import { isFanoutId } from '../../../../core/run/decide/child.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import { partialText } from '../../../../core/run/prompt/transcript.ts'
import { announceOf } from '../../../../core/run/views/view.ts'
import { assert } from '../../../../lib/assert.ts'
import { byteLength } from '../../../../lib/bytes.ts'
import { readFanout } from '../../../logs/fanout.ts'
import { readRun } from '../../../logs/run.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { logPartition, mailKey } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { post } from '../../../partition/mailbox.ts'
import { load, putBlob } from '../../../tenant/blobs.ts'
import type { Context } from '../context.ts'
import { retryLater } from '../context.ts'
import { knownParent, readParent } from '../parent.ts'

const SENT: EffectResult = { acknowledged: { to: 'parent' } }

export async function performAnnounce(context: Context): Promise<EffectResult> {
  const { world, tenant, state } = context
  const parent = state.spec?.parent
  assert(parent, 'the run has no parent to notify')
  const partition = logPartition(tenant, parent.run_id)
  const parentHead = knownParent(world, partition) ?? (await readParent(world, partition))
  // A deleted parent does not need the announce.
  if (!parentHead) return SENT
  const announce = announceOf(state, await shortened(context))
  const type = announce.status === 'completed' ? 'subagent.announced' : 'subagent.failed'
  const mail: RunFact = { type, call: parent.call, announce }
  const key = mailKey(state.spec!.id)
  const isThere = () => arrived(context)
  const about = { partition, ...parentHead, key, mail }
  const posted = await post(world, { ...about, news: 'mail', arrived: isThere })
  return posted === 'posted' ? SENT : retryLater(context)
}

async function arrived({ world, tenant, state }: Context): Promise<boolean> {
  const { run_id, call } = state.spec!.parent!
  const partition = logPartition(tenant, run_id)
  const fanout = isFanoutId(run_id) ? await readFanout(world, partition) : undefined
  const run = fanout ? undefined : await readRun(world, partition)
  const parent = fanout ?? run
  const recordedChild = run?.state.calls.get(call)?.child ?? (fanout && taskOf(fanout.state, call))
  const late = parent?.state.late_results.ends[call]
  const key = mailKey(state.spec!.id)
  const lies = parent?.mail.some((mail) => mail.key === key)
  return (
    parent === undefined || recordedChild?.announce != null || late !== undefined || lies === true
  )
}

/**
 * Replaces a long result by its digest. Bodies are loaded only for the model call (PROTOCOL.md rule
 * 20).
 */
async function shortened({ world, tenant, state }: Context) {
  const text = state.output?.text ?? partialText(state)
  if (text === null || (!isRef(text) && byteLength(text) <= LIMITS.announce_bytes)) {
    return (body: Body) => ({ body, truncated: false })
  }
  if (isRef(text)) return (body: Body) => ({ body, truncated: false })
  const home = homeOfRun(tenant, state.spec)
  const full = await load(world, home, text)
  const digest = await putBlob(world, home, full)
  const bytes = byteLength(full)
  const preview = full.slice(0, 500)
  return () => ({ body: { digest, bytes, preview }, truncated: false })
}
