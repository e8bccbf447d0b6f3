/** Dialog that changes the name and the quotas of a tenant. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { QuotaFieldset } from './quota-fields.tsx'
import { fieldsOf, hasQuotas, QUOTA_NAMES, quotaChange } from './quotas.ts'
import type { Tenant } from './search.ts'

interface Props {
  readonly tenant: Tenant
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

export function EditDialog({ tenant, onChanged, onClose }: Props) {
  const words = useWords()
  const [name, setName] = useState(tenant.name ?? '')
  const [fields, setFields] = useState(() => fieldsOf(tenant.quotas))
  const change = useMutation({
    mutationFn: () =>
      api.tenants.update(tenant.id, {
        name: name.trim() || null,
        quotas: quotaChange(tenant.quotas, fields),
      }),
    onSuccess: onClose,
    onSettled: onChanged,
  })
  const isComplete = hasQuotas(fields)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete && !change.isPending) change.mutate()
  }
  return (
    <Dialog title={words('tenants.edit')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('tenants.name')}
          maxLength={100}
          autoFocus
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <QuotaFieldset names={QUOTA_NAMES} fields={fields} onChange={setFields} />
        <Problem error={change.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={change.isPending} disabled={!isComplete}>
            {words('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
