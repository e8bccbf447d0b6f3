/** Around the lines of a timeline: the meaning of its colours, and the times above. */

import { useEffect, useState } from 'react'
import { useWords } from '../../app/words.ts'
import { marksOf, markText, type View } from './scale.ts'
import { COLOURS } from './span-bars.tsx'
import type { SpanKind } from './spans.ts'

const KINDS = Object.keys(COLOURS) as SpanKind[]
const MARKS_WIDE = 6
const MARKS_NARROW = 3

export function Legend() {
  const words = useWords()
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1">
      {KINDS.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={`size-3 rounded-sm border ${kind === 'waiting' ? '' : 'border-line'} ${COLOURS[kind]}`}
          />
          {words(`span.${kind}`)}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-3 rounded-sm border border-line bg-bad" />
        {words('timeline.failed')}
      </li>
    </ul>
  )
}

export const NAME = 'w-24 shrink-0 truncate pr-2 text-xs sm:w-52'

export function Axis({ view, whole }: { readonly view: View; readonly whole: View }) {
  const isNarrow = useNarrow()
  const marks = marksOf(view, whole, isNarrow ? MARKS_NARROW : MARKS_WIDE)
  const width = Math.max(1, view.to - view.from)
  return (
    <div aria-hidden="true" className="flex h-7 border-b border-line bg-raised">
      <span className={NAME} />
      <span className="relative min-w-0 flex-1 overflow-hidden border-l border-line">
        {marks.map((mark) => (
          <span
            key={mark}
            ref={(element) =>
              element?.style.setProperty(
                'left',
                `${((whole.from + mark - view.from) / width) * 100}%`,
              )
            }
            className="absolute inset-y-0 border-l border-line-strong pl-1 text-[0.7rem] leading-7 whitespace-nowrap text-muted tabular-nums"
          >
            {markText(mark)}
          </span>
        ))}
      </span>
    </div>
  )
}

const NARROW = '(max-width: 40rem)'

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const onChange = (): void => setNarrow(query.matches)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
