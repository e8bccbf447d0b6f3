/**
 * Egress filter: rejects a web address, query, or MCP tool argument that contains a secret or an
 * API key, regardless of the model's instructions. A server may receive the secrets that its entry
 * names. Rejections are audited.
 */

import { type Hide, hiding } from '../../lib/hide.ts'
import { isKeyIn } from '../tenant/api-keys.ts'
import { audit } from '../tenant/audit.ts'
import { secretValues } from '../tenant/redact.ts'
import type { Caller } from './tool.ts'

const BLOCKED =
  'BLOCKED: the request contains a secret or key value, so nothing was sent. The ' +
  "tenant's audit log records this."

/** Maximum rounds of percent-decoding; an address may contain another encoded address. */
const DECODED = 3

type Sender = Pick<Caller, 'world' | 'tenant' | 'state' | 'call'>

/**
 * Returns a filter for a run's outgoing data; reads the secrets once per call. `except` lists the
 * names of secrets that the receiver may get.
 */
export async function egressFilter(
  { world, tenant, state }: Pick<Sender, 'world' | 'tenant' | 'state'>,
  except: readonly string[] = [],
): Promise<(sent: string) => boolean> {
  const values = await secretValues(world, tenant, except, state.spec?.subject)
  const hides = [hiding(values), hiding(values.map((value) => value.toLowerCase()))] as const
  return (sent) => formsOf(sent).some((form) => isKeyIn(form) || holds(form, hides))
}

/**
 * Reports whether the text contains a secret. URLs have lower-case hosts, so secrets are also
 * compared in lower case.
 */
const holds = (text: string, [asIs, lower]: readonly [Hide, Hide]): boolean =>
  asIs(text) !== text || lower(text.toLowerCase()) !== text.toLowerCase()

/** Reports whether a text, a member name, the joined texts, or the JSON leaks a secret. */
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

/** Decodes the well-formed percent escapes and leaves malformed ones unchanged. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })

/** Audits the rejection once per call, and returns the tool result for the model. */
export async function blocked(sender: Sender, tool: string): Promise<string> {
  const { world, tenant, state, call } = sender
  const { id } = state.spec!
  const detail = `${tool}: the request contains the value of a secret or a key`
  const entry = { kind: 'run', name: id, action: 'refuse', by: id, number: 0, detail } as const
  await audit(world, tenant, entry, `egress ${call}`)
  world.log?.write({ level: 'warn', event: 'egress.blocked', tenant, run_id: id, tool })
  return BLOCKED
}
