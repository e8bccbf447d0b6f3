/** Dialog with all filters of the run list, for exact values and for narrow pages. */

import { type FormEvent, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Input, Select, TextArea } from '../kit/field.tsx'
import { localTime, momentOf } from '../text/local-time.ts'
import { wordOf } from './filter-words.ts'
import {
  type Filters,
  KINDS,
  listOf,
  metadataIn,
  metadataOf,
  type RANGES,
  STATUSES,
  toggled,
  WAITS,
} from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly onChange: (changes: Filters) => void
  readonly onClose: () => void
}

const TIMES = ['created[gte]', 'created[lt]'] as const

export default function FilterDialog({ filters, onChange, onClose }: Props) {
  const words = useWords()
  const [draft, setDraft] = useState<Filters>(filters)
  const pairs = metadataOf(filters).map((pair) => pair.join('='))
  const [metadata, setMetadata] = useState(pairs.join('\n'))
  const set = (changes: Filters): void => setDraft((draft) => ({ ...draft, ...changes }))
  const newPairs = metadataIn(metadata)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!newPairs) return
    const removed = metadataOf(filters).map(([key]) => [`metadata.${key}`, ''] as const)
    const { since = '', q: _, ...rest } = draft
    const members = Object.entries(rest).filter(([name]) => !name.startsWith('metadata.'))
    // Exact times have priority, because the dialog hides them while a range is selected.
    const times = since === '' ? {} : { since, 'created[gte]': '', 'created[lt]': '' }
    const changes = {
      since,
      ...Object.fromEntries([...members, ...removed]),
      ...newPairs,
      ...times,
    }
    onChange(changes)
    onClose()
  }
  return (
    <Dialog title={words('runs.filters')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Group name="status" values={STATUSES} {...{ draft, set }} />
        <Group name="waiting_on" values={WAITS} {...{ draft, set }} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={words('runs.filter.kind')}
            value={draft.kind ?? ''}
            options={[
              ['', words('runs.any')],
              ...KINDS.map((kind) => [kind, words(`runs.kind.${kind}`)] as const),
            ]}
            onChange={({ target }) => set({ kind: target.value })}
          />
          <Select
            label={words('runs.filter.since')}
            value={draft.since ?? ''}
            options={[
              ['', words('runs.any')],
              ...(['hour', 'day', 'week'] as const satisfies readonly (keyof typeof RANGES)[]).map(
                (range) => [range, words(`runs.since.${range}`)] as const,
              ),
            ]}
            onChange={({ target }) => set({ since: target.value })}
          />
          {!draft.since &&
            TIMES.map((name) => (
              <Input
                key={name}
                type="datetime-local"
                label={words(`runs.filter.${name}`)}
                defaultValue={localTime(draft[name])}
                onChange={({ target }) => set({ [name]: momentOf(target.value) })}
              />
            ))}
          {(['agent', 'model'] as const).map((name) => (
            <Input
              key={name}
              label={words(`runs.filter.${name}`)}
              maxLength={200}
              spellCheck={false}
              placeholder={name === 'model' ? 'provider/model' : ''}
              value={draft[name] ?? ''}
              onChange={({ target }) => set({ [name]: target.value })}
            />
          ))}
        </div>
        <TextArea
          label={words('runs.filter.metadata')}
          hint={words('runs.filter.metadata.hint')}
          wrong={newPairs ? undefined : words('runs.filter.metadata.wrong')}
          rows={2}
          spellCheck={false}
          value={metadata}
          onChange={({ target }) => setMetadata(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" disabled={!newPairs}>
            {words('runs.filters.apply')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface GroupProps {
  readonly name: 'status' | 'waiting_on'
  readonly values: readonly string[]
  readonly draft: Filters
  readonly set: (changes: Filters) => void
}

function Group({ name, values, draft, set }: GroupProps) {
  const words = useWords()
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 text-sm font-medium">{words(`runs.filter.${name}`)}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5 pointer-coarse:gap-y-4">
        {values.map((value) => {
          const word = wordOf(name, value)
          return (
            <Checkbox
              key={value}
              label={word ? words(word) : value}
              checked={listOf(draft[name]).includes(value)}
              onChange={() => set({ [name]: toggled(draft[name], value) })}
            />
          )
        })}
      </div>
    </fieldset>
  )
}
