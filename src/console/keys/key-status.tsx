/** State of a key, and the mark of the key to which this session belongs. */

import { useSession } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { type State, Status } from '../kit/status.tsx'
import { type Key, type KeyState, stateOf } from './state.ts'

const STATES = {
  ...({ active: 'completed', ending: 'waiting', expired: 'timed_out' } as const),
} as const satisfies Record<KeyState, State>

/** Returns whether the session of this browser belongs to the key. */
export const useIsOwn = (id: string): boolean => useSession().session?.key_id === id

export function KeyStatus({ apiKey }: { readonly apiKey: Key }) {
  const words = useWords()
  const isOwn = useIsOwn(apiKey.id)
  const state = stateOf(apiKey)
  return (
    <span className="flex items-center gap-2">
      {isOwn && (
        <span className="rounded bg-selected px-1.5 text-xs whitespace-nowrap">
          {words('keys.own')}
        </span>
      )}
      <Status state={STATES[state]} text={words(`keys.state.${state}`)} />
    </span>
  )
}
