/** Fields for the layers whose configuration is shown, with the names that exist. */

import { useId, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { INPUT } from '../kit/field.tsx'
import { Plain } from '../text/text.tsx'
import { type Choice, summaryOf } from './state.ts'
import { useLayerOptions } from './use-effective.ts'

interface Props {
  readonly choice: Choice
  readonly onChange: (change: { readonly [K in keyof Choice]?: string }) => void
}

const FIELDS = ['role', 'repo', 'base'] as const

/** Fields in a row on wide pages, and in a dialog on narrow pages. */
export function ChoiceFields(props: Props) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const { choice } = props
  const summary = summaryOf(choice)
  return (
    <>
      <div className="hidden flex-wrap items-center gap-x-4 gap-y-2 md:flex">
        <Fields {...props} />
      </div>
      <div className="min-w-0 md:hidden">
        <Button className="max-w-full" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <span className="truncate">
            {words('effective.for')}{' '}
            <Plain text={summary === '' ? words('effective.for.base') : summary} />
          </span>
        </Button>
      </div>
      <Dialog title={words('effective.choice')} open={isOpen} onClose={() => setOpen(false)}>
        <div className="grid gap-4">
          <Fields {...props} isStacked />
        </div>
      </Dialog>
    </>
  )
}

export function Fields({
  choice,
  onChange,
  isStacked = false,
}: Props & { readonly isStacked?: boolean }) {
  const words = useWords()
  const { hasMore, ...options } = useLayerOptions()
  return (
    <>
      {FIELDS.map((field) => (
        <Field
          // Another value of the address replaces the text of the field.
          key={`${field} ${choice[field]}`}
          label={words(`effective.${field}`)}
          placeholder={words(`effective.${field}.none`)}
          value={choice[field] ?? ''}
          options={options[field]}
          isStacked={isStacked}
          onChange={(value) => onChange({ [field]: value })}
        />
      ))}
      {hasMore && <p className="text-xs text-text-3">{words('effective.layers.more')}</p>}
    </>
  )
}

interface FieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly options: readonly string[]
  readonly isStacked: boolean
  readonly onChange: (value: string) => void
}

function Field({ label, placeholder, value, options, isStacked, onChange }: FieldProps) {
  const id = useId()
  const [draft, setDraft] = useState(value)
  const apply = (text: string): void => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <div className={isStacked ? 'grid gap-1' : 'flex items-center gap-2'}>
      <label
        htmlFor={id}
        className={isStacked ? 'text-sm font-medium' : 'text-xs whitespace-nowrap text-text-2'}
      >
        {label}
      </label>
      <input
        id={id}
        list={`${id}-options`}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={draft}
        onChange={({ target, nativeEvent }) => {
          setDraft(target.value)
          // A chosen suggestion needs no further key.
          const isChosen = !(nativeEvent instanceof InputEvent) || isReplacement(nativeEvent)
          if (isChosen && options.includes(target.value)) apply(target.value)
        }}
        onBlur={() => apply(draft)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') apply(draft)
          if (event.key !== 'Escape' || isStacked) return
          // The page would close the open entry.
          event.preventDefault()
          event.currentTarget.blur()
        }}
        className={`${INPUT} ${isStacked ? 'w-full' : 'w-40'}`}
      />
      <datalist id={`${id}-options`}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </div>
  )
}

const isReplacement = ({ inputType }: InputEvent): boolean => inputType === 'insertReplacementText'
