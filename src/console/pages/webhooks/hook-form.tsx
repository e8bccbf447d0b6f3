/** The fields of an inbound hook, for a new one and for changes of one. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { type FormDraft, Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Problem } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Code } from '../../ui/text.tsx'

export type Hook = Schemas['Hook']
type NewHookInput = Schemas['HookInput']
export const HOOKS = ['webhooks', 'hooks'] as const
const SCHEMES = ['standard', 'svix', 'github', 'slack', 'stripe', 'linear'] as const

interface Typed {
  readonly template: string
  readonly agent: string
  readonly description: string
}
const FRESH = { scheme: 'standard' as string, template: '{{$}}', agent: '', description: '' }

function Fields({ of: { value, set } }: { readonly of: Pick<FormDraft<Typed>, 'value' | 'set'> }) {
  const words = useWords()
  return (
    <>
      <TextArea
        label={words('hooks.template')}
        hint={words('hooks.template.hint')}
        rows={4}
        className="font-mono text-xs"
        value={value.template}
        onChange={({ target }) => set({ template: target.value })}
      />
      <Input
        label={words('runs.agent')}
        placeholder="general"
        value={value.agent}
        onChange={({ target }) => set({ agent: target.value })}
      />
      <Input
        label={words('endpoints.description')}
        value={value.description}
        onChange={({ target }) => set({ description: target.value })}
      />
    </>
  )
}

export function NewHook({ onClose }: { readonly onClose: () => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft('hook', FRESH)
  // Never kept: it is a secret.
  const [secret, setSecret] = useState('')
  const making = useMutation({
    mutationFn: () => {
      const { scheme, template, agent, description } = draft.value
      return api.hooks.create({
        ...{ scheme: scheme as NewHookInput['scheme'], template },
        ...(secret.trim() && { secret: secret.trim() }),
        ...(agent.trim() && { agent: agent.trim() }),
        ...(description.trim() && { description: description.trim() }),
      })
    },
    onSuccess: () => {
      draft.forget()
      return cache.invalidateQueries({ queryKey: HOOKS })
    },
  })
  if (making.data) {
    return (
      <div className="grid gap-4 text-sm">
        <Code value={`${location.origin}${making.data.url_path}`} label="URL" />
        {making.data.secret && (
          <ShownOnce
            sentence={words('endpoints.once')}
            label={words('endpoints.secret')}
            text={making.data.secret}
          />
        )}
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
      <Select
        label={words('hooks.scheme')}
        value={draft.value.scheme}
        options={SCHEMES.map((one) => [one, one])}
        onChange={({ target }) => draft.set({ scheme: target.value })}
      />
      <Input
        label={words('endpoints.secret')}
        hint={words('hooks.secret.hint')}
        type="password"
        autoComplete="off"
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      <Fields of={draft} />
      <Problem error={making.error} />
      <Button look="primary" type="submit" busy={making.isPending}>
        {words('create')}
      </Button>
    </form>
  )
}

export function EditHook(props: { readonly of: Hook; readonly onClose: () => void }) {
  const { of, onClose } = props
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft(`hook ${of.id}`, {
    template: of.template ?? '',
    agent: String((of.run as { agent?: string }).agent ?? ''),
    description: of.description ?? '',
  })
  const changing = useMutation({
    mutationFn: () => {
      const { template, agent, description } = draft.value
      return api.hooks.update(of.id, {
        ...{ template, description: description.trim() || null },
        agent: agent.trim() || 'general',
      } as Schemas['HookPatch'])
    },
    onSuccess: () => {
      draft.forget()
      onClose()
      return cache.invalidateQueries({ queryKey: HOOKS })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Restored of={draft} />
      <Fields of={draft} />
      <Problem error={changing.error} />
      <Button look="primary" type="submit" busy={changing.isPending}>
        {words('save')}
      </Button>
    </form>
  )
}
