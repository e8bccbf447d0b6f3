/** Form fields, each with a label above and a hint or an error below. */

import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

export const INPUT =
  'min-h-8 rounded-md border border-control bg-canvas px-2.5 py-1 text-sm disabled:opacity-60 ' +
  'pointer-coarse:min-h-11 pointer-coarse:text-base'

interface Around {
  readonly label: string
  readonly hint?: ReactNode
  /** Error message of the field, as a sentence. */
  readonly wrong?: string | undefined
}

function Field({
  label,
  hint,
  wrong,
  id,
  children,
}: Around & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint && !wrong && (
        <p id={`${id}-hint`} className="text-xs text-text-2">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-hint`} role="alert" className="text-xs text-failed">
          {wrong}
        </p>
      )}
    </div>
  )
}

/** Returns the attributes of a text field and of its surrounding label. */
function useField<P extends Around & { readonly className?: string | undefined }>(props: P) {
  const { label, hint, wrong, className = '', ...attributes } = props
  const id = useId()
  const described = hint || wrong ? { 'aria-describedby': `${id}-hint` } : {}
  const invalid = wrong ? { 'aria-invalid': true } : {}
  const controlProps = {
    ...attributes,
    id,
    ...described,
    ...invalid,
    className: `${INPUT} w-full ${className}`,
  }
  return { own: controlProps, around: { label, hint, wrong, id } }
}

export function Input(props: Around & InputHTMLAttributes<HTMLInputElement>) {
  const { own: controlProps, around } = useField(props)
  return (
    <Field {...around}>
      <input {...controlProps} />
    </Field>
  )
}

export function TextArea(props: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { own: controlProps, around } = useField(props)
  return (
    <Field {...around}>
      <textarea {...controlProps} />
    </Field>
  )
}

/** Options of a select field, as `[value, label]` pairs. */
interface Choices {
  readonly options: readonly (readonly [string, string])[]
}

export function Select(props: Around & Choices & SelectHTMLAttributes<HTMLSelectElement>) {
  const { options, ...fieldProps } = props
  const { own: controlProps, around } = useField(fieldProps)
  return (
    <Field {...around}>
      <select {...controlProps}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function Checkbox(
  props: { readonly label: ReactNode } & InputHTMLAttributes<HTMLInputElement>,
) {
  const { label, ...attributes } = props
  return (
    <label className="flex items-center gap-2 text-sm">
      <input {...attributes} type="checkbox" className="size-4 accent-(--accent)" />
      {label}
    </label>
  )
}
