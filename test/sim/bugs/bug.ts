/** A planted bug: a name, which `planted.json` and the plans of `regressions/` know, and its patches. */

import type { Patch } from '../../planting/patch.ts'
import type { Planting } from '../../planting/plant.ts'

export interface Bug extends Planting {
  /** Fewer than one world in some thousands shows it: to hunt it takes an hour, and a person. */
  readonly rare?: true
}

export const bug = (name: string, ...patches: Patch[]): Bug => ({ name, patches })
export const rareBug = (name: string, ...patches: Patch[]): Bug => ({ name, patches, rare: true })
