/** How many tasks have ended, and how, as a bar; the text beside it says the same. */

import type { Schemas } from '../../app/api.ts'

type Counts = Schemas['Fanout']['children']
const WIDTH = 1_000

export function Progress({ counts }: { readonly counts: Counts }) {
  const { total, completed, failed, timed_out, cancelled, live } = counts
  const parts = [
    [completed, 'fill-good'],
    [failed + timed_out, 'fill-bad'],
    [cancelled, 'fill-line-strong'],
    [live, 'fill-accent'],
  ] as const
  let from = 0
  return (
    // A picture: widths in a style are forbidden here.
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      className="h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      {parts.map(([count, look]) => {
        const width = (count / Math.max(1, total)) * WIDTH
        const x = from
        from += width
        return <rect key={look} x={x} width={width} height="8" className={look} />
      })}
    </svg>
  )
}
