/** An approval where it is asked for, in the middle of the conversation. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { ApprovalCard } from '../../ui/approval.tsx'
import { Problem } from '../../ui/notice.tsx'

const EVERY_MS = 5_000

export function InlineApproval({ id }: { readonly id: string }) {
  const one = useQuery({
    queryKey: ['approvals', id],
    queryFn: () => api.approvals.get(id),
    refetchInterval: EVERY_MS,
  })
  if (one.error) return <Problem error={one.error} onRetry={() => void one.refetch()} />
  return one.data ? <ApprovalCard approval={one.data} /> : null
}
