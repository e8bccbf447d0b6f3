/** Before something leaves for the web: it must hold no secret of the tenant, however it is written. */

import { audit } from '../tenant/audit.ts'
import { hidingSecrets } from '../tenant/redact.ts'
import type { Caller } from './tool.ts'

/** Why the text is not sent; undefined: it may be. The audit keeps who wanted it, never the text. */
export async function secretRefused(
  { world, tenant, state, call }: Pick<Caller, 'world' | 'tenant' | 'state' | 'call'>,
  tool: string,
  text: string,
): Promise<string | undefined> {
  const hide = await hidingSecrets(world, tenant)
  const plain = unescaped(text)
  if (hide(text) === text && hide(plain) === plain) return undefined
  const detail = `${tool}: what was to be sent held the value of a secret`
  const by = state.spec?.id ?? 'system'
  const entry = { kind: 'secret', name: tool, action: 'refuse', by, number: 0, detail } as const
  // A call that is performed again is the same call.
  await audit(world, tenant, entry, `${by} ${call}`)
  return 'secret_refused: it holds the value of a secret, and was not sent'
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that escapes nothing.
    return text
  }
}
