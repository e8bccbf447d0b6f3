/** The origin of a run or fan-out that nobody above has started: its kind, its trace, its taint. */

import type { RunSpec } from '../../core/run/facts.ts'
import { tainted, type UntrustedSource } from '../../core/run/untrusted.ts'
import { type Traced, traceOf } from '../../core/trace/context.ts'
import type { World } from '../../ports/world.ts'

/** Of a request; `hops` of an inbound hook: how many came before it. */
export type Cause = Pick<RunSpec, 'kind' | 'hops'> & {
  /** The request's header. */
  readonly traceparent?: string | undefined
  /** Strangers have written its input, or parts of it. */
  readonly untrusted?: Omit<UntrustedSource, 'run_id'>
}

/** As its first fact has it. */
export const originOf = (
  world: World,
  id: string,
  { kind, hops, traceparent, untrusted }: Cause,
): Pick<RunSpec, 'kind' | 'hops' | 'trace' | 'untrusted'> => ({
  kind,
  ...(hops === undefined ? {} : { hops }),
  ...traced(world, id, traceparent),
  ...tainted(untrusted && { ...untrusted, run_id: id }),
})

/** The trace that it begins or goes on. */
export const traced = ({ traces }: World, id: string, traceparent?: string): Traced =>
  traceOf(id, traceparent, traces !== undefined)
