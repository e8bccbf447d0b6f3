/** Actions on marked runs: compare two, copy their IDs, cancel, and delete. */

import { lazy, Suspense, useState } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { isLive } from './list.ts'
import type { Run } from './use-runs.ts'

const Confirm = lazy(() => loaded(() => import('./confirm.tsx')))

interface Props {
  readonly runs: readonly Run[]
  readonly onCompare: () => void
  readonly onUnmark: () => void
  readonly onDeleted: (ids: ReadonlySet<string>) => void
  readonly onChanged: () => void
}

const COPIED_MS = 1_500

export function MarkedBar({ runs, onCompare, onUnmark, onDeleted, onChanged }: Props) {
  const words = useWords()
  const may = useMay('runs:write')
  const [action, choose] = useState<'cancel' | 'delete'>()
  const [isCopied, setCopied] = useState(false)
  if (runs.length === 0) return null
  const copy = (): void => {
    const text = runs.map(({ id }) => id).join('\n')
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    })
  }
  const hasLive = runs.some(isLive)
  const hasEnded = !runs.every(isLive)
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-subtle px-4 py-2 text-sm">
      <div className="flex w-full items-center gap-1 md:w-auto md:flex-1">
        <span role="status" className="font-medium">
          {words('runs.marked', { n: runs.length })}
        </span>
        <IconButton icon="close" size={14} label={words('runs.unmark')} onClick={onUnmark} />
      </div>
      <Button title="v" onClick={onCompare}>
        {words('run.tab.compare')}
      </Button>
      <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {words(isCopied ? 'copied' : 'runs.copy')}
      </Button>
      {may && (
        <>
          <Button icon="stop" disabled={!hasLive} onClick={() => choose('cancel')}>
            {words('cancel')}
          </Button>
          <Button icon="trash" look="danger" disabled={!hasEnded} onClick={() => choose('delete')}>
            {words('delete')}
          </Button>
        </>
      )}
      {action && (
        <Suspense>
          <Confirm
            key={action}
            {...{ runs, action, onDeleted, onChanged }}
            onDone={() => {
              choose(undefined)
              onUnmark()
            }}
            onClose={() => choose(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}
