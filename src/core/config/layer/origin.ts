/**
 * Provenance of an entry: an entry hides the previous entry and everything that the previous entry
 * hid.
 */

import type { Origin, Shadow } from '../types.ts'

export const shadowsOf = (hidden: Origin): Shadow[] => [
  ...hidden.shadows,
  { layer: hidden.layer, key: hidden.key },
]
