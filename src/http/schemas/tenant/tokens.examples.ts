/** Examples of tokens: a web page follows the support desk's run with a token. */

import { at, RUN } from '../shared/story.ts'

const request = { for: { run: RUN }, scopes: ['runs:read', 'approvals:read'] }

export const TOKEN_INPUTS = [
  { ...request, expires_in: 3_600 },
  { for: { tenant: true }, scopes: ['runs:read'] },
]
export const TOKENS = [
  {
    id: `tok_${'5h1x'.repeat(6)}7d`,
    object: 'token',
    token: 'strata_token_v1.…',
    ...request,
    expires_at: at('09:00:00.000'),
  },
]
