/** Schemas of created tokens: each token's subject, and its text, which is shown once. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { SCOPES } from '../../../core/scopes.ts'
import { TOKEN_INPUTS, TOKENS } from '../shared/examples.ts'
import { idOf, kindIs, PATH_ID, text, time } from '../shared/words.ts'

const id = (words: string) => z.string().min(1).max(100).describe(words)

const TokenFor = z
  .union(
    [
      z.strictObject({ run: id(`${PATH_ID.run}, including all its descendants`) }),
      z.strictObject({
        session: id(
          `${PATH_ID.session}, including the session's runs and all of their descendants`,
        ),
      }),
      z.strictObject({
        fanout: id(`${PATH_ID.fanout}, including the fan-out's runs and all of their descendants`),
      }),
      z.strictObject({ approval: id(PATH_ID.approval) }),
      z.strictObject({
        tenant: z
          .literal(true)
          .describe(
            'Whether the token covers the whole tenant, read-only: only GET requests and read ' +
              'scopes',
          ),
      }),
    ],
    {
      error:
        'The subject must be one of run, session, fanout, or approval with an ID, or tenant ' +
        'with true.',
    },
  )
  .describe('Subject of the token; the token grants access to nothing else')

export const TokenInput = z
  .strictObject({
    for: TokenFor,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(50)
      .describe(
        "The token's scopes, limited to the key's scopes. Runs and fan-outs allow run and " +
          'approval scopes. Sessions also allow session scopes. Approvals allow only approval ' +
          'scopes. The tenant allows only scopes that end with `:read`',
      ),
    expires_in: z
      .int()
      .min(60)
      .max(LIMITS.token_seconds)
      .default(900)
      .describe(
        "Lifetime in seconds, by the server's clock; the token expires earlier if the key " +
          'becomes invalid',
      ),
  })
  .meta({ id: 'TokenInput', description: 'A token to create', examples: TOKEN_INPUTS })
export type TokenInput = z.output<typeof TokenInput>

export const Token = z
  .strictObject({
    id: idOf('tok', 'ID of the token, as in the audit log'),
    object: kindIs('token'),
    token: text('Token text, to send in place of an API key; returned only once and never stored'),
    for: TokenFor,
    scopes: z
      .array(z.string())
      .describe("The token's scopes; scopes that the key no longer has have no effect"),
    expires_at: time("Expiration time, no later than the key's expiration"),
  })
  .meta({ id: 'Token', description: 'The new token', examples: TOKENS })
