/**
 * The management operations as tools of a model. Whether it may write is the tenant's policy: until
 * a person can be asked, `ask` (the default for writes) refuses and says what to change.
 */

import { OPERATIONS, type OperationName } from '../../core/manage/operations.ts'
import { approvalOf, denied } from '../../core/policy.ts'
import { type Manager, manage } from '../manage/index.ts'
import { readPolicy } from '../policy.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'

export async function manageTool(
  manager: Manager,
  operation: OperationName,
  given: Record<string, unknown>,
): Promise<ToolAnswer> {
  const { policy } = await readPolicy(manager.world, manager.tenant)
  const unasked = OPERATIONS[operation].writes ? 'ask' : 'allow'
  const rule = denied(policy.deny.tools, operation)
    ? 'deny'
    : (approvalOf(policy, operation) ?? unasked)
  if (rule !== 'allow')
    return bad(JSON.stringify({ success: false, ...refusedBy(rule, operation) }))
  const result = await manage(manager, operation, given)
  if (result.ok) return good(JSON.stringify({ success: true, ...result.value }))
  const { code, detail, errors } = result.error
  return bad(JSON.stringify({ success: false, code, error: detail, ...(errors ? { errors } : {}) }))
}

function refusedBy(rule: 'ask' | 'deny', operation: string) {
  if (rule === 'deny') {
    return { code: 'denied_by_policy', error: `The policy of the tenant denies ${operation}.` }
  }
  const error =
    `The policy of the tenant asks a person before ${operation}, and nobody can be asked here. ` +
    `An administrator allows it by PUT /v1/policy with approvals {"${operation}": "allow"}.`
  return { code: 'approval_required', error }
}
