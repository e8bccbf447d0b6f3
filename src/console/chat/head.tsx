/** The head of a conversation: its title, and the menu to rename, archive, export, and delete it. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Menu, MenuItem, MenuLink } from '../kit/menu.tsx'
import { Problem } from '../kit/notice.tsx'
import { type Edit, EditSession } from '../shell/edit-session.tsx'
import { Plain } from '../text/text.tsx'

interface HeadProps {
  readonly title: string
  /** Undefined: not read yet. */
  readonly session: Schemas['Session'] | undefined
}

/** Narrow screens have the title in the bar of the shell, where the menu stands too. */
export function ConversationHead({ title, session }: HeadProps) {
  const words = useWords()
  const [error, setError] = useState<unknown>()
  return (
    <>
      <header className="flex items-center gap-2 border-line lg:min-h-11 lg:border-b lg:px-6">
        <h1 className="min-w-0 truncate font-semibold max-lg:sr-only">
          <Plain text={title} />
        </h1>
        {session && (
          <div className="max-lg:fixed max-lg:top-1 max-lg:right-10 pointer-coarse:max-lg:right-14">
            <ConversationMenu session={session} onError={setError} />
          </div>
        )}
      </header>
      <div className="mx-auto grid w-full max-w-3xl gap-2 px-4 sm:px-6">
        <Problem error={error} />
        {session?.archived && (
          <p role="status" className="mt-2 rounded-lg bg-late-tint px-3 py-1.5 text-xs text-late">
            {words('sessions.archived')}
          </p>
        )}
      </div>
    </>
  )
}

interface MenuProps {
  readonly session: Schemas['Session']
  readonly onError: (error: unknown) => void
}

function ConversationMenu({ session, onError }: MenuProps) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('sessions:write')
  const [edit, setEdit] = useState<Edit>()
  const { id, archived } = session
  const archive = useMutation({
    mutationFn: () => api.sessions.update(id, { archived: !archived }),
    onMutate: () => onError(undefined),
    onError,
    onSuccess: () => cache.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const exported = (format: string): string => `/v1/sessions/${id}/export?format=${format}`
  return (
    <>
      <Menu icon="dots" label={words('chat.menu')}>
        {may && (
          <>
            <MenuItem onChoose={() => setEdit('rename')}>{words('sessions.rename')}</MenuItem>
            <MenuItem
              hint={words(archived ? 'sessions.unarchive.hint' : 'sessions.archive.hint')}
              onChoose={() => archive.mutate()}
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
