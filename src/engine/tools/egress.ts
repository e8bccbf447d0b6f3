/**
 * The egress filter of the web tools: an address or a query that holds the value of a secret, or a
 * key of this API, is not sent, whatever talked the model into it. The refusal is audited.
 */

import { type Hide, hiding } from '../../lib/hide.ts'
import { isKeyIn } from '../tenant/api-keys.ts'
import { audit } from '../tenant/audit.ts'
import { secretValues } from '../tenant/redact.ts'
import type { Caller } from './tool.ts'

const BLOCKED =
  'BLOCKED: what it would send holds the value of a secret or a key, which the web tools send to ' +
  'nobody. The audit of the tenant says so.'

/** Percent-encoding is undone so many times: an address may quote another one. */
const DECODED = 3

/** Judges what a run would send; the values of secrets are read once for a call. */
export async function egressFilter(caller: Caller): Promise<(sent: string) => boolean> {
  const values = await secretValues(caller.world, caller.tenant)
  const hides = [hiding(values), hiding(values.map((value) => value.toLowerCase()))] as const
  return (sent) => formsOf(sent).some((form) => isKeyIn(form) || holds(form, hides))
}

/** A host is written in lower case, whatever the secret is. */
const holds = (text: string, [asIs, lower]: readonly [Hide, Hide]): boolean =>
  asIs(text) !== text || lower(text.toLowerCase()) !== text.toLowerCase()

function formsOf(sent: string): string[] {
  const forms = [sent]
  for (let text = sent; forms.length <= DECODED; ) {
    const plain = decoded(text)
    if (plain === text) break
    forms.push(plain)
    text = plain
  }
  return forms
}

/** Escapes that are well formed; others stay. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })

/** Records the refusal once for a call, and returns the answer for the model. */
export async function blocked(caller: Caller, tool: string): Promise<string> {
  const { world, tenant, state, call } = caller
  const { id } = state.spec!
  const detail = `${tool}: what it would send holds the value of a secret or a key`
  const entry = { kind: 'run', name: id, action: 'refuse', by: id, number: 0, detail } as const
  await audit(world, tenant, entry, `egress ${call}`)
  world.log?.write({ level: 'warn', event: 'web.blocked', tenant, run_id: id, tool })
  return BLOCKED
}
