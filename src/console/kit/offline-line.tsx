/** Line that says, once on a page, that the server is unreachable and older data is shown. */

import { useSyncExternalStore } from 'react'
import { ConnectionError, queries } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from './button.tsx'

const cache = queries.getQueryCache()
const subscribe = (listener: () => void): (() => void) => cache.subscribe(listener)

/** Returns whether a request for data that is on the page did not reach the server. */
const isStale = (): boolean =>
  cache
    .findAll({ type: 'active' })
    .some(({ state }) => state.data !== undefined && state.error instanceof ConnectionError)

export function OfflineLine() {
  const words = useWords()
  if (!useSyncExternalStore(subscribe, isStale)) return null
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-b border-line px-4 py-0.5 text-xs text-late"
    >
      <p className="min-w-0 flex-1">{words('error.offline')}</p>
      <Button look="quiet" onClick={() => void queries.refetchQueries({ type: 'active' })}>
        {words('retry')}
      </Button>
    </div>
  )
}
