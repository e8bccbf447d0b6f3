/** Conversations that people began: found, renamed, deleted. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { INPUT, Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePages } from '../../ui/more.tsx'
import { Problem } from '../../ui/notice.tsx'

type Session = Schemas['Session']
const EVERY_MS = 10_000
const PAGE = 50
const ROW_PX = 40
/** Typing on asks for no list in between. */
const TYPING_MS = 250

/** Openings have their line ends as escapes. */
export const titleOf = ({ title, opening, id }: Session): string =>
  title ?? (opening?.replaceAll('\\n', ' ') || id)

export function Sidebar({ chosen }: { readonly chosen: string | undefined }) {
  const words = useWords()
  const [text, setText] = useState('')
  const q = useSettled(text.trim())
  const pages = usePages(
    ['sessions', 'list', q],
    (cursor) => api.sessions.list({ kind: 'main', limit: PAGE, cursor, ...(q ? { q } : {}) }),
    EVERY_MS,
  )
  const [editing, edit] = useState<{ readonly session: Session; readonly how: 'name' | 'delete' }>()
  return (
    <div className="flex h-full min-h-0 flex-col gap-2 p-2">
      <div className="flex gap-2">
        <input
          type="search"
          aria-label={words('chat.search')}
          placeholder={words('chat.search')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${INPUT} min-w-0`}
        />
        <Link
          to="/"
          aria-label={words('chat.new')}
          title={words('chat.new')}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-surface hover:bg-raised"
        >
          <Icon name="plus" />
        </Link>
      </div>
      <Problem error={pages.error} onRetry={() => void pages.refetch()} />
      {pages.data && pages.items.length === 0 && !pages.hasNextPage && (
        <p className="p-3 text-sm text-muted">{words(q ? 'palette.empty' : 'chat.none')}</p>
      )}
      <List {...{ chosen, pages }} onEdit={(session, how) => edit({ session, how })} />
      {editing?.how === 'name' && <Rename {...editing} onClose={() => edit(undefined)} />}
      {editing?.how === 'delete' && (
        <Delete {...editing} chosen={chosen} onClose={() => edit(undefined)} />
      )}
    </div>
  )
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useDeferredValue(settled)
}

interface ListProps {
  readonly chosen: string | undefined
  readonly pages: ReturnType<typeof usePages<Session>>
  readonly onEdit: (session: Session, how: 'name' | 'delete') => void
}

function List({ chosen, pages, onEdit }: ListProps) {
  const words = useWords()
  const may = useMay('sessions:write')
  const box = useRef<HTMLElement>(null)
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  })
  const last = list.getVirtualItems().at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= items.length - 1 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [last, items.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <nav ref={box} aria-label={words('chat.sessions')} className="min-h-0 flex-1 overflow-y-auto">
      <ul className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const session = items[index]
          if (!session) return null
          const isChosen = session.id === chosen
          return (
            <li
              key={session.id}
              style={{ transform: `translateY(${start}px)` }}
              className={`group absolute top-0 left-0 flex h-9 w-full items-center rounded-lg ${isChosen ? 'bg-accent-soft text-accent' : 'hover:bg-raised'}`}
            >
              <Link
                to="/chat/$session"
                params={{ session: session.id }}
                aria-current={isChosen ? 'page' : undefined}
                title={titleOf(session)}
                className="flex min-w-0 flex-1 items-center gap-2 self-stretch rounded-lg px-2.5 text-sm"
              >
                {session.current_run_id && (
                  <span
                    role="img"
                    aria-label={words('status.running')}
                    className="size-1.5 shrink-0 animate-pulse rounded-full bg-accent"
                  />
                )}
                <span className="truncate">{titleOf(session)}</span>
              </Link>
              {may && (
                <span
                  className={`shrink-0 ${isChosen ? 'flex' : 'hidden group-focus-within:flex group-hover:flex'}`}
                >
                  <IconButton
                    icon="edit"
                    size={15}
                    label={words('chat.rename')}
                    onClick={() => onEdit(session, 'name')}
                  />
                  <IconButton
                    icon="trash"
                    size={15}
                    label={words('delete')}
                    onClick={() => onEdit(session, 'delete')}
                  />
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface Editing {
  readonly session: Session
  readonly onClose: () => void
}

function Rename({ session, onClose }: Editing) {
  const words = useWords()
  const cache = useQueryClient()
  const [title, setTitle] = useState(session.title ?? '')
  const save = useMutation({
    mutationFn: () => api.sessions.update(session.id, { title: title.trim() || null }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog title={words('chat.rename')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('chat.title')}
          autoFocus
          maxLength={200}
          placeholder={session.opening ?? ''}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <Problem error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {words('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Delete({ session, chosen, onClose }: Editing & { readonly chosen: string | undefined }) {
  const words = useWords()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.sessions.delete(session.id),
    onSuccess: async () => {
      if (session.id === chosen) await navigate({ to: '/' })
      await cache.invalidateQueries({ queryKey: ['sessions', 'list'] })
      onClose()
    },
  })
  return (
    <Dialog title={words('delete')} open onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm [overflow-wrap:anywhere]">
          {words('chat.delete.sure', { name: titleOf(session).slice(0, 200) })}
        </p>
        <Problem error={remove.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {words('delete')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
