/**
 * Conversation header: the title, and the menu to rename, archive, export, and delete the
 * conversation.
 */

import { useState } from 'react'
import type { Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Menu, MenuItem, MenuLink } from '../kit/menu.tsx'
import { Problem } from '../kit/notice.tsx'
import { type Edit, EditSession } from '../shell/edit-session.tsx'
import { Plain } from '../text/text.tsx'
import { useArchive } from './archive.tsx'

interface HeadProps {
  readonly title: string
  /** Session of the conversation; undefined until loaded. */
  readonly session: Schemas['Session'] | undefined
  /** Retries the last turn with the same input; undefined if unavailable. */
  readonly onRetry: (() => void) | undefined
  /** Forks the whole conversation; undefined if there are no turns to copy. */
  readonly onFork: (() => void) | undefined
}

/** Renders the header; on narrow screens, the title is in the shell's bar, next to the menu. */
export function ConversationHead({ title, session, ...actions }: HeadProps) {
  const [error, setError] = useState<unknown>()
  return (
    <>
      <header className="flex items-center gap-2 border-line lg:min-h-11 lg:border-b lg:px-6">
        <h1 className="min-w-0 truncate font-semibold max-lg:sr-only">
          <Plain text={title} />
        </h1>
        {session && (
          <div className="max-lg:fixed max-lg:top-1 max-lg:right-10 pointer-coarse:max-lg:right-14">
            <ConversationMenu session={session} onError={setError} {...actions} />
          </div>
        )}
      </header>
      <div className="mx-auto grid w-full max-w-3xl gap-2 px-4 sm:px-6">
        <Problem error={error} />
      </div>
    </>
  )
}

interface MenuProps extends Pick<HeadProps, 'onRetry' | 'onFork'> {
  readonly session: Schemas['Session']
  readonly onError: (error: unknown) => void
}

function ConversationMenu({ session, onError, onRetry, onFork }: MenuProps) {
  const words = useWords()
  const may = useMay('sessions:write')
  const [edit, setEdit] = useState<Edit>()
  const { id, archived } = session
  const archive = useArchive(session)
  const exported = (format: string): string => `/v1/sessions/${id}/export?format=${format}`
  return (
    <>
      <Menu icon="dots" label={words('chat.menu')}>
        {onRetry && (
          <MenuItem hint={words('chat.retry.last.hint')} onChoose={onRetry}>
            {words('chat.retry')}
          </MenuItem>
        )}
        {onFork && (
          <MenuItem hint={words('chat.fork.all.hint')} onChoose={onFork}>
            {words('chat.fork.all')}
          </MenuItem>
        )}
        {may && (
          <>
            <MenuItem onChoose={() => setEdit('rename')}>{words('sessions.rename')}</MenuItem>
            <MenuItem
              hint={words(archived ? 'sessions.unarchive.hint' : 'sessions.archive.hint')}
              onChoose={() =>
                archive.mutate(undefined, { onSettled: (_, error) => onError(error) })
              }
            >
              {words(archived ? 'sessions.unarchive' : 'sessions.archive')}
            </MenuItem>
          </>
        )}
        <MenuLink
          href={exported('jsonl')}
          download={`${id}.jsonl`}
          hint={words('sessions.export.jsonl.hint')}
        >
          {words('sessions.export.jsonl')}
        </MenuLink>
        <MenuLink
          href={exported('markdown')}
          download={`${id}.md`}
          hint={words('sessions.export.markdown.hint')}
        >
          {words('sessions.export.markdown')}
        </MenuLink>
        {may && (
          <MenuItem hint={words('sessions.delete.hint')} onChoose={() => setEdit('delete')}>
            {words('sessions.delete')}
          </MenuItem>
        )}
      </Menu>
      <EditSession session={session} edit={edit} onClose={() => setEdit(undefined)} />
    </>
  )
}
