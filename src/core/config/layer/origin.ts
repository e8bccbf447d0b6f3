/** Provenance of an entry: it hides the previous entry and everything that entry hid. */

import type { Origin, Shadow } from '../types.ts'

export const shadowsOf = (hidden: Origin): Shadow[] => [
  ...hidden.shadows,
  { layer: hidden.layer, key: hidden.key },
]
