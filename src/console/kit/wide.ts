/** Width of the page: pages below 768 px have one column. */

import { useCallback, useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 768px)')

/** Returns whether the media query matches, and re-renders the component when that changes. */
export function useMedia(query: MediaQueryList): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => query.matches)
}

export const useIsWide = (): boolean => useMedia(wide)
