/** The tabs of a run: arrows go from one to the next, and the Tab key into what it shows. */

import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { intoView } from '../../ui/tabs.tsx'

interface Props<T extends string> {
  readonly label: string
  readonly tabs: readonly (readonly [name: T, word: string])[]
  readonly chosen: T
  readonly onChoose: (name: T) => void
  readonly children: ReactNode
}

export function TabPanels<T extends string>({ label, tabs, chosen, onChoose, children }: Props<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKey = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(([name]) => name === chosen)
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onChoose(tabs[to]![0])
    ;(list.current?.children[to] as HTMLElement | undefined)?.focus()
  }
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="mb-5 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map(([name, word]) => (
          <button
            key={name}
            id={`${id}-${name}`}
            ref={name === chosen ? intoView : undefined}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={onKey}
            className={`-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap ${name === chosen ? 'border-accent font-medium text-accent' : 'border-transparent text-muted hover:text-text'}`}
          >
            {word}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${chosen}`}
        tabIndex={0}
        className="outline-offset-4"
      >
        {children}
      </div>
    </>
  )
}
