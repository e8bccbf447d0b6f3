/** A planted bug: a name, which `planted.json` and the plans of `regressions/` know, and its patches. */

import type { Patch } from '../planting/patch.ts'
import type { Planting } from '../planting/plant.ts'

/** A test by its file, from the root of the repository, and its title without those of its groups. */
export interface NamedTest {
  readonly file: string
  readonly title: string
}

export interface Bug extends Planting {
  /** Fewer than one world in some thousands shows it: to hunt it takes an hour, and a person. */
  readonly rare?: true
  /** Seeds of this home are looked through; else those of any other. */
  readonly home?: 'objects'
  /** No world is looked for: this test is green, and red with the bug. */
  readonly testedBy?: NamedTest
}

export const bug = (name: string, ...patches: Patch[]): Bug => ({ name, patches })
export const objectsBug = (name: string, ...patches: Patch[]): Bug => ({
  name,
  patches,
  home: 'objects',
})
export const rareBug = (name: string, ...patches: Patch[]): Bug => ({ name, patches, rare: true })
export const testedBug = (name: string, testedBy: NamedTest, ...patches: Patch[]): Bug => ({
  name,
  patches,
  testedBy,
})
