/** Actions on a hook: edit, rotate its secret, and delete. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { Confirm } from './confirm.tsx'
import { HookForm } from './hook-form.tsx'
import type { Hook } from './hook-state.ts'

export interface DetailProps {
  readonly id: string
  /** Reads the lists of hooks again. */
  readonly onChanged: () => Promise<void>
  readonly onSecret: (secret: string | undefined) => void
  readonly onDeleted: () => void
}

type Props = DetailProps & { readonly hook: Hook }

export function HookActions({ hook, onChanged, onSecret, onDeleted }: Props) {
  const words = useWords()
  const mayWrite = useMay('hooks:write')
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>()
  const close = () => setDialog(undefined)
  const remove = useMutation({
    mutationFn: () => api.hooks.delete(hook.id),
    onSuccess: () => {
      close()
      onDeleted()
    },
    onSettled: onChanged,
  })
  if (!mayWrite) return null
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon="edit" onClick={() => setDialog('edit')}>
        {words('approval.edit')}
      </Button>
      <Button icon="key" onClick={() => setDialog('rotate')}>
        {words('webhooks.rotate')}
      </Button>
      <Button icon="trash" look="danger" onClick={() => setDialog('delete')}>
        {words('delete')}
      </Button>
      {dialog === 'edit' && (
        <HookForm
          hook={hook}
          onSaved={() => {
            close()
            void onChanged()
          }}
          onClose={close}
        />
      )}
      {dialog === 'rotate' && (
        <Rotate
          id={hook.id}
          onRotated={(secret) => {
            close()
            onSecret(secret)
            void onChanged()
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={words('webhooks.hooks.delete')}
          question={words('webhooks.hooks.delete.sure')}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </div>
  )
}

interface RotateProps {
  readonly id: string
  readonly onRotated: (secret: string | undefined) => void
  readonly onClose: () => void
}

function Rotate({ id, onRotated, onClose }: RotateProps) {
  const words = useWords()
  const [secret, setSecret] = useState('')
  const text = secret.trim()
  const rotate = useMutation({
    mutationFn: () => api.hooks.rotateSecret(id, text === '' ? {} : { secret: text }),
    onSuccess: (hook) => onRotated(hook.secret),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!rotate.isPending) rotate.mutate()
  }
  return (
    <Dialog title={words('webhooks.rotate')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-sm">{words('webhooks.hooks.rotate.sure')}</p>
        <Input
          label={words('webhooks.secret')}
          hint={words('webhooks.secret.hint')}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
        <Problem error={rotate.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="danger" type="submit" busy={rotate.isPending}>
            {words('webhooks.rotate')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
