/** Health of an endpoint, as an icon and a word. */

import { useWords } from '../i18n/words.ts'
import { type State, Status } from '../kit/status.tsx'
import { type Endpoint, type Health, healthOf } from './endpoint-state.ts'

const STATES = {
  ...({ enabled: 'completed', failing: 'failed', paused: 'waiting' } as const),
  disabled: 'timed_out',
} as const satisfies Record<Health, State>

export function EndpointHealth({ endpoint }: { readonly endpoint: Endpoint }) {
  const words = useWords()
  const health = healthOf(endpoint)
  return <Status state={STATES[health]} text={words(`webhooks.health.${health}`)} />
}
