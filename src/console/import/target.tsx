/** Target of an import: the layer, and whether files are classified by content. */

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Checkbox, Input } from '../kit/field.tsx'
import { Inline } from '../text/text.tsx'
import { type ImportSearch, LAYER } from './state.ts'

interface Props {
  readonly search: ImportSearch
  readonly isDisabled: boolean
  /** Receives whether the field differs from the layer of the plan. */
  readonly onEdit: (isEdited: boolean) => void
}

export function Target({ search: { from, layer = 'base/', loose }, isDisabled, onEdit }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const [text, setText] = useState(layer)
  const prefix = `${text.trim().replace(/\/+$/, '')}/`
  const isValid = LAYER.test(prefix)
  const become = (next: ImportSearch): void =>
    void navigate({
      to: '/layers/import',
      search: {
        ...(from && { from }),
        layer: next.layer ?? layer,
        ...(next.loose && { loose: true }),
      },
      replace: true,
    })
  return (
    <fieldset disabled={isDisabled} className="grid gap-3">
      <div className="max-w-md">
        <Input
          label={words('import.layer')}
          hint={<Inline text={words('import.layer.hint')} />}
          wrong={isValid ? undefined : words('import.layer.wrong')}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            onEdit(target.value !== layer)
          }}
          onBlur={() => isValid && become({ layer: prefix, ...(loose && { loose }) })}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && isValid) become({ layer: prefix, ...(loose && { loose }) })
          }}
        />
      </div>
      <Checkbox
        label={words('import.loose')}
        checked={loose === true}
        onChange={({ target }) => become({ layer, ...(target.checked && { loose: true }) })}
      />
    </fieldset>
  )
}
