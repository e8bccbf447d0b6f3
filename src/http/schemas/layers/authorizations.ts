/** Schemas of OAuth authorizations for MCP servers. */

import * as z from 'zod'
import { FORGOTTEN_AUTHORIZATIONS, LINKS } from '../shared/examples.ts'
import { text, time, timeOrNull } from '../shared/words.ts'

export const AuthorizationLink = z
  .strictObject({
    name: text('The server'),
    url: text('URL that a person opens to grant or deny consent'),
    expires_at: time('Expiry time of the link'),
    redirect_uri: text('Redirect URI for the browser; must be registered for the client'),
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
        'State of the authorization. With `required`, `expired`, and `refused`, runs start ' +
          'without the server until the server is authorized',
      ),
    expires_at: timeOrNull(
      'Expiry time of the token, which may be renewed',
      'the expiry time is not known',
    ),
  })
  .meta({ id: 'ServerAuthorization', description: "The server's OAuth state" })
