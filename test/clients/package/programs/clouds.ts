/** Entries of deployments, as their programs export them. */

export { clock, dead, http, work } from 'strata/lambda'
export { default, LaneObject, Outbound, PartitionObject } from 'strata/worker'
export { default as Sandbox } from 'strata/worker/sandbox'
