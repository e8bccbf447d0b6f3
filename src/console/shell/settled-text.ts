/** Search text, updated when the user pauses typing. */

import { useDeferredValue, useEffect, useState } from 'react'

const TYPING_MS = 250

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useDeferredValue(settled)
}
