/** Example of a browser session: Ada's browser, signed in with the support desk's key. */

import { derivedId } from '../../../lib/id.ts'
import { at } from '../shared/story.ts'

export const SIGN_INS = [{ token: 'strata_sign_in_…' }, { key: 'strata_3v7b0d1x9k2m4q8r_…' }]
export const BROWSER_SESSIONS = [
  {
    id: derivedId('brs', 'desk'),
    object: 'browser_session',
    key_id: '3v7b0d1x9k2m4q8r',
    key_name: 'The desk',
    scopes: ['runs:*', 'approvals:read'],
    current: true,
    created_at: at('08:20:00.000'),
    expires_at: at('20:20:00.000'),
  },
]
export const SIGN_IN_LINK_INPUTS = [{}, { scopes: ['runs:read'], expires_in: 60 }]
export const SIGN_IN_LINKS = [
  {
    object: 'sign_in_link',
    url: 'https://strata.example.com/console/sign-in#t=strata_sign_in_…',
    expires_at: at('08:30:00.000'),
  },
]
