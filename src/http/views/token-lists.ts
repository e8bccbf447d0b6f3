/** Lists for a bound token, restricted to its subject. */

import { isFound } from '../../core/run/views/tags.ts'
import type { TokenBinding } from '../../core/token.ts'
import { type ApprovalView, approvalOf } from '../../engine/logs/approval-rows.ts'
import { approvalsList } from '../../engine/partition/keys.ts'
import type { Page, PageQuery } from '../../engine/partition/page.ts'
import { readApproval } from '../../engine/run/approvals.ts'
import { runViews } from '../../engine/run/query.ts'
import { isRunOfSubject } from '../../engine/run/token-subject.ts'
import type { World } from '../../ports/world.ts'
import { searched } from '../request/page.ts'
import { listedRun } from './attachments.ts'
import type { Search } from './search.ts'

/** Rows read at once. */
const PORTION = 100

export const pageOfOne = <T>(item: T | undefined): Page<T> => ({
  data: item === undefined ? [] : [item],
  next_cursor: null,
  has_more: false,
})

/** The run of the token, if it fits the search. */
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

export async function approvalsOfToken(
  world: World,
  tenant: string,
  token: TokenBinding,
  query: PageQuery & { readonly status: 'pending' | 'decided' },
): Promise<Page<ApprovalView>> {
  if (token.kind === 'approval') {
    const approval = await readApproval(world, tenant, token.subject)
    const isPending = approval?.status === 'pending'
    return pageOfOne(isPending === (query.status === 'pending') ? approval : undefined)
  }
  const under = approvalsList(tenant, query.status)
  return searched(world, `${under}?${token.subject}`, query, async (last) => {
    const rows = await world.store.list(under, last, PORTION)
    const approvals: { at: string; item: ApprovalView }[] = []
    for (const { at, body } of rows) {
      const item = approvalOf(body)
      if (await isRunOfSubject(world, tenant, token, item.run_id)) approvals.push({ at, item })
    }
    return { found: approvals, reached: rows.length < PORTION ? undefined : rows.at(-1)?.at }
  })
}
