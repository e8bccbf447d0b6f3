/** Form that creates or edits an inbound hook. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input, Select, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import {
  type Draft,
  draftOf,
  type Hook,
  inputOf,
  patchOf,
  RUN_FIELDS,
  SCHEMES,
  type Scheme,
} from './hook-state.ts'

interface Props {
  /** Edited hook; absent for a new one. */
  readonly hook?: Hook
  readonly onSaved: (hook: Schemas['HookWithSecret']) => void
  readonly onClose: () => void
}

export function HookForm({ hook, onSaved, onClose }: Props) {
  const words = useWords()
  const [draft, setDraft] = useState<Draft>(() => draftOf(hook))
  const [scheme, setScheme] = useState<Scheme>('standard')
  const [secret, setSecret] = useState('')
  const save = useMutation({
    mutationFn: () =>
      hook
        ? api.hooks.update(hook.id, patchOf(hook, draft))
        : api.hooks.create(inputOf(draft, scheme, secret)),
    onSuccess: onSaved,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <Dialog
      title={words(hook ? 'webhooks.hooks.edit' : 'webhooks.hooks.new')}
      open
      onClose={onClose}
    >
      <form className="grid gap-4" onSubmit={submit}>
        {!hook && (
          <>
            <Select
              label={words('webhooks.scheme')}
              value={scheme}
              options={SCHEMES.map((name) => [name, name])}
              onChange={({ target }) => setScheme(target.value as Scheme)}
            />
            <Input
              label={words('webhooks.secret')}
              hint={words('webhooks.secret.hint')}
              type="password"
              autoComplete="off"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
            />
          </>
        )}
        <Fields draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} />
        <p className="text-xs text-text-2">{words('webhooks.hooks.form.hint')}</p>
        <Problem error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {words(hook ? 'save' : 'webhooks.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
}

function Fields({ draft, onChange }: FieldsProps) {
  const words = useWords()
  const field = (name: keyof Draft) => ({
    spellCheck: false,
    value: draft[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ [name]: target.value }),
  })
  return (
    <>
      <Input label={words('webhooks.description')} maxLength={200} {...field('description')} />
      <TextArea
        label={words('webhooks.template')}
        hint={words('webhooks.template.hint')}
        required
        rows={3}
        className="font-mono"
        {...field('template')}
      />
      <Input
        label={words('webhooks.hooks.events')}
        hint={words('webhooks.hooks.events.hint')}
        {...field('events')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Input label={words('webhooks.run.agent')} {...field('agent')} />
        {RUN_FIELDS.map((name) => (
          <Input key={name} label={words(`webhooks.run.${name}`)} {...field(name)} />
        ))}
      </div>
    </>
  )
}
