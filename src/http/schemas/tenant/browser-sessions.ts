/**
 * Schemas of browser sessions and of the links that create sessions; a session's secret is in its
 * cookie.
 */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import {
  BROWSER_SESSIONS,
  SIGN_IN_LINK_INPUTS,
  SIGN_IN_LINKS,
  SIGN_INS,
} from '../shared/examples.ts'
import { GrantText, idOf, kindIs, text, textOrNull, time } from '../shared/words.ts'

const secret = () => z.string().min(1).max(200)

export const SignIn = z
  .union(
    [
      z.strictObject({ token: secret().describe('Part of a sign-in link after `#t=`') }),
      z.strictObject({ key: secret().describe('API key') }),
    ],
    {
      error:
        'Must be either `token`, the part of a sign-in link after `#t=`, or `key`, an API ' +
        'key.',
    },
  )
  .meta({
    id: 'BrowserSessionInput',
    description: 'Credential to exchange for a browser session',
    examples: SIGN_INS,
  })

export const BrowserSession = z
  .strictObject({
    id: idOf('brs', 'ID of the browser session'),
    object: kindIs('browser_session'),
    key_id: text(
      'ID of the API key that created the session; the session ends when this key becomes ' +
        'invalid',
    ),
    key_name: textOrNull('Name of the API key; `null` if the key has no name'),
    scopes: z.array(z.string()).describe("The session's scopes, derived from the API key"),
    current: z.boolean().describe('Whether this is the session of the current request'),
    created_at: time('Time of the sign-in'),
    expires_at: time('Expiration time'),
  })
  .meta({
    id: 'BrowserSession',
    description: 'A signed-in browser',
    examples: BROWSER_SESSIONS,
  })

export const SignInLinkInput = z
  .strictObject({
    scopes: z
      .array(GrantText)
      .min(1)
      .max(50)
      .optional()
      .describe(
        "The session's scopes, limited to the scopes of the key that creates the link; if " +
          "omitted, all of that key's scopes",
      ),
    expires_in: z
      .int()
      .min(10)
      .max(LIMITS.sign_in_link_seconds)
      .default(LIMITS.sign_in_link_seconds)
      .describe('Lifetime in seconds'),
  })
  .meta({
    id: 'SignInLinkInput',
    description: 'A sign-in link to create',
    examples: SIGN_IN_LINK_INPUTS,
  })

export const SignInLink = z
  .strictObject({
    object: kindIs('sign_in_link'),
    url: text('URL that opens the console and signs in one browser; can be used only once'),
    expires_at: time('Expiry time of the link'),
  })
  .meta({
    id: 'SignInLink',
    description: 'The new sign-in link; returned only once',
    examples: SIGN_IN_LINKS,
  })
