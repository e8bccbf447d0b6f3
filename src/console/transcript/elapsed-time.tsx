/** Elapsed time since a given moment, updated live. */

import { useEffect, useState } from 'react'
import { duration } from '../text/format.ts'

const EVERY_MS = 1_000

/** Shows the elapsed time since `at`, an RFC 3339 timestamp. */
export function Since({ at }: { readonly at: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / EVERY_MS))
  return <span>{seconds < 60 ? `${seconds} s` : duration(seconds * EVERY_MS)}</span>
}
