/** Events of a fan-out's own log, loaded when the section is opened. */

import { useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { exactTime, shortTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'

const PAGE = 100

export function FanoutLog({ id }: { readonly id: string }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="rounded-md border border-line"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer px-3 py-2 text-sm font-medium">
        {words('fanouts.log')}
      </summary>
      {isOpen && <Events id={id} />}
    </details>
  )
}

function Events({ id }: { readonly id: string }) {
  const words = useWords()
  const events = usePages(['fanouts', id, 'log'], (cursor) =>
    api.fanouts.events(id, { limit: PAGE, ...(cursor && { cursor }) }),
  )
  if (events.isPending) return <Loading />
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={words('fanouts.log')}
      className="max-h-[60dvh] overflow-y-auto border-t border-line px-3 py-2"
    >
      <ol aria-label={words('fanouts.log')} className="grid gap-1 text-xs">
        {events.items.map(({ seq, type, created_at, data }) => (
          <li key={seq} className="flex flex-wrap gap-x-3">
            <span className="w-9 text-right text-text-3">{seq}</span>
            <time dateTime={created_at} title={exactTime(created_at)} className="text-text-3">
              {shortTime(created_at)}
            </time>
            <span className="font-medium">{type}</span>
            <code className="min-w-0 flex-1 basis-60 truncate font-mono text-text-2">
              <Plain text={JSON.stringify(data)} />
            </code>
          </li>
        ))}
      </ol>
      <More of={events} />
    </div>
  )
}
