/** Versions of whatever has them: a button, and behind it the list, newest first. */

import { type ReactNode, useState } from 'react'
import type { Schemas } from '../app/api.ts'
import { useWords } from '../app/words.ts'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { More, type PageOf, usePages } from './more.tsx'
import { Loading } from './notice.tsx'
import { Ago } from './text.tsx'

type Version = Schemas['Version']

interface ListProps {
  /** Of the list, for the cache. */
  readonly name: readonly string[]
  readonly read: (cursor: string | undefined) => PromiseLike<PageOf<Version>>
  /** The one that is chosen. */
  readonly render: (version: Version) => ReactNode
}

export function VersionsDialog({ title, ...list }: ListProps & { readonly title: string }) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words('layers.versions')}</Button>
      <Dialog wide title={title} open={open} onClose={() => setOpen(false)}>
        <Versions {...list} />
      </Dialog>
    </>
  )
}

function Versions({ name, read, render }: ListProps) {
  const words = useWords()
  const [chosen, setChosen] = useState<string>()
  const found = usePages<Version>(name, read)
  return (
    <div className="grid gap-3">
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <p className="text-sm text-muted">{words('layers.versions.none')}</p>
      )}
      <ol className="grid gap-2">
        {found.items.map((one) => (
          <li key={one.version} className="rounded-lg border border-line">
            <button
              type="button"
              aria-expanded={one.version === chosen}
              onClick={() => setChosen(one.version === chosen ? undefined : one.version)}
              className="flex w-full flex-wrap items-center gap-3 px-3 py-2 text-left text-sm hover:bg-raised"
            >
              <span className="font-semibold tabular-nums">{one.number}</span>
              <Badge>{one.action}</Badge>
              <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{one.by}</span>
              <span className="text-xs text-muted">
                <Ago at={one.created_at} />
              </span>
            </button>
            {one.version === chosen && render(one)}
          </li>
        ))}
      </ol>
      <More of={found} />
    </div>
  )
}
