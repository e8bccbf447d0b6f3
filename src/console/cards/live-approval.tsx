/** Approval that is loaded by ID and polled until decided. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../data/api.ts'
import { Problem } from '../kit/notice.tsx'
import { ApprovalCard } from './approval.tsx'

const EVERY_MS = 5_000

export function LiveApproval({ id, hasKeys }: { readonly id: string; readonly hasKeys: boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', id],
    queryFn: () => api.approvals.get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? EVERY_MS : false),
  })
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  return data ? <ApprovalCard approval={data} hasKeys={hasKeys} /> : null
}
