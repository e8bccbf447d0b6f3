/**
 * The data-flow policy: a run that has read untrusted text asks a person before a tool that reaches
 * out, or may not call it. An attack by a text needs both: to be read, and a way out.
 */

import { own } from '../../lib/own.ts'
import { denied, type Policy } from '../policy.ts'
import type { Pin, Route } from '../run/pin.ts'
import { describeSource, type UntrustedSource } from '../run/untrusted.ts'
import { BUILTINS } from './builtin/index.ts'
import type { Ruling } from './ruling.ts'

const OUTWARD: ReadonlySet<string> = new Set(
  BUILTINS.filter(({ outward }) => outward).map(({ name }) => name),
)

/** Tools of servers that do not say that they only read, and of the caller, may do anything. */
function isOutward(tool: string, { routes }: Pick<Pin, 'routes'>): boolean {
  const route: Route | undefined = own(routes, tool)
  if (route?.kind === 'caller') return true
  if (route?.kind === 'mcp') return route.read_only !== true
  return OUTWARD.has(tool)
}

/** Text of this server is untrusted. */
export const isUntrustedServer = ({ data_flow }: Pick<Policy, 'data_flow'>, server: string) =>
  !denied(data_flow.trusted_servers, server)

/** `source`: the text that the model had read when it made the call; undefined: none. */
export function dataFlowRule(
  tool: string,
  pin: Pick<Pin, 'routes'>,
  { data_flow }: Pick<Policy, 'data_flow'>,
  source: UntrustedSource | undefined,
): Ruling | undefined {
  const rule = data_flow.outward_after_untrusted
  if (rule === 'allow' || source === undefined || !isOutward(tool, pin)) return undefined
  const why = `the run has read untrusted text: ${describeSource(source)}`
  return { rule, by: 'the data-flow policy of the tenant', why }
}
