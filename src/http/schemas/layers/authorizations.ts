/** Authorizations of MCP servers by OAuth. */

import * as z from 'zod'
import { FORGOTTEN_AUTHORIZATIONS, LINKS } from '../shared/examples.ts'
import { text, time, timeOrNull } from '../shared/words.ts'

export const AuthorizationLink = z
  .strictObject({
    name: text('The server'),
    url: text('A person opens it and consents or refuses'),
    expires_at: time('Expiry of the link'),
    redirect_uri: text('Redirect URI of the browser; the client must be registered with it'),
  })
  .meta({
    id: 'AuthorizationLink',
    description: 'An authorization link for a person',
    examples: LINKS,
  })

export const ForgottenAuthorization = z
  .strictObject({
    name: text('The server'),
    forgotten: z.boolean().describe('Whether an authorization existed'),
    revoked: z.boolean().describe('Whether the authorization server revoked the token'),
  })
  .meta({
    id: 'ForgottenAuthorization',
    description: 'Result of deleting an authorization',
    examples: FORGOTTEN_AUTHORIZATIONS,
  })

export const ServerAuthorization = z
  .strictObject({
    state: z
      .enum(['required', 'authorized', 'expired', 'refused'])
      .describe(
        '`required`, `expired`, `refused`: runs start without the server until it is ' +
          'authorized',
      ),
    expires_at: timeOrNull('Expiry of its token, which may be renewed', 'not known'),
  })
  .meta({ id: 'ServerAuthorization', description: 'State of OAuth at the server' })
