/** Further fields of the form of a schedule: the run's settings, and late or overlapping slots. */

import { useWords } from '../i18n/words.ts'
import { Input, Select } from '../kit/field.tsx'
import { CATCH_UPS, type Draft, OVERLAPS, RUN_FIELDS } from './state.ts'

export interface FieldProps {
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
}

export function RunFields({ draft, onChange }: FieldProps) {
  const words = useWords()
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">{words('schedules.further')}</summary>
      <div className="grid items-start gap-4 pt-3 sm:grid-cols-2">
        {RUN_FIELDS.map((name) => (
          <Input
            key={name}
            label={words(`webhooks.run.${name}`)}
            spellCheck={false}
            value={draft[name]}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
        <Select
          label={words('schedules.overlap')}
          value={draft.overlap}
          options={OVERLAPS.map((name) => [name, words(`schedules.overlap.${name}`)])}
          onChange={({ target }) => onChange({ overlap: target.value })}
        />
        <Select
          label={words('schedules.catch_up')}
          value={draft.catch_up}
          options={CATCH_UPS.map((name) => [name, words(`schedules.catch_up.${name}`)])}
          onChange={({ target }) => onChange({ catch_up: target.value })}
        />
      </div>
    </details>
  )
}
