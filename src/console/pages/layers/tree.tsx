/** The tree of files: arrows move, Enter opens, right and left unfold and fold. */

import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { useWords } from '../../app/words.ts'
import { INPUT } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useWindowedRows } from '../../ui/windowed.tsx'
import { useDrafts } from './drafts.ts'
import { above, type Entry, type Row, rowsOf, treeOf } from './paths.ts'

const ROW = 30
/** Folders that are open, as long as the page lives: going to a file keeps them. */
let kept: ReadonlySet<string> = new Set()
const INDENTS = ['pl-2', 'pl-5', 'pl-8', 'pl-11', 'pl-14', 'pl-17', 'pl-20']

interface Props {
  readonly entries: readonly Entry[]
  readonly chosen: string
}

export function FileTree({ entries, chosen }: Props) {
  const words = useWords()
  const [text, setText] = useState('')
  const { rows, open, toggle } = useRows(entries, chosen, text.trim().toLowerCase())
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="p-2">
        <input
          type="search"
          aria-label={words('layers.find')}
          placeholder={words('layers.find')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${INPUT} w-full`}
        />
      </div>
      {rows.length === 0 && <p className="px-3 text-sm text-muted">{words('palette.empty')}</p>}
      <Rows {...{ rows, open, toggle, chosen }} />
    </div>
  )
}

function useRows(entries: readonly Entry[], chosen: string, text: string) {
  const drafts = useDrafts()
  const [open, setOpen] = useState(kept)
  const all = useMemo(() => {
    const known = new Set(entries.map(({ path }) => path))
    // Drafts of files that are not there yet are not to be lost from sight.
    const fresh = drafts.filter((path) => !known.has(path))
    return [...entries, ...fresh.map((path) => ({ path, etag: '', size: 0 }))]
  }, [entries, drafts])
  const become = (next: ReadonlySet<string>): void => {
    kept = next
    setOpen(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once for each file.
  useEffect(() => {
    const first = open.size === 0 ? all.map(({ path }) => path.split('/')[0]!) : []
    become(new Set([...open, ...first, ...above(chosen)]))
  }, [chosen, all.length === 0])
  const toggle = (path: string): void => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    become(next)
  }
  const rows = useMemo(() => {
    if (text === '') return rowsOf(treeOf(all), open)
    const found = all.filter(({ path }) => path.toLowerCase().includes(text))
    return rowsOf(treeOf(found), new Set(found.flatMap(({ path }) => above(path))))
  }, [all, open, text])
  return { rows, open, toggle }
}

interface RowsProps {
  readonly rows: readonly Row[]
  readonly toggle: (path: string) => void
  readonly chosen: string
}

function Rows({ rows, toggle, chosen }: RowsProps) {
  const words = useWords()
  const navigate = useNavigate()
  const drafts = new Set(useDrafts())
  const [at, setAt] = useState(0)
  const windowed = useWindowedRows(rows.length, ROW)
  const take = (row: Row | undefined): void => {
    if (!row) return
    if (row.entry) void navigate({ to: '/layers/$', params: { _splat: row.path } })
    else toggle(row.path)
  }
  const move = (to: number): void => {
    const next = Math.min(Math.max(to, 0), rows.length - 1)
    setAt(next)
    windowed.scrollTo(next)
  }
  const onKey = (event: KeyboardEvent): void => {
    const row = rows[at]
    if (event.key === 'ArrowDown') move(at + 1)
    else if (event.key === 'ArrowUp') move(at - 1)
    else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(rows.length - 1)
    else if (event.key === 'Enter' || event.key === ' ') take(row)
    else if (event.key === 'ArrowRight' && row && !row.entry && !row.open) toggle(row.path)
    else if (event.key === 'ArrowLeft' && row) {
      if (row.open) toggle(row.path)
      else move(rows.findIndex(({ path }) => path === above(row.path).at(-1)))
    } else return
    event.preventDefault()
  }
  return (
    <div
      ref={windowed.ref}
      role="tree"
      tabIndex={0}
      aria-label={words('layers.files')}
      aria-activedescendant={rows[at] ? `row-${at}` : undefined}
      onKeyDown={onKey}
      className="group min-h-0 flex-1 overflow-y-auto px-1 pb-2"
    >
      <div ref={windowed.sized} role="presentation" className="relative">
        {windowed.items.map(({ index, place }) => {
          const row = rows[index]!
          const isChosen = row.path === chosen
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the tree.
            // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus.
            <div
              key={row.path}
              id={`row-${index}`}
              ref={place}
              role="treeitem"
              title={row.path}
              aria-level={row.depth + 1}
              aria-expanded={row.open}
              aria-selected={isChosen}
              onClick={() => {
                setAt(index)
                take(row)
              }}
              className={`absolute inset-x-0 flex h-7.5 cursor-pointer items-center gap-1.5 rounded-md pr-2 text-sm ${INDENTS[Math.min(row.depth, INDENTS.length - 1)]} ${isChosen ? 'bg-accent-soft text-accent' : 'hover:bg-raised'} ${index === at ? 'group-focus-visible:outline-2 group-focus-visible:outline-accent' : ''}`}
            >
              <Icon name={row.entry ? 'file' : row.open ? 'down' : 'right'} size={14} />
              <span className="min-w-0 flex-1 truncate">{row.name}</span>
              {drafts.has(row.path) && (
                <span
                  role="img"
                  aria-label={words('layers.unsaved')}
                  title={words('layers.unsaved')}
                  className="size-2 rounded-full bg-warn"
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
