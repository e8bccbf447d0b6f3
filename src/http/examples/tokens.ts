/** A page that follows the run of the story. */

import { named } from '../../lib/id.ts'
import { at, RUN } from './story.ts'

export const TOKEN_INPUTS = [{ for: RUN, actions: ['read', 'stream'], expires_in_seconds: 600 }]
export const TOKENS = [
  {
    id: named('tok', 'page'),
    object: 'token',
    token: 'strata_token_v1.…',
    for: RUN,
    actions: ['read', 'stream'],
    expires_at: at('08:30:00.000'),
  },
] as const
