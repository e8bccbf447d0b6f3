/** The frame of a page: its name, what one can do with all of it, and what scrolls. */

import type { ReactNode } from 'react'
import { useTitle } from '../app/title.ts'
import { useWords } from '../app/words.ts'

export function Page({
  title,
  actions,
  children,
  wide,
}: {
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Uses the whole width; else lines stay readable. */
  readonly wide?: boolean
}) {
  useTitle(typeof title === 'string' ? title : undefined)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-2 border-b border-line bg-surface px-4 py-2 sm:px-6">
        <h1 className="min-w-0 truncate text-lg font-semibold">{title}</h1>
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className={`mx-auto px-4 py-5 sm:px-6 ${wide ? '' : 'max-w-5xl'}`}>{children}</div>
      </div>
    </div>
  )
}

export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="mb-4 rounded-xl border border-line bg-surface">
      {title && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
          <h2 className="text-sm font-semibold">{title}</h2>
          <div className="flex items-center gap-2">{actions}</div>
        </div>
      )}
      <div className="p-4">{children}</div>
    </section>
  )
}

/** Rows that scroll sideways where there is no room. */
export function Table({
  head,
  children,
  label,
}: {
  readonly head: readonly ReactNode[]
  readonly children: ReactNode
  readonly label: string
}) {
  const words = useWords()
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="relative overflow-x-auto rounded-xl border border-line bg-surface"
    >
      <table className="w-full text-left text-sm [&_td]:border-t [&_td]:border-line [&_td]:px-4 [&_td]:py-2.5 [&_th]:px-4 [&_th]:py-2">
        <thead className="text-xs text-muted">
          <tr>
            {head.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are.
              <th key={at} scope="col" className="font-medium whitespace-nowrap">
                {one === '' ? <span className="sr-only">{words('actions')}</span> : one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
