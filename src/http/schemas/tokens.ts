/** Short-lived tokens as they are made; the text of one is in the answer that made it alone. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { TOKEN_ACTIONS } from '../../core/token.ts'
import { TOKEN_INPUTS, TOKENS } from '../examples/tokens.ts'
import { idOf, kindIs, text, time } from './words.ts'

const actions = z.array(z.enum(TOKEN_ACTIONS))

export const TokenInput = z
  .strictObject({
    for: z
      .string()
      .max(100)
      .describe('The id of a run, a session or an approval; a session comes with its runs'),
    actions: actions
      .min(1)
      .max(3)
      .describe(
        'Runs and sessions: `read`, and `stream` for server-sent events. Approvals: `read`, `decide`',
      ),
    expires_in_seconds: z
      .int()
      .min(1)
      .max(LIMITS.token_seconds)
      .default(900)
      .describe('It counts for so long, unless the key that makes it ends before'),
  })
  .meta({ id: 'TokenInput', description: 'A token to be made', examples: TOKEN_INPUTS })

export const Token = z
  .strictObject({
    id: idOf('tok', 'By this name the audit has what was done with it'),
    object: kindIs('token'),
    token: text('Its text, in place of an API key: shown once and stored nowhere'),
    for: text('The run, session or approval that it is for'),
    actions: actions.describe('All that it allows'),
    expires_at: time('From then on it is refused'),
  })
  .meta({ id: 'Token', description: 'A token that was just made', examples: TOKENS })
