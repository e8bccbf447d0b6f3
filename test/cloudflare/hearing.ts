/** Who is told of wakes just now. */

import type { Wake } from '../../src/ports/world.ts'

export const hearing: { current: ((wake: Wake) => Promise<void>) | undefined } = {
  current: undefined,
}
