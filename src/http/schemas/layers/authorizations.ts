/** Authorizations of MCP servers by OAuth. */

import * as z from 'zod'
import { FORGOTTEN_AUTHORIZATIONS, LINKS } from '../shared/examples.ts'
import { text, time, timeOrNull } from '../shared/words.ts'

export const AuthorizationLink = z
  .strictObject({
    name: text('The server'),
    url: text('A person opens it and consents, or refuses'),
    expires_at: time('Until when its answer counts'),
    redirect_uri: text('Where the browser comes back to; the client must be registered with it'),
  })
  .meta({ id: 'AuthorizationLink', description: 'A link for a person', examples: LINKS })

export const ForgottenAuthorization = z
  .strictObject({
    name: text('The server'),
    forgotten: z.boolean().describe('Whether there was something to forget'),
    revoked: z.boolean().describe('Whether the authorization server has revoked the token, too'),
  })
  .meta({
    id: 'ForgottenAuthorization',
    description: 'The outcome of forgetting',
    examples: FORGOTTEN_AUTHORIZATIONS,
  })

export const ServerAuthorization = z
  .strictObject({
    state: z
      .enum(['required', 'authorized', 'expired', 'refused'])
      .describe(
        '`required`, `expired`, `refused`: runs do without the server until it is authorized',
      ),
    expires_at: timeOrNull('Until when its token holds, which may be renewed', 'not known'),
  })
  .meta({ id: 'ServerAuthorization', description: 'OAuth at the server' })
