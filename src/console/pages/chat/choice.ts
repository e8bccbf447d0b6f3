/** Agent, role, repository and model: as they were chosen, else as the last turn had them. */

import { useState } from 'react'
import type { Choice } from '../../chat/draft.ts'
import type { Run } from '../../chat/turns.ts'

const kept = (name: string): string => `strata.choice.${name}`

function read(name: string): Choice | undefined {
  const text =
    sessionStorage.getItem(kept(name)) ?? (name === 'new' ? localStorage.getItem(kept(name)) : null)
  try {
    return text === null ? undefined : (JSON.parse(text) as Choice)
  } catch {
    return undefined
  }
}

export function keepChoice(name: string, choice: Choice): void {
  sessionStorage.setItem(kept(name), JSON.stringify(choice))
  // The next new conversation begins with what the last one had.
  localStorage.setItem(kept('new'), JSON.stringify(choice))
}

export function useChoice(name: string, last?: Run) {
  const [chosen, setChosen] = useState(() => read(name))
  const given = (['agent', 'role', 'repo_dir'] as const).flatMap((key) =>
    last?.[key] ? [[key, last[key]] as const] : [],
  )
  const choice: Choice = chosen ?? Object.fromEntries(given)
  const choose = (next: Choice): void => {
    keepChoice(name, next)
    setChosen(next)
  }
  return [choice, choose] as const
}
