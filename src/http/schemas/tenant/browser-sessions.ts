/** Browser sessions, and the links that create one; the secret of a session is in its cookie. */

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
      z.strictObject({ token: secret().describe('The part of a sign-in link after `#t=`') }),
      z.strictObject({ key: secret().describe('An API key') }),
    ],
    { error: 'Either `token`, the part of a sign-in link after `#t=`, or `key`, an API key.' },
  )
  .meta({
    id: 'BrowserSessionInput',
    description: 'The credential to exchange for a browser session',
    examples: SIGN_INS,
  })

export const BrowserSession = z
  .strictObject({
    id: idOf('brs', 'The browser session'),
    object: kindIs('browser_session'),
    key_id: text('The API key that created it, and with which it ends'),
    key_name: textOrNull('Name of that key; null: none'),
    scopes: z.array(z.string()).describe('Its scopes, according to its key'),
    current: z.boolean().describe('Whether it is the session of this request'),
    created_at: time('Time of the sign-in'),
    expires_at: time('Expiry'),
  })
  .meta({
    id: 'BrowserSession',
    description: 'A browser that is signed in',
    examples: BROWSER_SESSIONS,
  })

export const SignInLinkInput = z
  .strictObject({
    scopes: z
      .array(GrantText)
      .min(1)
      .max(50)
      .optional()
      .describe('At most those of the key that creates the link; omitted: all of them'),
    expires_in: z
      .int()
      .min(10)
      .max(LIMITS.sign_in_link_seconds)
      .default(LIMITS.sign_in_link_seconds)
      .describe('Seconds'),
  })
  .meta({
    id: 'SignInLinkInput',
    description: 'A sign-in link to create',
    examples: SIGN_IN_LINK_INPUTS,
  })

export const SignInLink = z
  .strictObject({
    object: kindIs('sign_in_link'),
    url: text('Opens the console and signs in one browser, once'),
    expires_at: time('Expiry of the link'),
  })
  .meta({
    id: 'SignInLink',
    description: 'A created sign-in link, shown once',
    examples: SIGN_IN_LINKS,
  })
