/** Every event of the tree in the order of time; one that is pressed shows all that it says. */

import { memo, useCallback, useMemo, useState } from 'react'
import type { RunEvent } from '../../../client/index.ts'
import { useWords } from '../../app/words.ts'
import { Input } from '../../ui/field.tsx'
import { Code } from '../../ui/text.tsx'
import { useWindowedRows } from '../../ui/windowed.tsx'

const ROW = 37

/** Times of one form: their text is their order. */
const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Subagents by what they were called. */
function namesIn(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const created = events.filter(({ type }) => type === 'run.created')
  return new Map(
    created.map(({ run_id, data }) => {
      const { label, agent } = data as { readonly label?: string | null; readonly agent?: string }
      return [run_id, label || agent || run_id]
    }),
  )
}

export function Events({
  events,
  rootId,
}: {
  readonly events: readonly RunEvent[]
  readonly rootId: string
}) {
  const words = useWords()
  const [text, setText] = useState('')
  const [open, setOpen] = useState<string>()
  const sorted = useMemo(
    () =>
      events
        .filter(({ type }) => type.includes(text.trim()))
        .sort((one, other) => inOrder(one.created_at, other.created_at) || one.seq - other.seq),
    [events, text],
  )
  const rows = useWindowedRows(sorted.length, ROW, () => {}, true)
  const began = sorted[0] ? Date.parse(sorted[0].created_at) : 0
  const names = useMemo(() => namesIn(events), [events])
  const toggle = useCallback((key: string) => setOpen((is) => (is === key ? undefined : key)), [])
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Input
          label={words('events.filter')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <p role="status" className="text-sm text-muted">
          {words('events.count', { n: sorted.length })}
        </p>
      </div>
      <div
        ref={rows.ref}
        tabIndex={0}
        role="region"
        aria-label={words('run.events')}
        className="h-[68dvh] overflow-y-auto rounded-xl border border-line bg-surface"
      >
        <ol ref={rows.sized} className="relative">
          {rows.items.map(({ index, place }) => {
            const event = sorted[index]!
            const key = `${event.run_id} ${event.seq}`
            return (
              <li key={key} ref={place} className="absolute inset-x-0 border-b border-line">
                <Row
                  event={event}
                  after={Date.parse(event.created_at) - began}
                  of={event.run_id === rootId ? undefined : names.get(event.run_id)}
                  open={open === key}
                  onToggle={toggle}
                />
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}

interface RowProps {
  readonly event: RunEvent
  readonly after: number
  /** The subagent whose event it is. */
  readonly of: string | undefined
  readonly open: boolean
  readonly onToggle: (key: string) => void
}

const Row = memo(function Row({ event, after, of, open, onToggle }: RowProps) {
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => onToggle(`${event.run_id} ${event.seq}`)}
        className="flex min-h-9 w-full items-center gap-3 px-3 text-left text-sm hover:bg-raised"
      >
        <span className="w-20 shrink-0 text-right font-mono text-xs text-muted tabular-nums">
          +{(after / 1_000).toFixed(2)} s
        </span>
        <span className="w-10 shrink-0 font-mono text-xs text-muted tabular-nums">{event.seq}</span>
        <span className="shrink-0 font-mono text-xs sm:w-44">{event.type}</span>
        {of !== undefined && (
          <span className="min-w-0 max-w-40 truncate rounded-full bg-raised px-2 py-0.5 text-xs text-muted">
            {of}
          </span>
        )}
        <span className="hidden min-w-0 flex-1 truncate text-xs text-muted sm:block">
          {about(event)}
        </span>
      </button>
      {open && (
        <div className="px-3 pb-3">
          <Code value={event} label={event.type} />
        </div>
      )}
    </>
  )
})

interface About {
  readonly tool?: string
  readonly label?: string | null
  readonly model?: string
  readonly error?: { readonly message?: string } | null
  readonly parts?: readonly { readonly text?: unknown; readonly tool?: string }[]
}

/** A few words of its own: a tool, a label, what was said. */
function about({ data }: RunEvent): string {
  const { tool, label, model, error, parts = [] } = data as About
  const said = parts.map(({ text, tool: called }) => (typeof text === 'string' ? text : called))
  return [error?.message, tool, label, model, ...said]
    .filter((one) => typeof one === 'string')
    .join(' · ')
    .slice(0, 200)
}
