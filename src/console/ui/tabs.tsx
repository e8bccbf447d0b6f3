/** Pages below a page: links, so that each has an address of its own. */

import { Link } from '@tanstack/react-router'
import { useWords, type Word } from '../app/words.ts'

interface Tab {
  readonly name: string
  readonly word: Word
}

/** Where tabs do not fit, the chosen one is seen. */
export const intoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

export function Tabs({
  base,
  tabs,
  chosen,
  label,
}: {
  readonly base: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly label: string
}) {
  const words = useWords()
  return (
    <nav aria-label={label} className="mb-5 flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ name, word }) => (
        <Link
          key={name}
          ref={name === chosen ? intoView : undefined}
          to={`${base}/$tab` as '/settings/$tab'}
          params={{ tab: name }}
          aria-current={name === chosen ? 'page' : undefined}
          className={`-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap ${name === chosen ? 'border-accent font-medium text-accent' : 'border-transparent text-muted hover:text-text'}`}
        >
          {words(word)}
        </Link>
      ))}
    </nav>
  )
}
