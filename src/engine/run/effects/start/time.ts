/**
 * Time limit of a run, and the share of it in which its MCP servers list their tools. A hanging
 * server thus leaves time for the work.
 */

import type { AgentEntry, ServerEntry } from '../../../../core/config/types.ts'
import { LIMITS } from '../../../../core/limits.ts'
import type { Policy } from '../../../../core/policy.ts'
import type { RunSpec } from '../../../../core/run/log/facts.ts'
import { fail } from '../../../../lib/outcome.ts'
import type { Settings, ToolListing } from '../../../../ports/world.ts'
import type { Context } from '../context.ts'
import { onBehalf } from '../on-behalf.ts'

export const timeoutSeconds = ({ limits }: RunSpec, agent: AgentEntry): number =>
  limits.timeout_seconds ?? agent.timeout_seconds ?? LIMITS.run_timeout_seconds_default

/** Returns how many seconds a run waits for a model. The most specific setting applies. */
export const patienceSeconds = (
  { limits }: RunSpec,
  agent: AgentEntry,
  policy: Pick<Policy, 'model_patience_seconds'>,
  settings: Pick<Settings, 'modelPatienceSeconds'>,
): number =>
  limits.model_patience_seconds ??
  agent.model_patience_seconds ??
  policy.model_patience_seconds ??
  settings.modelPatienceSeconds

/** Divisor of the run's time limit: servers may use half of the time to list their tools. */
const SHARE = 2

/**
 * Lists the tools of all servers concurrently, each within its start-up time-out and the servers'
 * share of the run's time.
 */
export async function listInTime(
  { world, tenant, signal, state }: Context,
  servers: readonly ServerEntry[],
  agent: AgentEntry,
): Promise<ToolListing[]> {
  const seconds = timeoutSeconds(state.spec!, agent) / SHARE
  const isShort = servers.some(
    (server) => Math.min(server.startup_timeout_sec, LIMITS.server_startup_seconds) > seconds,
  )
  // Most runs have a time limit of an hour and need no timer.
  if (!isShort)
    return Promise.all(
      servers.map((server) => world.tools.list(tenant, onBehalf(server, state.spec), signal)),
    )
  const late = new AbortController()
  const done = new AbortController()
  void world.clock.sleep(seconds * 1_000, done.signal).then(() => late.abort('over'))
  const time = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const reason = `no tool list within ${time}, half of the run's timeout_seconds`
  const combined = AbortSignal.any([signal, late.signal])
  const lists = servers.map(async (server) => {
    const list = await world.tools.list(tenant, onBehalf(server, state.spec), combined)
    return list.ok || !late.signal.aborted ? list : fail(reason)
  })
  return Promise.all(lists).finally(() => done.abort('over'))
}
