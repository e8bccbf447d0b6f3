/** Unsaved changes of the policy, kept in the storage of the tab until they are saved. */

import { useState } from 'react'
import { type Draft, hasChanges, isDraft } from './policy-state.ts'

const KEY = 'strata.policy'

function storedDraft(): Draft | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the draft, and the function that changes it; undefined discards it. */
export function usePolicyDraft() {
  const [draft, setDraft] = useState(storedDraft)
  const keep = (next: Draft | undefined): void => {
    if (next && hasChanges(next)) sessionStorage.setItem(KEY, JSON.stringify(next))
    else sessionStorage.removeItem(KEY)
    setDraft(next)
  }
  return [draft, keep] as const
}
