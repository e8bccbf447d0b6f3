/**
 * Serves a tenant's approvals: tool calls that wait for a person, in runs and subagents at any
 * depth.
 */

import * as z from 'zod'
import { APPROVAL_NOT_FOUND, decideApprovals } from '../../engine/run/approval-batch.ts'
import { decideApproval, readApproval } from '../../engine/run/approvals.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { granted, RequestRefused } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { isApprovalWithin } from '../request/token-reach.ts'
import {
  Approval,
  BatchDecisionInput,
  BatchOutcome,
  DecisionInput,
} from '../schemas/runs/approvals.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { idFilter, PATH_ID } from '../schemas/shared/words.ts'
import { approvalPage } from '../views/token-lists.ts'

const missing = () => new RequestRefused(APPROVAL_NOT_FOUND)

const idOf = (c: WithId): string => pathId(c, 'apr', missing)

export function approvalRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listApprovals',
      method: 'get',
      path: '/v1/approvals',
      tag: 'Approvals',
      summary: 'List approvals, newest first',
      description:
        'Includes approvals requested by subagents at any depth, with the path from the root ' +
        'run. All filters must match. A request with filters reads at most 2,000 approvals, so ' +
        'a page can have fewer than `limit` approvals while `has_more` is true. Use the cursor ' +
        'to continue.',
      scope: 'approvals:read',
      query: z.strictObject({
        ...pageQuery,
        status: z
          .enum(['pending', 'decided'])
          .default('pending')
          .describe(
            'Approval status to return. `decided` includes approved, denied, expired, and closed',
          ),
        run_id: idFilter(
          'run',
          "ID of the run whose approvals are returned, including its subagents' approvals",
        ),
        tool: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe(
            'Exact name of the tool whose approvals are returned, as shown to the model: ' +
              '`file_write`, `mcp__helpdesk__refund`',
          ),
      }),
      answers: { 200: { description: 'The requested data', schema: list(Approval) } },
    },
    async ({ c, world, tenant, query }) => {
      const { token } = c.get('principal')
      const isBound = token !== undefined && token.kind !== 'tenant'
      return c.json(await approvalPage(world, tenant, query, isBound ? token : undefined))
    },
  )
  route(
    api,
    {
      id: 'getApproval',
      method: 'get',
      path: '/v1/approvals/{id}',
      params: { id: PATH_ID.approval },
      tag: 'Approvals',
      summary: 'Get an approval',
      description:
        'Returns the call, the rule that requires approval, the deadline, and the decision.',
      scope: 'approvals:read',
      answers: {
        200: { description: 'The approval, with complete arguments', schema: Approval },
      },
    },
    async ({ c, world, tenant }) => {
      const approval = await readApproval(world, tenant, idOf(c))
      if (!approval) throw missing()
      return c.json(approval)
    },
  )
  decision(api)
  batch(api)
}

function decision(api: Api): void {
  route(
    api,
    {
      id: 'decideApproval',
      method: 'post',
      path: '/v1/approvals/{id}/decision',
      params: { id: PATH_ID.approval },
      tag: 'Approvals',
      summary: 'Decide an approval',
      description:
        'The first decision is final. Repeating the same decision has no effect (200). A ' +
        'different decision is rejected with 409, and a late decision with 410.',
      scope: 'approvals:write',
      body: DecisionInput,
      refusals: [409, 410],
      answers: { 200: { description: 'The decision was made', schema: Approval } },
    },
    async ({ c, world, tenant, by, body }) => {
      const decided = granted(await decideApproval(world, tenant, idOf(c), { ...body, by }))
      if (!decided) throw missing()
      return c.json(decided)
    },
  )
}

function batch(api: Api): void {
  route(
    api,
    {
      id: 'decideApprovals',
      method: 'post',
      path: '/v1/approvals/decisions',
      tag: 'Approvals',
      summary: 'Decide several approvals',
      description:
        'Decides each approval as a request for it alone would, and returns one result for each ' +
        'ID. An approval that was already decided in the same way counts as decided, unless its ' +
        'arguments were replaced. The result of one that cannot be decided has a `code`; an ' +
        'approval stays `pending` if the policy now denies its call. A batch cannot replace ' +
        '`arguments` or check `args_hash`; decide such an approval alone.',
      scope: 'approvals:write',
      body: BatchDecisionInput,
      answers: { 200: { description: 'The result for each approval', schema: BatchOutcome } },
    },
    async ({ c, world, tenant, by, body }) => {
      const isVisible = (id: string) => isApprovalWithin(world, c.get('principal'), id)
      return c.json({ data: await decideApprovals(world, tenant, { ...body, by }, isVisible) })
    },
  )
}
