/**
 * Form generated from an object's JSON Schema, with one field per member. Members without a
 * suitable field type are edited as JSON; members that the schema does not name are kept.
 */

import { useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Checkbox, Input, Select, TextArea } from './field.tsx'

type Values = Readonly<Record<string, unknown>>

interface Member {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
}

export interface ObjectSchema {
  readonly properties: Readonly<Record<string, Member>>
  readonly required?: readonly string[]
}

/** Returns an object schema, or undefined if the schema has no members. */
export function objectSchema(schema: unknown): ObjectSchema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { properties } = schema as Partial<ObjectSchema>
  const isObject = typeof properties === 'object' && properties !== null
  return isObject && Object.keys(properties).length > 0 ? (schema as ObjectSchema) : undefined
}

interface Props {
  readonly schema: ObjectSchema
  readonly values: Values
  /** Called with the form's values, or with undefined while a field is invalid. */
  readonly onValues: (values: Values | undefined) => void
}

export function SchemaForm({ schema, values, onValues }: Props) {
  const { properties, required = [] } = schema
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState(values)
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])]
  const set = (name: string, value: unknown, fits: boolean): void => {
    const otherEntries = Object.entries(current).filter(([key]) => key !== name)
    const next = Object.fromEntries(
      value === undefined ? otherEntries : [...otherEntries, [name, value]],
    )
    const bad = new Set(wrong)
    if (fits) bad.delete(name)
    else bad.add(name)
    setCurrent(next)
    setWrong(bad)
    onValues(bad.size === 0 ? next : undefined)
  }
  return (
    <div className="grid gap-3">
      {names.map((name) => (
        <Field
          key={name}
          name={name}
          member={properties[name] ?? {}}
          isRequired={required.includes(name)}
          value={current[name]}
          onValue={(value, fits = true) => set(name, value, fits)}
        />
      ))}
    </div>
  )
}

interface FieldProps {
  readonly name: string
  readonly member: Member
  readonly isRequired: boolean
  readonly value: unknown
  readonly onValue: (value: unknown, fits?: boolean) => void
}

const LONG = 60

function Field(props: FieldProps) {
  const { name, member, isRequired, value, onValue } = props
  const label = isRequired ? `${name} *` : name
  const hint = member.description
  if (member.enum?.every((option) => typeof option === 'string')) {
    const options = [...(isRequired ? [] : ['']), ...(member.enum as readonly string[])]
    return (
      <Select
        label={label}
        hint={hint}
        options={options.map((option) => [option, option] as const)}
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => onValue(target.value === '' ? undefined : target.value)}
      />
    )
  }
  if (member.type === 'boolean' && (value === undefined || typeof value === 'boolean')) {
    return (
      <Checkbox
        label={label}
        checked={value === true}
        onChange={({ target }) => onValue(target.checked)}
      />
    )
  }
  if (member.type === 'string' && (value === undefined || typeof value === 'string')) {
    const text = value ?? ''
    const change = (next: string) => onValue(next === '' && !isRequired ? undefined : next)
    return text.length > LONG || text.includes('\n') || name === 'content' ? (
      <TextArea
        {...{ label, hint, value: text, spellCheck: false }}
        rows={Math.min(12, text.split('\n').length + 1)}
        onChange={({ target }) => change(target.value)}
      />
    ) : (
      <Input
        {...{ label, hint, value: text, spellCheck: false }}
        onChange={({ target }) => change(target.value)}
      />
    )
  }
  return <JsonField {...props} />
}

const isNumber = ({ type }: Member): boolean => type === 'number' || type === 'integer'

/** Field that edits a number, a list, or an object as JSON. */
function JsonField({ name, member, isRequired, value, onValue }: FieldProps) {
  const words = useWords()
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const read = readAs(text, member)
  const shared = {
    label: isRequired ? `${name} *` : name,
    hint: member.description,
    wrong: read.fits ? undefined : words(isNumber(member) ? 'form.number' : 'form.json'),
    value: text,
    spellCheck: false,
    className: 'font-mono',
  }
  const change = (next: string): void => {
    setText(next)
    const { value, fits } = readAs(next, member)
    onValue(value, fits)
  }
  return isNumber(member) ? (
    <Input {...shared} inputMode="decimal" onChange={({ target }) => change(target.value)} />
  ) : (
    <TextArea
      {...shared}
      rows={Math.min(10, text.split('\n').length + 1)}
      onChange={({ target }) => change(target.value)}
    />
  )
}

function readAs(text: string, member: Member): { readonly value: unknown; readonly fits: boolean } {
  if (text.trim() === '') return { value: undefined, fits: true }
  try {
    const value: unknown = JSON.parse(text)
    const fits =
      !isNumber(member) ||
      (member.type === 'integer' ? Number.isInteger(value) : typeof value === 'number')
    return { value, fits }
  } catch {
    return { value: undefined, fits: false }
  }
}
