/** `strata token`: a short-lived token for one run, session or approval. */

import type { components } from '../client/index.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

/** As they were typed: the server says which of them it does not know. */
type Actions = components['schemas']['TokenInput']['actions']

interface TokenOptions extends Shape {
  readonly allow: readonly string[]
  readonly seconds?: number
}

export async function token(
  terminal: Terminal,
  subject: string,
  { allow, seconds, json }: TokenOptions,
): Promise<number> {
  const actions = (allow.length === 0 ? ['read'] : [...allow]) as Actions
  const { tokens } = clientOf(terminal.env)
  const made = await tokens.create({ for: subject, actions, expires_in_seconds: seconds })
  terminal.out(json ? jsonLine(made) : made.token)
  return 0
}
