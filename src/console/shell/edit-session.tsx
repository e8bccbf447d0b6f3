/** Dialogs to rename and delete a conversation. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { titleOf } from '../data/session-title.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'

type Session = Schemas['Session']
export type Edit = 'rename' | 'delete'

interface Props {
  readonly session: Session
  /** Current edit of a conversation; undefined if no dialog is open. */
  readonly edit: Edit | undefined
  readonly onClose: () => void
}

export function EditSession({ edit, ...props }: Props) {
  if (edit === undefined) return null
  return edit === 'rename' ? <Rename {...props} /> : <Delete {...props} />
}

interface EditProps {
  readonly session: Session
  readonly onClose: () => void
}

function Rename({ session, onClose }: EditProps) {
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
    <Dialog title={words('sessions.rename')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('sessions.title')}
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

const NAME_CHARACTERS = 200

function Delete({ session, onClose }: EditProps) {
  const words = useWords()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { session: openSession } = useParams({ strict: false })
  const remove = useMutation({
    mutationFn: () => api.sessions.delete(session.id),
    onSuccess: async () => {
      if (session.id === openSession) await navigate({ to: '/' })
      await cache.invalidateQueries({ queryKey: ['sessions', 'list'] })
      onClose()
    },
  })
  const name = titleOf(session).slice(0, NAME_CHARACTERS)
  return (
    <Dialog title={words('sessions.delete')} open onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm [overflow-wrap:anywhere]">
          <Plain text={words('sessions.delete.sure', { name })} />
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
