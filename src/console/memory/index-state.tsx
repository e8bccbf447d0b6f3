/** State of the search index of memory, and its rebuild. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { MEMORY } from './use-file.ts'

type State = Schemas['MemoryStatus']

const EVERY_MS = 30_000
const STATUS = [...MEMORY, 'status'] as const

/** Rebuilds the index: each request reads a part of the files. */
async function rebuild(onRead: (count: number) => void): Promise<State> {
  let count = 0
  for (let goesOn = false; ; goesOn = true) {
    const state = await api.memory.rebuild({ go_on: goesOn })
    count += state.healed
    onRead(count)
    // A response that has read nothing would repeat for ever.
    if (!state.stale || state.healed === 0) return state
  }
}

export function IndexState() {
  const words = useWords()
  const mayWrite = useMay('memory:write')
  const [count, setCount] = useState(0)
  const { data, error } = useQuery({
    queryKey: STATUS,
    queryFn: () => api.memory.status(),
    refetchInterval: EVERY_MS,
  })
  const rebuilding = useMutation({
    mutationFn: () => {
      setCount(0)
      return rebuild(setCount)
    },
    onSuccess: (state) => queries.setQueryData(STATUS, state),
  })
  const { isPending, isSuccess } = rebuilding
  return (
    <section
      aria-label={words('memory.index')}
      className="grid gap-1 border-t border-line px-4 py-2 text-xs text-text-2"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium">{words('memory.index')}</h2>
        {data && (
          <>
            <Status
              state={data.stale ? 'waiting' : 'completed'}
              text={words(data.stale ? 'memory.index.stale' : 'memory.index.current')}
            />
            <span className="whitespace-nowrap">
              {words('memory.index.count', { n: data.files, passages: data.passages })}
            </span>
          </>
        )}
        {mayWrite && (
          <Button
            look="quiet"
            className="ml-auto"
            busy={isPending}
            onClick={() => rebuilding.mutate()}
          >
            {words('memory.index.rebuild')}
          </Button>
        )}
      </div>
      <p role="status" className="empty:hidden">
        {isPending && words('memory.index.rebuilding', { n: count })}
        {isSuccess && words('memory.index.rebuilt')}
      </p>
      <Problem error={rebuilding.error ?? error} />
    </section>
  )
}
