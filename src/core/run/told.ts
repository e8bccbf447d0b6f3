/** Which facts of a run the tenant's webhook endpoints hear of. */

import type { RunFact } from './facts.ts'
import type { RunState } from './state.ts'

/**
 * Whether endpoints of the tenant are told of this. Ends of subagents they hear as
 * `subagent.announced` and `subagent.failed` of the parent.
 */
export const isTold = (
  state: Pick<RunState, 'watched' | 'spec'>,
  fact: Pick<RunFact, 'type'>,
): boolean =>
  state.watched.includes(fact.type) && !(state.spec?.parent && fact.type.startsWith('run.'))
