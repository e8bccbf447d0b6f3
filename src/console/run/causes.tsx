/** Shares of the causes on the critical path: where the time of the run went. */

import { useWords } from '../i18n/words.ts'
import type { Cause } from '../log/critical-path.ts'
import { duration } from '../text/format.ts'

const CAUSES: readonly (readonly [Cause, string])[] = [
  ['person', 'bar-person'],
  ['model', 'bar-model'],
  ['tool', 'bar-tool-solid'],
  ['queue', 'bar-queued'],
  ['wait', 'bar-wait-solid'],
  ['unexplained', 'bar-unexplained'],
]

interface Props {
  /** Milliseconds by cause. */
  readonly causes: Readonly<Record<Cause, number>>
  readonly total: number
}

export function Causes({ causes, total }: Props) {
  const words = useWords()
  const present = CAUSES.filter(([cause]) => causes[cause] > 0)
  return (
    <section
      aria-label={words('run.causes', { time: duration(total) })}
      className="grid gap-1.5 border-t border-line px-4 py-2 sm:px-6"
    >
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        <span className="font-medium">{words('run.causes', { time: duration(total) })}</span>
        {present.map(([cause, style]) => (
          <span key={cause} className="inline-flex items-center gap-1.5 text-text-2">
            <span aria-hidden="true" className={`bar-key ${style}`} />
            {words(`run.cause.${cause}`)} {duration(causes[cause])}
          </span>
        ))}
      </p>
      <div aria-hidden="true" className="flex h-2 overflow-hidden rounded-md bg-sunken">
        {present.map(([cause, style]) => (
          <span
            key={cause}
            className={style}
            style={{ width: `${(causes[cause] / total) * 100}%` }}
          />
        ))}
      </div>
    </section>
  )
}
