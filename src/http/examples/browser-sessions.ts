/** Ada's browser, signed in to the console with the desk's key. */

import { named } from '../../lib/id.ts'
import { API_KEY } from './keys.ts'
import { at } from './story.ts'

const TOKEN = 'strata_link_…'
export const SIGN_INS = [{}, { link: TOKEN }]
export const BROWSER_SESSIONS = [
  {
    id: named('brs', 'desk'),
    object: 'browser_session',
    tenant: 'default',
    key_id: API_KEY,
    scopes: ['runs:*', 'approvals:read'],
    created_at: at('08:20:00.000'),
    expires_at: at('20:20:00.000'),
  },
] as const
export const SIGN_IN_LINKS = [
  {
    id: named('lnk', 'desk'),
    object: 'sign_in_link',
    token: TOKEN,
    expires_at: at('08:30:00.000'),
  },
] as const
