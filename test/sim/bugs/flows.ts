/** Planted bugs of the data-flow policy: text of strangers that is lost sight of. */

import { inside } from '../../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const FLOWS: readonly Bug[] = [
  bug(
    'flow: text of servers counts as trusted',
    inside('isUntrustedServer', '!denied(data_flow.trusted_servers, server)', 'false'),
  ),
  bug(
    'flow: a subagent begins clean',
    inside('childSpec', '...tainted(readBefore(parent, call)),', ''),
  ),
  bug('flow: what a subagent has read is not told', inside('announceOf', '...taintOf(state),', '')),
]
