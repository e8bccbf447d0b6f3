/** Width of the window, for parts that measure their rows. */

import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 767px)')

/** Returns whether the window is as narrow as a phone. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
