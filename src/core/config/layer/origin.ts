/** Provenance: an entry hides the previous one, and everything hidden by that one. */

import type { Origin, Shadow } from '../types.ts'

export const shadowsOf = (hidden: Origin): Shadow[] => [
  ...hidden.shadows,
  { layer: hidden.layer, key: hidden.key },
]
