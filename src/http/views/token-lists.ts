/** Lists approvals and runs; a token bound to a resource sees only items of this resource. */

import { isFound } from '../../core/run/views/tags.ts'
import type { TokenBinding } from '../../core/token.ts'
import { type ApprovalView, approvalOf } from '../../engine/logs/approval-rows.ts'
import { approvalsList } from '../../engine/partition/keys.ts'
import type { Page, PageQuery } from '../../engine/partition/page.ts'
import { readApproval } from '../../engine/run/approvals.ts'
import { runViews } from '../../engine/run/query.ts'
import { isRunOfSubject } from '../../engine/run/token-subject.ts'
import { canonical } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
import { page, searched } from '../request/page.ts'
import { listedRun } from './attachments.ts'
import type { Search } from './search.ts'

/** Number of rows read in one batch. */
const PORTION = 100

export const pageOfOne = <T>(item: T | undefined): Page<T> => ({
  data: item === undefined ? [] : [item],
  next_cursor: null,
  has_more: false,
})

/** Returns the run to which the token is bound, if the run matches the search. */
export async function runOfToken(
  world: World,
  tenant: string,
  { subject }: TokenBinding,
  search: Search | undefined,
): Promise<Page<ReturnType<typeof listedRun>>> {
  const [run] = await runViews(world, tenant, [subject])
  const { filter = {}, from = '', to } = search ?? {}
  const isWithin = run && run.created_at >= from && (to === undefined || run.created_at < to)
  return pageOfOne(isWithin && isFound(run, filter) ? listedRun(run) : undefined)
}

interface ApprovalQuery extends PageQuery {
  readonly status: 'pending' | 'decided'
  /** Restricts the list to approvals of this run and its subagents. */
  readonly run_id?: string | undefined
  /** Restricts the list to calls of the tool that the model sees under this name. */
  readonly tool?: string | undefined
}

/** Returns a page of the approvals that match the query and are visible to the token. */
export async function approvalPage(
  world: World,
  tenant: string,
  query: ApprovalQuery,
  token: TokenBinding | undefined,
): Promise<Page<ApprovalView>> {
  const { status, run_id, tool } = query
  const isAsked = (approval: ApprovalView) =>
    (run_id === undefined || approval.path.some((node) => node.run_id === run_id)) &&
    (tool === undefined || approval.tool === tool)
  if (token?.kind === 'approval') {
    const approval = await readApproval(world, tenant, token.subject)
    const isOfStatus = (approval?.status === 'pending') === (status === 'pending')
    return pageOfOne(approval && isOfStatus && isAsked(approval) ? approval : undefined)
  }
  const under = approvalsList(tenant, status)
  const isUnfiltered = run_id === undefined && tool === undefined
  if (token === undefined && isUnfiltered) return page(world, under, query, approvalOf)
  const list = `${under}?${canonical({ subject: token?.subject, run_id, tool })}`
  return searched(world, list, query, async (last) => {
    const rows = await world.store.list(under, last, PORTION)
    const approvals: { at: string; item: ApprovalView }[] = []
    for (const { at, body } of rows) {
      const item = approvalOf(body)
      if (!isAsked(item)) continue
      const isVisible =
        token === undefined || (await isRunOfSubject(world, tenant, token, item.run_id))
      if (isVisible) approvals.push({ at, item })
    }
    return { found: approvals, reached: rows.length < PORTION ? undefined : rows.at(-1)?.at }
  })
}
