/** Plans for runs that are asked for again without a key. */

import type { PlannedRun } from './operations.ts'

/** The same plan for another run: every name in it is new. */
export function renamed(plan: PlannedRun, attempt: number): PlannedRun {
  if (attempt === 0) return plan
  const suffix = `_${attempt}`
  return {
    ...plan,
    id: plan.id + suffix,
    steps: plan.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => ({
        ...call,
        token: call.token + suffix,
        ...(call.child ? { child: renamed(call.child, attempt) } : {}),
      })),
    })),
  }
}
