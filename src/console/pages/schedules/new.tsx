/** A schedule, new or changed: when, and what it asks of which agent. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { type FormDraft, Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Problem } from '../../ui/notice.tsx'

const HOW = ['cron', 'every', 'at'] as const
type How = (typeof HOW)[number]
const EXAMPLES: Readonly<Record<How, string>> = {
  cron: '0 9 * * 1-5',
  every: '6h',
  at: '2027-01-31T09:00:00Z',
}

type Schedule = Schemas['Schedule']

interface Typed {
  readonly how: How
  readonly when: string
  readonly zone: string
  readonly agent: string
  readonly input: string
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const timesOf = ({ how, when, zone }: Typed) => ({
  [how]: when.trim(),
  ...(how === 'cron' ? { timezone: zone } : {}),
})

export function NewSchedule({ onDone }: { readonly onDone: () => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft('schedule', {
    ...{ name: '', how: 'cron' as How, when: EXAMPLES.cron, zone: zoneHere() },
    ...{ agent: '', input: '' },
  })
  const making = useMutation({
    mutationFn: () => {
      const { name, agent, input } = draft.value
      return api.schedules.create({
        ...{ name: name.trim() || null, ...timesOf(draft.value) },
        ...{ agent: agent.trim() || null, input },
      })
    },
    onSuccess: () => {
      draft.forget()
      onDone()
      return cache.invalidateQueries({ queryKey: ['schedules'] })
    },
  })
  return (
    <Form error={making.error} busy={making.isPending} verb={words('create')} send={making.mutate}>
      <Restored of={draft} />
      <Input
        label={words('schedules.name')}
        value={draft.value.name}
        onChange={({ target }) => draft.set({ name: target.value })}
      />
      <Fields of={draft} />
    </Form>
  )
}

export function EditSchedule(props: { readonly of: Schedule; readonly onDone: () => void }) {
  const { of, onDone } = props
  const words = useWords()
  const cache = useQueryClient()
  const run = of.run as { readonly agent?: string; readonly input?: string }
  const draft = useFormDraft(`schedule ${of.id}`, {
    ...(of.cron !== null
      ? { how: 'cron' as How, when: of.cron }
      : of.at !== null
        ? { how: 'at' as How, when: of.at }
        : { how: 'every' as How, when: `${of.every_seconds ?? 0}s` }),
    ...{ zone: of.timezone ?? zoneHere(), agent: run.agent ?? '', input: run.input ?? '' },
  })
  const changing = useMutation({
    mutationFn: () => {
      const { agent, input } = draft.value
      const body = { ...timesOf(draft.value), input, agent: agent.trim() || 'general' }
      return api.schedules.update(of.name, body as Schemas['SchedulePatch'])
    },
    onSuccess: () => {
      draft.forget()
      onDone()
      return cache.invalidateQueries({ queryKey: ['schedules'] })
    },
  })
  return (
    <Form
      error={changing.error}
      busy={changing.isPending}
      verb={words('save')}
      send={changing.mutate}
    >
      <Restored of={draft} />
      <Fields of={draft} />
    </Form>
  )
}

interface FormProps {
  readonly error: unknown
  readonly busy: boolean
  readonly verb: string
  readonly send: () => void
  readonly children: React.ReactNode
}

function Form({ error, busy, verb, send, children }: FormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {children}
      <Problem error={error} />
      <Button look="primary" type="submit" busy={busy}>
        {verb}
      </Button>
    </form>
  )
}

function Fields({ of }: { readonly of: FormDraft<Typed> }) {
  const words = useWords()
  const { value, set } = of
  const { how, when, zone, agent, input } = value
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={words('schedules.how')}
          value={how}
          options={HOW.map((one) => [one, words(`schedules.${one}.how`)])}
          onChange={({ target }) =>
            set({ how: target.value as How, when: EXAMPLES[target.value as How] })
          }
        />
        <Input
          label={words('schedules.when')}
          required
          value={when}
          onChange={({ target }) => set({ when: target.value })}
        />
      </div>
      {how === 'cron' && (
        <Input
          label={words('schedules.zone')}
          required
          value={zone}
          onChange={({ target }) => set({ zone: target.value })}
        />
      )}
      <Input
        label={words('schedules.agent')}
        placeholder="general"
        value={agent}
        onChange={({ target }) => set({ agent: target.value })}
      />
      <TextArea
        label={words('schedules.input')}
        required
        rows={4}
        value={input}
        onChange={({ target }) => set({ input: target.value })}
      />
    </>
  )
}
