/** Names as bars, the longest first. The table below says the same to those who do not see it. */

interface Props {
  readonly label: string
  readonly bars: readonly { readonly key: string; readonly name: string; readonly value: number }[]
  readonly format: (value: number) => string
}

const MOST = 12
const WIDTH = 1_000

export function Bars({ label, bars, format }: Props) {
  const shown = [...bars].sort((one, other) => other.value - one.value).slice(0, MOST)
  const most = Math.max(...shown.map(({ value }) => value)) || 1
  return (
    <figure className="rounded-xl border border-line bg-surface p-4">
      <figcaption className="mb-3 text-sm font-medium">{label}</figcaption>
      <ul aria-hidden="true" className="grid gap-3">
        {shown.map(({ key, name, value }) => (
          <li key={key} className="grid gap-1">
            <span className="flex justify-between gap-3 text-xs">
              <span className="min-w-0 truncate">{name}</span>
              <span className="tabular-nums text-muted">{format(value)}</span>
            </span>
            {/* A picture: widths in a style are forbidden here. */}
            <svg
              aria-hidden="true"
              viewBox={`0 0 ${WIDTH} 8`}
              preserveAspectRatio="none"
              className="h-2 w-full rounded-full bg-sunken"
            >
              <rect width={(value / most) * WIDTH} height="8" className="fill-accent" />
            </svg>
          </li>
        ))}
      </ul>
    </figure>
  )
}
