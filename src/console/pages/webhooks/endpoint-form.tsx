/** The fields of an endpoint, for a new one and for changes of one. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { type FormDraft, Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Problem } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'

export type Endpoint = Schemas['WebhookEndpoint']
export const ENDPOINTS = ['webhooks', 'endpoints'] as const

interface Typed {
  readonly url: string
  readonly events: string
  readonly description: string
  readonly format: string
}
const FRESH: Typed = { url: '', events: '', description: '', format: 'standard' }
const chosenIn = (events: string): string[] => events.split(/[\s,]+/).filter((one) => one !== '')

/** `isThere`: what an endpoint has is replaced, and no events are no change. */
function Fields({ of, isThere = false }: { readonly of: FormDraft<Typed>; isThere?: boolean }) {
  const words = useWords()
  const { value, set } = of
  return (
    <>
      <Restored of={of} />
      <Input
        label="URL"
        type="url"
        required
        placeholder="https://example.com/hook"
        value={value.url}
        onChange={({ target }) => set({ url: target.value })}
      />
      <Input
        label={words('endpoints.events')}
        hint={isThere ? undefined : words('endpoints.events.hint')}
        required={isThere}
        placeholder="run.* approval.requested"
        value={value.events}
        onChange={({ target }) => set({ events: target.value })}
      />
      <Input
        label={words('endpoints.description')}
        value={value.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <Select
        label={words('endpoints.format')}
        value={value.format}
        options={[
          ['standard', 'Standard Webhooks'],
          ['cloudevents', 'CloudEvents'],
        ]}
        onChange={({ target }) => set({ format: target.value })}
      />
    </>
  )
}

export function NewEndpoint({ onClose }: { readonly onClose: () => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft('endpoint', FRESH)
  const making = useMutation({
    mutationFn: () => {
      const { url, events, description, format } = draft.value
      const chosen = chosenIn(events)
      const body = {
        ...{ url: url.trim(), format, events: chosen.length > 0 ? chosen : null },
        ...(description.trim() && { description: description.trim() }),
      }
      return api.webhookEndpoints.create(body as Schemas['WebhookEndpointInput'])
    },
    onSuccess: () => {
      draft.forget()
      return cache.invalidateQueries({ queryKey: ENDPOINTS })
    },
  })
  if (making.data) {
    return (
      <div className="grid gap-4">
        <ShownOnce
          sentence={words('endpoints.once')}
          label={words('endpoints.secret')}
          text={making.data.secret ?? ''}
        />
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
      <Fields of={draft} />
      <Problem error={making.error} />
      <Button look="primary" type="submit" busy={making.isPending}>
        {words('create')}
      </Button>
    </form>
  )
}

export function EditEndpoint(props: { readonly of: Endpoint; readonly onClose: () => void }) {
  const { of, onClose } = props
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft(`endpoint ${of.id}`, {
    ...{ url: of.url, events: of.events.join(' '), format: of.format as string },
    description: of.description ?? '',
  })
  const changing = useMutation({
    mutationFn: () => {
      const { url, events, description, format } = draft.value
      const chosen = chosenIn(events)
      return api.webhookEndpoints.update(of.id, {
        ...{ url: url.trim(), format, description: description.trim() || null },
        events: chosen,
      } as Schemas['WebhookEndpointPatch'])
    },
    onSuccess: () => {
      draft.forget()
      onClose()
      return cache.invalidateQueries({ queryKey: ENDPOINTS })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Fields of={draft} isThere />
      <Problem error={changing.error} />
      <Button look="primary" type="submit" busy={changing.isPending}>
        {words('save')}
      </Button>
    </form>
  )
}
