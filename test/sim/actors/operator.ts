/** The operator, who pauses or suspends a tenant for a while. */

import { OPERATOR_KEY } from '../world/halts.ts'
import type { Line } from '../world/line.ts'
import type { Halt } from '../world/operations.ts'
import type { Sim } from '../world/sim.ts'

/** Halts a tenant, and resumes it until that is acknowledged. */
export async function halt(sim: Sim, line: Line, { tenant, to, ms }: Halt): Promise<void> {
  const path = `/v1/tenants/${tenant}`
  sim.law.halts.halting(tenant)
  const halted = await line.insist(6, OPERATOR_KEY, 'POST', `${path}/${to}`, {})
  if (halted?.status === 200) {
    sim.law.halts.halted(tenant)
    sim.rare('a tenant is halted')
  }
  await line.sleep(ms)
  // From the request on, calls may begin again.
  sim.law.halts.resuming(tenant)
  for (;;) {
    const resumed = await line.insist(6, OPERATOR_KEY, 'POST', `${path}/resume`, {})
    if (resumed?.status === 200) return
    if (resumed) return sim.law.breach('I11_validIsAccepted', `${path}/resume: ${resumed.status}`)
  }
}
