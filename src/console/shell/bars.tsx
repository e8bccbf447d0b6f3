/** Notice bars of every page: for a later console release, and for an unreachable server. */

import { useReplaced } from '../data/release.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { timeOfDay } from '../text/format.ts'

/** Shows a notice bar if a later release has replaced this page. */
export function ReleaseBar() {
  const words = useWords()
  if (!useReplaced()) return null
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-t border-line bg-subtle px-3 py-1.5 text-sm"
    >
      <p className="min-w-0 flex-1">{words('release.newer')}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {words('release.reload')}
      </Button>
    </div>
  )
}

interface Props {
  /** Time at which the server became unreachable, in milliseconds since 1970. */
  readonly since: number
  readonly onRetry: () => void
}

/** Page shown while the server is unreachable and the sign-in session is unknown. */
export function Offline({ since, onRetry }: Props) {
  const words = useWords()
  return (
    <>
      <div
        role="status"
        className="flex items-center gap-3 bg-late-tint px-3 py-1.5 text-sm text-late"
      >
        <p className="min-w-0 flex-1">{words('error.offline.since', { time: timeOfDay(since) })}</p>
        <Button onClick={onRetry}>{words('retry')}</Button>
      </div>
      <main className="mx-auto grid max-w-lg gap-2 px-6 py-16">
        <h1 className="text-xl font-semibold">{words('app.name')}</h1>
        <p className="text-text-2">{words('offline.unknown')}</p>
      </main>
    </>
  )
}
