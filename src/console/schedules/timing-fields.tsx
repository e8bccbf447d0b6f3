/** Fields that decide when a schedule is due, with the slots that the server computes for them. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, ProblemError, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Input, Select } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { useSettled } from '../shell/settled-text.ts'
import type { FieldProps } from './run-fields.tsx'
import { fieldErrors, previewOf, TIMINGS, type Timing } from './state.ts'
import { browserZone, Findings, Slots } from './when.tsx'

const MOST_SLOTS = 5

type Preview = Schemas['SchedulePreviewInput']

export function TimingFields({ draft, onChange }: FieldProps) {
  const words = useWords()
  const timing = JSON.stringify(previewOf(draft) ?? null)
  const settled = useSettled(timing)
  const { data, error } = useQuery({
    queryKey: ['schedules', 'preview', settled],
    queryFn: ({ signal }) => {
      const body = { ...(JSON.parse(settled) as Preview), count: MOST_SLOTS }
      return api.schedules.preview(body, { signal })
    },
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
  })
  const errors = error instanceof ProblemError ? error.errors : []
  // An error belongs to the text that was previewed, not to one that is being typed.
  const wrong = settled === timing ? fieldErrors(errors) : {}
  const isAtField = Object.keys(wrong).length > 0
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">{words('schedules.when')}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label={words('schedules.timing')}
          value={draft.timing}
          options={TIMINGS.map((name) => [name, words(`schedules.timing.${name}`)])}
          onChange={({ target }) => onChange({ timing: target.value as Timing })}
        />
        <When {...{ draft, onChange }} wrong={wrong.when} />
      </div>
      {draft.timing === 'cron' && <Zone {...{ draft, onChange }} wrong={wrong.timezone} />}
      <section
        aria-label={words('schedules.preview')}
        aria-live="polite"
        className="grid gap-1 rounded-lg border border-line px-3 py-2"
      >
        <h3 className="text-sm font-medium">{words('schedules.preview')}</h3>
        {error && !isAtField && settled === timing && <Problem error={error} />}
        {error || settled === 'null' || !data ? (
          <p className="text-xs text-text-2">{words('schedules.preview.none')}</p>
        ) : (
          <>
            <Slots slots={data.upcoming} zone={data.timezone} />
            <Findings of={data.findings} />
          </>
        )}
      </section>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Input
          label={words('schedules.ends')}
          hint={words('schedules.zone.browser', { zone: browserZone() })}
          type="datetime-local"
          value={draft.ends_at}
          wrong={wrong.ends_at}
          onChange={({ target }) => onChange({ ends_at: target.value })}
        />
        <Input
          label={words('schedules.jitter')}
          hint={words('schedules.jitter.hint')}
          type="number"
          min={0}
          max={3_600}
          value={draft.jitter_seconds}
          wrong={wrong.jitter_seconds}
          onChange={({ target }) => onChange({ jitter_seconds: target.value })}
        />
      </div>
    </fieldset>
  )
}

interface WrongProps extends FieldProps {
  readonly wrong: string | undefined
}

function When({ draft, onChange, wrong }: WrongProps) {
  const words = useWords()
  const { timing } = draft
  return (
    <Input
      label={words(`schedules.field.${timing}`)}
      hint={
        timing === 'at'
          ? words('schedules.zone.browser', { zone: browserZone() })
          : words(`schedules.field.${timing}.hint`)
      }
      required
      spellCheck={false}
      autoComplete="off"
      {...(timing === 'at' ? { type: 'datetime-local' } : { className: 'font-mono' })}
      value={draft[timing]}
      wrong={wrong}
      onChange={({ target }) => onChange({ [timing]: target.value })}
    />
  )
}

function Zone({ draft, onChange, wrong }: WrongProps) {
  const words = useWords()
  return (
    <>
      <Input
        label={words('schedules.zone')}
        hint={words('schedules.zone.hint')}
        list="zones"
        spellCheck={false}
        autoComplete="off"
        value={draft.timezone}
        wrong={wrong}
        onChange={({ target }) => onChange({ timezone: target.value })}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
