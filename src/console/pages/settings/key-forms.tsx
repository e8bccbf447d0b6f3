/** A new key, and a key in the place of one: each is shown once. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Problem } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'

export type Key = Schemas['ApiKey']
export const KEYS = ['keys'] as const

export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft('key', { name: '', scopes: 'runs:* sessions:*', until: '' })
  const { name, scopes, until } = draft.value
  const making = useMutation({
    mutationFn: () =>
      api.keys.create({
        name: name.trim() || null,
        scopes: scopes.split(/[\s,]+/).filter((one) => one !== ''),
        expires_at: until === '' ? null : new Date(until).toISOString(),
      }),
    onSuccess: () => {
      draft.forget()
      return cache.invalidateQueries({ queryKey: KEYS })
    },
  })
  const text = making.data?.key
  if (text) {
    return (
      <div className="grid gap-4">
        <ShownOnce sentence={words('keys.once')} label={words('signin.key')} text={text} />
        <Button onClick={onClose}>{words('close')}</Button>
      </div>
    )
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    making.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Restored of={draft} />
      <Input
        label={words('keys.name')}
        value={name}
        onChange={({ target }) => draft.set({ name: target.value })}
      />
      <Input
        label={words('keys.scopes')}
        hint={words('keys.scopes.hint')}
        required
        value={scopes}
        onChange={({ target }) => draft.set({ scopes: target.value })}
      />
      <Input
        label={words('keys.expires')}
        hint={words('keys.expires.hint')}
        type="datetime-local"
        value={until}
        onChange={({ target }) => draft.set({ until: target.value })}
      />
      <Problem error={making.error} />
      <Button look="primary" type="submit" busy={making.isPending}>
        {words('create')}
      </Button>
    </form>
  )
}

/** Seconds for which the old key goes on. */
const OVERLAPS = ['0', '3600', '86400', '604800'] as const

export function RotateKey({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const [overlap, setOverlap] = useState<string>('86400')
  const rotating = useMutation({
    mutationFn: () => api.keys.rotate(of.id, { overlap_seconds: Number(overlap) }),
    onSuccess: () => cache.invalidateQueries({ queryKey: KEYS }),
  })
  if (rotating.data) {
    return (
      <div className="grid gap-4">
        {rotating.data.key === null ? (
          <p className="text-sm text-warn">{words('keys.unseen')}</p>
        ) : (
          <ShownOnce
            sentence={words('keys.once')}
            label={words('signin.key')}
            text={rotating.data.key}
          />
        )}
        <Button onClick={onClose}>{words('close')}</Button>
      </div>
    )
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rotating.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-sm">{words('keys.rotate.hint', { name: of.name ?? of.id })}</p>
      {of.current && <p className="text-sm text-warn">{words('keys.rotate.current')}</p>}
      <Select
        label={words('keys.overlap')}
        value={overlap}
        options={OVERLAPS.map((one) => [one, words(`keys.overlap.${one}`)])}
        onChange={({ target }) => setOverlap(target.value)}
      />
      <Problem error={rotating.error} />
      <Button look="primary" type="submit" busy={rotating.isPending}>
        {words('keys.rotate')}
      </Button>
    </form>
  )
}
