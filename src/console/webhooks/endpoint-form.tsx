/** Form that creates or edits an endpoint. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Input, Select } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import {
  type Draft,
  draftOf,
  type Endpoint,
  type Format,
  inputOf,
  patchOf,
  SUBSCRIPTIONS,
} from './endpoint-state.ts'

interface Props {
  /** Edited endpoint; absent for a new one. */
  readonly endpoint?: Endpoint
  readonly onSaved: (endpoint: Schemas['WebhookEndpointWithSecret']) => void
  readonly onClose: () => void
}

export function EndpointForm({ endpoint, onSaved, onClose }: Props) {
  const words = useWords()
  const [draft, setDraft] = useState<Draft>(() => draftOf(endpoint))
  const set = (changes: Partial<Draft>): void => setDraft({ ...draft, ...changes })
  const save = useMutation({
    mutationFn: () =>
      endpoint
        ? api.webhookEndpoints.update(endpoint.id, patchOf(endpoint, draft))
        : api.webhookEndpoints.create(inputOf(draft)),
    onSuccess: onSaved,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  const title = words(endpoint ? 'webhooks.endpoints.edit' : 'webhooks.endpoints.new')
  return (
    <Dialog title={title} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('webhooks.url')}
          type="url"
          required
          autoFocus
          maxLength={2_000}
          placeholder="https://example.com/strata"
          value={draft.url}
          onChange={({ target }) => set({ url: target.value })}
        />
        <Input
          label={words('webhooks.description')}
          maxLength={200}
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
        />
        <Select
          label={words('webhooks.format')}
          value={draft.format}
          options={[
            ['standard', 'Standard Webhooks'],
            ['cloudevents', 'CloudEvents 1.0'],
          ]}
          onChange={({ target }) => set({ format: target.value as Format })}
        />
        <fieldset className="grid gap-1">
          <legend className="pb-1 text-sm font-medium">{words('webhooks.events')}</legend>
          <div className="grid max-h-56 gap-x-4 gap-y-1.5 overflow-y-auto rounded-md border border-line p-2 sm:grid-cols-2 pointer-coarse:gap-y-4">
            {SUBSCRIPTIONS.map((name) => (
              <Checkbox
                key={name}
                label={<code className="font-mono text-xs">{name}</code>}
                checked={draft.events.includes(name)}
                onChange={({ target }) =>
                  set({
                    events: target.checked
                      ? [...draft.events, name]
                      : draft.events.filter((other) => other !== name),
                  })
                }
              />
            ))}
          </div>
          {!endpoint && <p className="text-xs text-text-2">{words('webhooks.events.hint')}</p>}
        </fieldset>
        <Problem error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {words(endpoint ? 'save' : 'webhooks.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
