/** Replay of the selected delivery. */

import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../data/api.ts'
import { reloadDeliveries } from './use-deliveries.ts'

export function useReplay(id: string | undefined) {
  const replay = useMutation({
    mutationFn: async () => id && api.webhookDeliveries.replay(id, {}),
    onSettled: reloadDeliveries,
  })
  const { reset } = replay
  // The outcome belongs to one delivery.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selection starts anew.
  useEffect(() => reset(), [id, reset])
  return replay
}
