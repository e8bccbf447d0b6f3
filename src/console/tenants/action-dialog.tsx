/** Dialog that asks before a tenant is changed; a deletion needs the ID of the tenant, typed. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import type { Tenant, TenantAction } from './search.ts'

interface Props {
  readonly tenant: Tenant
  readonly action: Exclude<TenantAction, 'export' | 'edit'>
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

export function ActionDialog({ tenant: { id, name }, action, onChanged, onClose }: Props) {
  const words = useWords()
  const [cancels, setCancels] = useState(false)
  const [text, setText] = useState('')
  const change = useMutation({
    mutationFn: () => {
      if (action === 'pause') return api.tenants.pause(id)
      if (action === 'resume') return api.tenants.resume(id)
      if (action === 'delete') return api.tenants.delete(id)
      return api.tenants.suspend(id, { running: cancels ? 'cancel' : 'park' })
    },
    onSuccess: onClose,
    onSettled: onChanged,
  })
  const isComplete = action !== 'delete' || text === id
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete && !change.isPending) change.mutate()
  }
  return (
    <Dialog title={words(`tenants.${action}`)} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-sm [overflow-wrap:anywhere]">
          {words(`tenants.${action}.sure`, { name: name ?? id })}
        </p>
        {action === 'suspend' && (
          <Checkbox
            label={words('tenants.suspend.cancel')}
            checked={cancels}
            onChange={({ target }) => setCancels(target.checked)}
          />
        )}
        {action === 'delete' && (
          <Input
            label={words('tenants.delete.type', { id })}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <Problem error={change.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button
            look={action === 'delete' ? 'danger' : 'primary'}
            type="submit"
            busy={change.isPending}
            disabled={!isComplete}
          >
            {words(`tenants.${action}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
