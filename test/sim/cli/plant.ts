/** Plants a bug of the simulator in this process, by its name. */

import { BUGS } from '../bugs/index.ts'
import { plantInNode } from '../planting/plant.ts'

export function plant(name: string): void {
  const bug = BUGS.find((one) => one.name === name)
  if (!bug) throw new Error(`there is no planted bug ${JSON.stringify(name)}`)
  plantInNode(bug)
}
