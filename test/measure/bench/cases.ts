/** The cases of the benchmark. */

import type { Order } from './floor.ts'
import type { Works } from './works.ts'

/** What is done, how often, how many at once, and in which order the floor makes its calls. */
export interface Work {
  readonly act: (server: Works) => Promise<void>
  readonly runs: number
  readonly at: number
  readonly order: Order
}

export const CASES = {
  plain: { act: (server) => server.run('@say done'), runs: 40, at: 1, order: 'run' },
  fanout_8: { act: (server) => server.run(fanout(8)), runs: 10, at: 1, order: 'run' },
  fanout_50: { act: (server) => server.run(fanout(50)), runs: 4, at: 1, order: 'run' },
  concurrent_100: { act: (server) => server.run('@say done'), runs: 100, at: 100, order: 'run' },
  session_turns_100: { act: (server) => server.turns(100), runs: 1, at: 1, order: 'series' },
  approval_roundtrip: { act: (server) => server.approval(), runs: 20, at: 1, order: 'series' },
  fanout_http_1000: { act: (server) => server.fanout(1_000), runs: 1, at: 1, order: 'together' },
  sustained_32: { act: (server) => server.run('@say done'), runs: 8_000, at: 32, order: 'run' },
} as const satisfies Record<string, Work>
export type Case = keyof typeof CASES
/** Cases that take minutes: measured only where `--only` names them. */
export const LONG: ReadonlySet<Case> = new Set(['sustained_32'])

function fanout(children: number): string {
  return `@spawn ${children} {"task":"@say part {i}"}\n@await\n@say all {results}`
}
