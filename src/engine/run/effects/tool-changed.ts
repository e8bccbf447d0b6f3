/**
 * Whether a server has changed the definition of a tool since the run pinned it: one that is
 * trusted once may describe its tool otherwise later. The run keeps the definition that it has; the
 * result says so, and the run's warnings, with the digests of both.
 */

import type { RunWarning } from '../../../core/run/fact-parts.ts'
import type { Pin } from '../../../core/run/pin.ts'
import { remoteSpec } from '../../../core/tools/toolset.ts'
import { digest } from '../../../lib/digest.ts'
import { own } from '../../../lib/own.ts'
import { quoted } from '../../../lib/visible.ts'
import type { Context } from './context.ts'

/** By what this process knows of the server's list: only a list that is void is asked for anew. */
export async function toolChanged(
  { world, tenant, signal }: Context,
  pin: Pin,
  tool: string,
): Promise<RunWarning | undefined> {
  const route = own(pin.routes, tool)
  const pinned = pin.tools.find(({ name }) => name === tool)
  if (!world.tools.current || route?.kind !== 'mcp' || !pinned) return undefined
  const server = own(pin.servers, route.server)
  const found = server && (await world.tools.current(tenant, server, route.tool, signal))
  if (found === undefined) return undefined
  const before = once(pinned, () => digest(pinned))
  const now = found && once(found, () => digest(remoteSpec(route.server, found)))
  if (now === before) return undefined
  const what = now === null ? 'lists it no more' : `has changed it to sha256 ${now}`
  const message =
    `The tool ${quoted(tool, NAME_BYTES)} was pinned by this run as sha256 ${before}; its server ` +
    `${what} since. The run keeps the pinned definition.`
  return { code: 'tool_changed', message }
}

const NAME_BYTES = 160

/** Definitions are never changed, and each is compared with every call. */
const digests = new WeakMap<object, string>()

function once(definition: object, make: () => string): string {
  const known = digests.get(definition) ?? make()
  digests.set(definition, known)
  return known
}
