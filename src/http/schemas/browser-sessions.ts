/** Browsers that are signed in to the console; the secret of one is in its cookie alone. */

import * as z from 'zod'
import { BROWSER_SESSIONS, SIGN_IN_LINKS, SIGN_INS } from '../examples/browser-sessions.ts'
import { idOf, kindIs, text, time } from './words.ts'

export const SignIn = z
  .strictObject({
    link: z
      .string()
      .max(200)
      .optional()
      .describe('The token of a link, in place of an API key: it counts once'),
  })
  .meta({
    id: 'BrowserSessionInput',
    description: 'With what a browser signs in: nothing beside an API key, or a link',
    examples: SIGN_INS,
  })

export const BrowserSession = z
  .strictObject({
    id: idOf('brs', 'The session of a browser; its secret is in the cookie alone'),
    object: kindIs('browser_session'),
    tenant: text('The tenant of its key'),
    key_id: text('The API key that it was made from, with which it ends'),
    scopes: z.array(z.string()).describe('All that it allows: those of its key, as they are now'),
    created_at: time('When the browser signed in'),
    expires_at: time('From then on it is refused'),
  })
  .meta({
    id: 'BrowserSession',
    description: 'A browser that is signed in to the console',
    examples: BROWSER_SESSIONS,
  })

export const SignInLink = z
  .strictObject({
    id: idOf('lnk', 'By this name the audit has it'),
    object: kindIs('sign_in_link'),
    token: text('For `/console#link=<token>`, once: shown once and stored nowhere'),
    expires_at: time('From then on it is refused'),
  })
  .meta({
    id: 'SignInLink',
    description: 'A link that was just made, which signs one browser in with the key of its maker',
    examples: SIGN_IN_LINKS,
  })
