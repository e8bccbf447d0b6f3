/**
 * The egress filter: an address or a query of a web tool, or an argument of an MCP server's tool,
 * that holds the value of a secret or a key of this API is not sent, whatever talked the model
 * into it. A server gets the secrets that its own entry names. The refusal is audited.
 */

import { type Hide, hiding } from '../../lib/hide.ts'
import { isKeyIn } from '../tenant/api-keys.ts'
import { audit } from '../tenant/audit.ts'
import { secretValues } from '../tenant/redact.ts'
import type { Caller } from './tool.ts'

const BLOCKED =
  'BLOCKED: the request contains the value of a secret or a key, so nothing was sent. ' +
  "The tenant's audit log records this."

/** Percent-encoding is undone so many times: an address may quote another one. */
const DECODED = 3

type Sender = Pick<Caller, 'world' | 'tenant' | 'state' | 'call'>

/**
 * Judges what a run would send; the values of secrets are read once for a call. `except`: names of
 * secrets that the receiver gets anyway.
 */
export async function egressFilter(
  { world, tenant }: Pick<Sender, 'world' | 'tenant'>,
  except: readonly string[] = [],
): Promise<(sent: string) => boolean> {
  const values = await secretValues(world, tenant, except)
  const hides = [hiding(values), hiding(values.map((value) => value.toLowerCase()))] as const
  return (sent) => formsOf(sent).some((form) => isKeyIn(form) || holds(form, hides))
}

/** A host is written in lower case, whatever the secret is. */
const holds = (text: string, [asIs, lower]: readonly [Hide, Hide]): boolean =>
  asIs(text) !== text || lower(text.toLowerCase()) !== text.toLowerCase()

/** Whether these arguments leak: a text or a name in them, the texts together, or the JSON. */
export function anyLeaks(value: unknown, leaks: (sent: string) => boolean): boolean {
  const texts: string[] = []
  const names: string[] = []
  const collect = (node: unknown): void => {
    if (typeof node === 'string') texts.push(node)
    if (typeof node !== 'object' || node === null) return
    if (!Array.isArray(node)) names.push(...Object.keys(node))
    Object.values(node).forEach(collect)
  }
  collect(value)
  return [JSON.stringify(value), texts.join(''), ...texts, ...names].some(leaks)
}

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
export async function blocked(sender: Sender, tool: string): Promise<string> {
  const { world, tenant, state, call } = sender
  const { id } = state.spec!
  const detail = `${tool}: the request contains the value of a secret or a key`
  const entry = { kind: 'run', name: id, action: 'refuse', by: id, number: 0, detail } as const
  await audit(world, tenant, entry, `egress ${call}`)
  world.log?.write({ level: 'warn', event: 'egress.blocked', tenant, run_id: id, tool })
  return BLOCKED
}
