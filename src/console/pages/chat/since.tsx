/** Time that passes, counted from what a log says. */

import { useEffect, useState } from 'react'
import { lasted } from '../../ui/text.tsx'

const EVERY_MS = 1_000

export function Since({ at }: { readonly at: string | undefined }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  if (!at) return null
  const ms = Math.max(0, now - Date.parse(at))
  return <span>{lasted(Math.floor(ms / 1_000) * 1_000)}</span>
}
