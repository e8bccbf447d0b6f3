/** Example of a signed link with which the shift lead decides from an email. */

import { APPROVAL, at } from '../shared/story.ts'

const request = { for: { approval: APPROVAL }, may: 'decide' }
const token = 'strata_token_v1.…'

export const ACCESS_LINK_INPUTS = [{ ...request, expires_in: 172_800 }]
export const ACCESS_LINKS = [
  {
    id: `tok_${'5h1x'.repeat(6)}7d`,
    object: 'access_link',
    url: `https://strata.example/decide/${token}`,
    token,
    ...request,
    expires_at: at('09:00:00.000'),
  },
]
