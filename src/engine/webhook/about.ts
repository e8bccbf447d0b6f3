/** Context that a webhook adds to its event: session, metadata, usage, output, and error. */

import type { FanoutFact } from '../../core/fanout/facts.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Body } from '../../core/message.ts'
import { addUsage, isRef, preview } from '../../core/message.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { RunState } from '../../core/run/state/state.ts'
import type { WebhookAbout, WebhookOutput } from '../../core/webhook/signature.ts'
import type { World } from '../../ports/world.ts'
import { type Home, homeOfFanout, homeOfRun } from '../partition/home.ts'
import { decideUrl } from '../tenant/approval-links.ts'
import { load } from '../tenant/blobs.ts'

interface TenantWorld {
  readonly world: World
  readonly tenant: string
}

/** Returns a run's webhook context; `fact` is the event's fact, absent if no log contains it. */
export async function aboutRun(
  place: TenantWorld,
  { spec, usage, late_results: after }: RunState,
  fact?: RunFact,
): Promise<WebhookAbout> {
  const { session_id, metadata } = spec!
  const home = homeOfRun(place.tenant, spec)
  const about = { session_id, metadata, usage: addUsage(usage, after.usage) }
  if (fact?.type === 'run.completed')
    return { ...about, output: await outputOf(place.world, home, fact.output) }
  if (fact?.type === 'run.failed' || fact?.type === 'run.timed_out')
    return { ...about, error: fact.error }
  if (fact?.type === 'approval.requested') {
    const decide_url = await decideUrl(place.world, place.tenant, fact)
    return decide_url === undefined ? about : { ...about, decide_url }
  }
  return about
}

export async function aboutFanout(
  place: TenantWorld,
  { spec, usage, late_results: after }: FanoutState,
  fact?: FanoutFact,
): Promise<WebhookAbout> {
  const { metadata = {} } = spec!
  const home = homeOfFanout(place.tenant, spec)
  const about = { session_id: null, metadata, usage: addUsage(usage, after.usage) }
  if (fact?.type === 'fanout.completed' && fact.output)
    return { ...about, output: await outputOf(place.world, home, fact.output) }
  return fact?.type === 'fanout.failed' ? { ...about, error: fact.error } : about
}

/** Returns the run's full output if it fits in a webhook message. */
async function outputOf(
  world: World,
  home: Home,
  { text, ...output }: { readonly text: Body; readonly structured: unknown },
): Promise<WebhookOutput> {
  if (!isRef(text)) return { text, ...output }
  if (text.bytes >= LIMITS.webhook_body_bytes)
    return { text: preview(text), truncated: true, ...output }
  return { text: await load(world, home, text), ...output }
}
