/**
 * The text of a form that was not sent, in sessionStorage: leaving the page or closing the
 * dialog loses nothing. Secrets are never among it: a form keeps those to itself.
 */

import { useState } from 'react'
import { FORM_DRAFTS } from '../app/form-drafts.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'

export interface FormDraft<T> {
  readonly value: T
  readonly set: (part: Partial<T>) => void
  /** It was sent, or is not wanted. */
  readonly forget: () => void
  readonly isRestored: boolean
}

/** `fresh`: the form as it begins; only members of it are kept and restored. */
export function useFormDraft<T extends object>(name: string, fresh: T): FormDraft<T> {
  const key = FORM_DRAFTS + name
  const [value, become] = useState<T>(() => ({ ...fresh, ...keptIn(key, fresh) }))
  const [isRestored, setRestored] = useState(() => keptIn(key, fresh) !== undefined)
  const set = (part: Partial<T>): void => {
    const next = { ...value, ...part }
    become(next)
    try {
      sessionStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Full: it lives as long as the form, and an older state would be worse than none.
      sessionStorage.removeItem(key)
    }
  }
  const forget = (): void => {
    sessionStorage.removeItem(key)
    become(fresh)
    setRestored(false)
  }
  return { value, set, forget, isRestored }
}

/** Whether there is one. */
export const hasDraft = (name: string): boolean =>
  sessionStorage.getItem(FORM_DRAFTS + name) !== null

/** Others may have written there too: members that the form has, of its kinds. */
function keptIn<T extends object>(key: string, fresh: T): Partial<T> | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '') as Readonly<Record<string, unknown>>
    const known = Object.entries(fresh).filter(([name, was]) => typeof kept[name] === typeof was)
    const found = known.map(([name]) => [name, kept[name]] as const)
    const differs = known.some(([name, was]) => kept[name] !== was)
    return differs ? (Object.fromEntries(found) as Partial<T>) : undefined
  } catch {
    return undefined
  }
}

/** Says that a form is as it was left, and takes it back. */
export function Restored({ of }: { readonly of: FormDraft<never> | FormDraft<object> }) {
  const words = useWords()
  if (!of.isRestored) return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-3 text-xs text-muted">
      {words('draft.restored')}
      <Button onClick={of.forget}>{words('draft.anew')}</Button>
    </p>
  )
}
