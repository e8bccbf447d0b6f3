/** Provenance: an entry hides the one before it, and all that one had hidden. */

import type { Origin, Shadow } from '../types.ts'

export const shadowsOf = (hidden: Origin): Shadow[] => [
  ...hidden.shadows,
  { layer: hidden.layer, key: hidden.key },
]
