/** Dialog that changes a key: its name, scopes, addresses, rate of requests, and quotas. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { QuotaFieldset } from '../tenants/quota-fields.tsx'
import { hasQuotas, KEY_QUOTA_NAMES } from '../tenants/quotas.ts'
import { LayersField, ScopeFields } from './form.tsx'
import { useIsOwn } from './key-status.tsx'
import { changesOf, type Edit, editOf, isGrant, type Key } from './state.ts'

interface Props {
  readonly apiKey: Key
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function EditKey({ apiKey, onChanged, onClose }: Props) {
  const words = useWords()
  // A key can change only its own name.
  const isOwn = useIsOwn(apiKey.id)
  const [edit, setEdit] = useState<Edit>(() => editOf(apiKey))
  const set = (changes: Partial<Edit>): void => setEdit({ ...edit, ...changes })
  const save = useMutation({
    mutationFn: () => api.keys.update(apiKey.id, changesOf(apiKey, edit)),
    onSuccess: onClose,
    onSettled: onChanged,
  })
  const isRate = edit.rate === '' || /^[1-9]\d{0,8}$/.test(edit.rate)
  const isComplete = isRate && isGrant(edit) && hasQuotas(edit.quotas)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete && !save.isPending) save.mutate()
  }
  return (
    <Dialog title={words('keys.edit')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('keys.name')}
          autoFocus
          maxLength={100}
          value={edit.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        {isOwn ? (
          <p className="text-sm text-text-2">{words('keys.edit.own')}</p>
        ) : (
          <>
            <ScopeFields scopes={edit.scopes} onChange={(scopes) => set({ scopes })} />
            <LayersField {...edit} onChange={(layers) => set({ layers })} />
            <TextArea
              label={words('keys.addresses')}
              hint={words('keys.addresses.hint')}
              rows={2}
              spellCheck={false}
              value={edit.addresses}
              onChange={({ target }) => set({ addresses: target.value })}
            />
            <Input
              label={words('keys.rate')}
              hint={words('keys.rate.hint')}
              wrong={isRate ? undefined : words('form.number')}
              inputMode="numeric"
              value={edit.rate}
              onChange={({ target }) => set({ rate: target.value.trim() })}
            />
            <QuotaFieldset
              names={KEY_QUOTA_NAMES}
              fields={edit.quotas}
              onChange={(quotas) => set({ quotas })}
            />
          </>
        )}
        <Problem error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={save.isPending} disabled={!isComplete}>
            {words('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
