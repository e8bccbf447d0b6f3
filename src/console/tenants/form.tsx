/** Form that creates a tenant with its first key. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { isTenantId } from './search.ts'

interface Props {
  readonly onMade: (tenant: Schemas['TenantWithKey']) => void
  readonly onClose: () => void
}

export function TenantForm({ onMade, onClose }: Props) {
  const words = useWords()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [isEncrypted, setEncrypted] = useState(false)
  const create = useMutation({
    mutationFn: () =>
      api.tenants.create({
        id,
        ...(name.trim() && { name: name.trim() }),
        ...(isEncrypted && { encryption: 'tenant_key' }),
      }),
    onSuccess: onMade,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isTenantId(id) && !create.isPending) create.mutate()
  }
  return (
    <Dialog title={words('tenants.new')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('tenants.id')}
          hint={words('tenants.id.hint')}
          wrong={id === '' || isTenantId(id) ? undefined : words('tenants.id.wrong')}
          autoFocus
          spellCheck={false}
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
        <Input
          label={words('tenants.name')}
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="grid gap-1">
          <Checkbox
            label={words('tenants.encryption.choice')}
            checked={isEncrypted}
            onChange={({ target }) => setEncrypted(target.checked)}
          />
          <p className="text-xs text-text-2">{words('tenants.encryption.hint')}</p>
        </div>
        <Problem error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={create.isPending} disabled={!isTenantId(id)}>
            {words('tenants.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
