/** Tokens as they are made: what each is for, and its text, which is shown once. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { SCOPES } from '../../../core/scopes.ts'
import { TOKEN_INPUTS, TOKENS } from '../shared/examples.ts'
import { idOf, kindIs, PATH_ID, text, time } from '../shared/words.ts'

const id = (words: string) => z.string().min(1).max(100).describe(words)

const TokenFor = z
  .union(
    [
      z.strictObject({ run: id(`${PATH_ID.run}, with everything below the run`) }),
      z.strictObject({
        session: id(`${PATH_ID.session}, with its runs and everything below them`),
      }),
      z.strictObject({ fanout: id(`${PATH_ID.fanout}, with its runs and everything below them`) }),
      z.strictObject({ approval: id(PATH_ID.approval) }),
      z.strictObject({
        tenant: z
          .literal(true)
          .describe('The whole tenant, read-only: only GET, and only scopes for reading'),
      }),
    ],
    { error: 'One of run, session, fanout, or approval with an ID, or tenant with true.' },
  )
  .describe('The subject of the token; nothing else exists for it')

export const TokenInput = z
  .strictObject({
    for: TokenFor,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(50)
      .describe(
        'At most those of the key. Runs and fan-outs: scopes of runs and approvals; sessions: ' +
          'also of sessions; approvals: of approvals; the tenant: scopes that end with `:read`',
      ),
    expires_in: z
      .int()
      .min(60)
      .max(LIMITS.token_seconds)
      .default(900)
      .describe(
        'Seconds until it expires, by the clock of the server; it ends earlier with its key',
      ),
  })
  .meta({ id: 'TokenInput', description: 'A token to create', examples: TOKEN_INPUTS })
export type TokenInput = z.output<typeof TokenInput>

export const Token = z
  .strictObject({
    id: idOf('tok', 'ID of the token, as in the audit log'),
    object: kindIs('token'),
    token: text('Text of the token, sent in place of an API key; shown once and never stored'),
    for: TokenFor,
    scopes: z
      .array(z.string())
      .describe('Its scopes; those that its key no longer holds have no effect'),
    expires_at: time('Expiry; not after that of its key'),
  })
  .meta({ id: 'Token', description: 'A created token', examples: TOKENS })
