/**
 * Agent, role, repository, and model of the next turn: the user's choice, or else the values of the
 * last turn.
 */

import { useState } from 'react'
import { NEW } from '../data/draft.ts'
import type { Run } from '../transcript/turns.ts'

export interface Choice {
  readonly agent?: string
  readonly role?: string
  readonly repo_dir?: string
  readonly model?: string
}

const keyOf = (draft: string): string => `strata.choice.${draft}`

function read(draft: string): Choice | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(draft))
    return text === null ? undefined : (JSON.parse(text) as Choice)
  } catch {
    return undefined
  }
}

/** Stores the choice with which the next new conversation starts. */
export function keepChoice(draft: string, choice: Choice): void {
  sessionStorage.setItem(keyOf(draft), JSON.stringify(choice))
  sessionStorage.setItem(keyOf(NEW), JSON.stringify(choice))
}

export function useChoice(draft: string, last?: Run) {
  const [selection, setChosen] = useState(() => read(draft))
  const fields = (['agent', 'role', 'repo_dir'] as const).flatMap((key) =>
    last?.[key] ? [[key, last[key]] as const] : [],
  )
  const choice: Choice = selection ?? Object.fromEntries(fields)
  const choose = (next: Choice): void => {
    keepChoice(draft, next)
    setChosen(next)
  }
  return [choice, choose] as const
}
