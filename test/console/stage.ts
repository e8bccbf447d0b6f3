/** The server and the browser of a scenario, and the faults that it finds. */

import type { Browser } from 'playwright-core'
import type { Client } from '../support/launch.ts'

export interface Stage {
  readonly server: Client
  readonly browser: Browser
  /** Sentences about what must not happen. */
  readonly faults: string[]
}

export function check({ faults }: Stage, isTrue: boolean, fault: string): void {
  if (!isTrue) faults.push(fault)
}

/** The scenarios of a file, by the sentence that each shows. */
export type Scenarios = Readonly<Record<string, (stage: Stage) => Promise<void>>>
