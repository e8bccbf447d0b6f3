/** Width of the page: pages below 768 px have one column. */

import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 768px)')

export const useIsWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener)
      return () => wide.removeEventListener('change', listener)
    },
    () => wide.matches,
  )
