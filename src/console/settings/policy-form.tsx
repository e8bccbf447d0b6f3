/** Fields of the policy. */

import { type ReactNode, useState } from 'react'
import { useWords, type Word } from '../i18n/words.ts'
import { Checkbox, Input, Select, TextArea } from '../kit/field.tsx'
import {
  CHOICES,
  type ChoiceName,
  type Draft,
  LISTS,
  type ListName,
  linesOf,
  listOf,
  type Members,
  SWITCHES,
  type SwitchName,
  valueAt,
  type Wrong,
  withValue,
} from './policy-state.ts'

interface Props {
  readonly draft: Draft
  /** Policy of the draft, or why it is not one. */
  readonly edited: Members | Wrong
  readonly isReadOnly: boolean
  readonly onChange: (draft: Draft) => void
}

export function PolicyForm(props: Props) {
  const words = useWords()
  const { draft, edited, isReadOnly, onChange } = props
  return (
    <>
      <Part title={words('settings.policy.deny')}>
        {LISTS.slice(0, 3).map((name) => (
          <List key={name} {...props} name={name} />
        ))}
      </Part>
      <Part title={words('settings.policy.layers')}>
        {(['on_duplicate', 'on_missing_tools', 'on_invalid_role'] as const).map((name) => (
          <Choice key={name} {...props} name={name} />
        ))}
        <Switch {...props} name={SWITCHES[0]} />
      </Part>
      <Part title={words('settings.policy.memory')}>
        <Choice {...props} name="memory.scope" />
        <Switch {...props} name={SWITCHES[1]} />
      </Part>
      <Part title={words('settings.policy.web')}>
        {LISTS.slice(3).map((name) => (
          <List key={name} {...props} name={name} />
        ))}
        <Choice {...props} name="web.robots" />
      </Part>
      <Part title={words('settings.policy.models')}>
        <Input
          label={words('settings.policy.patience')}
          hint={words('settings.policy.patience.hint')}
          wrong={edited === 'patience' ? words('settings.policy.patience.wrong') : undefined}
          inputMode="numeric"
          disabled={isReadOnly}
          value={draft.patience}
          onChange={({ target }) => onChange({ ...draft, patience: target.value })}
        />
      </Part>
      <Part title={words('settings.policy.json')}>
        <TextArea
          label={words('settings.policy.json.label')}
          hint={words('settings.policy.json.hint')}
          wrong={
            edited === 'json' || edited === 'members'
              ? words(`settings.policy.wrong.${edited}`)
              : undefined
          }
          rows={14}
          spellCheck={false}
          readOnly={isReadOnly}
          className="font-mono text-xs"
          value={draft.json}
          onChange={({ target }) => onChange({ ...draft, json: target.value })}
        />
      </Part>
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

function Part({ title, children }: PartProps) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="pb-2 font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}

/** Returns the name of a member, with the name of the API as a hint. */
const wordOf = (name: ListName | ChoiceName | SwitchName): Word => `settings.policy.${name}`

function List({ draft, isReadOnly, onChange, name }: Props & { readonly name: ListName }) {
  const words = useWords()
  const { fields } = draft
  const lines = linesOf(valueAt(fields, name))
  // A list in the state has no blank lines, which an editor types between entries.
  const [text, setText] = useState(lines)
  return (
    <TextArea
      label={words(wordOf(name))}
      hint={words(
        name.startsWith('web.') ? 'settings.policy.domains.hint' : 'settings.policy.list.hint',
      )}
      rows={2}
      spellCheck={false}
      readOnly={isReadOnly}
      className="field-sizing-content font-mono text-xs"
      value={linesOf(listOf(text)) === lines ? text : lines}
      onChange={({ target }) => {
        setText(target.value)
        onChange({ ...draft, fields: withValue(fields, name, listOf(target.value)) })
      }}
    />
  )
}

function Choice({ draft, isReadOnly, onChange, name }: Props & { readonly name: ChoiceName }) {
  const words = useWords()
  const { fields } = draft
  const options: readonly string[] = CHOICES[name]
  return (
    <Select
      label={words(wordOf(name))}
      disabled={isReadOnly}
      value={String(valueAt(fields, name) ?? '')}
      options={options.map((value) => [
        value,
        words(`settings.policy.${name}.${value === '' ? 'none' : value}` as Word),
      ])}
      onChange={({ target }) =>
        onChange({
          ...draft,
          fields: withValue(fields, name, target.value === '' ? null : target.value),
        })
      }
    />
  )
}

function Switch({ draft, isReadOnly, onChange, name }: Props & { readonly name: SwitchName }) {
  const words = useWords()
  const { fields } = draft
  return (
    <Checkbox
      label={words(wordOf(name))}
      disabled={isReadOnly}
      checked={valueAt(fields, name) === true}
      onChange={({ target }) =>
        onChange({ ...draft, fields: withValue(fields, name, target.checked) })
      }
    />
  )
}
