/**
 * Decisions about several approvals in one request. Each approval is decided separately, exactly as
 * by a request of its own. An approval that cannot be decided therefore does not affect the others,
 * and a repeated request completes an interrupted one.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import type { ApprovalView } from '../logs/approval-rows.ts'
import { type DecisionRequest, decideApproval, readApproval } from './approvals.ts'

export interface BatchRequest extends Pick<DecisionRequest, 'decision' | 'reason'> {
  /** Distinct IDs of the approvals. */
  readonly ids: readonly string[]
  readonly by: string
}

/** Result for one approval of a batch; `code` and `detail` are absent if the decision holds. */
export interface ApprovalOutcome {
  readonly id: string
  /** Status after the request; null if the approval was not found. */
  readonly status: ApprovalView['status'] | null
  readonly code?: Refusal['code']
  readonly detail?: string
}

/** Number of approvals decided concurrently. */
const AT_ONCE = 16

/**
 * Decides the approvals and returns their results in the order of the IDs. Approvals for which
 * `isVisible` returns false count as not found.
 */
export async function decideApprovals(
  world: World,
  tenant: string,
  { ids, ...request }: BatchRequest,
  isVisible: (id: string) => Promise<boolean>,
): Promise<readonly ApprovalOutcome[]> {
  const outcomes: ApprovalOutcome[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map(async (id) => {
      if (!(await isVisible(id))) return notFound(id)
      const decided = await decideApproval(world, tenant, id, request)
      if (!decided.ok) return refused(world, tenant, id, decided.error)
      return decided.value ? { id, status: decided.value.status } : notFound(id)
    })
    outcomes.push(...(await Promise.all(some)))
  }
  return outcomes
}

export const APPROVAL_NOT_FOUND = refusal('not_found', 'Approval not found.')

function notFound(id: string): ApprovalOutcome {
  const { code, detail } = APPROVAL_NOT_FOUND
  return { id, status: null, code, detail }
}

async function refused(
  world: World,
  tenant: string,
  id: string,
  { code, detail }: Refusal,
): Promise<ApprovalOutcome> {
  const approval = await readApproval(world, tenant, id)
  return { id, status: approval?.status ?? null, code, detail }
}
