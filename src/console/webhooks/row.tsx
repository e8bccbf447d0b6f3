/** Row of a list: its state, its name, and a line of facts. */

import type { ReactNode } from 'react'
import { Plain } from '../text/text.tsx'

interface Props {
  readonly id: string
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly state?: ReactNode
  readonly name: string
  readonly about: string
  readonly end?: ReactNode
}

export function Row({ id, isSelected, onSelect, state, name, about, end }: Props) {
  return (
    <li
      id={`row-${id}`}
      className={`border-b border-line ${isSelected ? 'bg-selected' : 'hover:bg-subtle'}`}
    >
      <button
        type="button"
        aria-current={isSelected}
        onClick={onSelect}
        className="grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2 text-left outline-offset-[-2px]"
      >
        <span className="flex items-center gap-3 text-sm">
          <span className="min-w-0 flex-1 truncate font-medium">
            <Plain text={name} />
          </span>
          {state}
        </span>
        <span className="flex gap-2 text-xs text-text-2">
          <span className="min-w-0 flex-1 truncate">
            <Plain text={about} />
          </span>
          {end}
        </span>
      </button>
    </li>
  )
}
