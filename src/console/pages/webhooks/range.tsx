/** Many deliveries once more: those of a state, an endpoint, a run and a stretch of time. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Problem } from '../../ui/notice.tsx'
import { DELIVERIES } from './delivery.tsx'
import { type Filter, instantOf, REPLAYED, useEndpointOptions } from './filter.tsx'

export function Range({ filter }: { readonly filter: Filter }) {
  const words = useWords()
  const cache = useQueryClient()
  const [range, setRange] = useState<Filter>(() => ({
    ...filter,
    // Of those on their way nothing is sent again.
    status: REPLAYED.find((one) => one === filter.status),
  }))
  const [count, setCount] = useState(0)
  const endpoints = useEndpointOptions()
  const replay = useMutation({
    mutationFn: () => replayAll(range, setCount),
    onSettled: () => cache.invalidateQueries({ queryKey: DELIVERIES }),
  })
  const set = (part: Partial<Filter>): void => {
    replay.reset()
    setRange({ ...range, ...part })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setCount(0)
    replay.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Select
        label={words('deliveries.status')}
        value={range.status ?? ''}
        options={[
          ['', words('deliveries.given')],
          ...REPLAYED.map((one) => [one, words(`deliveries.${one}`)] as const),
        ]}
        onChange={({ target }) => set({ status: target.value || undefined })}
      />
      <Select
        label={words('deliveries.to')}
        value={range.endpoint ?? ''}
        options={endpoints(range.endpoint)}
        onChange={({ target }) => set({ endpoint: target.value || undefined })}
      />
      <Input
        label={words('deliveries.run')}
        placeholder="run_…"
        spellCheck={false}
        value={range.run ?? ''}
        onChange={({ target }) => set({ run: target.value.trim() || undefined })}
      />
      <div className="grid gap-4">
        <Input
          label={words('deliveries.since')}
          type="datetime-local"
          value={range.since ?? ''}
          onChange={({ target }) => set({ since: target.value || undefined })}
        />
        <Input
          label={words('deliveries.until')}
          type="datetime-local"
          value={range.until ?? ''}
          onChange={({ target }) => set({ until: target.value || undefined })}
        />
      </div>
      <Problem error={replay.error} />
      {(replay.isPending || replay.data !== undefined || (replay.error && count > 0)) && (
        <p role="status" className="text-sm">
          {words('deliveries.replayed', { n: count })}
        </p>
      )}
      <Button look="primary" type="submit" busy={replay.isPending}>
        {words('deliveries.range')}
      </Button>
    </form>
  )
}

/** Says how many are sent again, page by page. */
async function replayAll(range: Filter, onCount: (count: number) => void): Promise<number> {
  const { status, endpoint, run, since, until } = range
  const asked: Schemas['ReplayInput'] = {
    ...(status && { status: status as NonNullable<Schemas['ReplayInput']['status']> }),
    ...(endpoint && { endpoint_id: endpoint }),
    ...(run && { run_id: run }),
    ...(since && { from: instantOf(since) }),
    ...(until && { to: instantOf(until) }),
  }
  let count = 0
  for (let cursor: string | null = null; ; ) {
    const page = await api.webhookDeliveries.replayAll({ ...asked, ...(cursor && { cursor }) })
    count += page.replayed.length
    onCount(count)
    if (!page.next_cursor) return count
    cursor = page.next_cursor
  }
}
