/** The part of time that is seen: moved, made smaller and larger, and divided by round numbers. */

export interface View {
  readonly from: number
  readonly to: number
}

/** Nobody tells less apart. */
const LEAST_MS = 5

const widthOf = ({ from, to }: View): number => to - from

/** Undefined: it is the whole again. `at`: the share of the width that stays where it is. */
export function zoomed(view: View, whole: View, factor: number, at = 0.5): View | undefined {
  const width = Math.max(LEAST_MS, widthOf(view) * factor)
  if (width >= widthOf(whole)) return undefined
  const from = view.from + widthOf(view) * at - width * at
  return within({ from, to: from + width }, whole)
}

/** `share` of what is seen; earlier where it is negative. */
export function moved(view: View, whole: View, share: number): View {
  const by = widthOf(view) * share
  return within({ from: view.from + by, to: view.to + by }, whole)
}

/** So that the span is seen; the view itself where it is. */
export function showing(view: View, whole: View, { from, to }: View): View {
  if (to >= view.from && from <= view.to) return view
  const middle = (from + Math.min(to, from + widthOf(view))) / 2
  return within({ from: middle - widthOf(view) / 2, to: middle + widthOf(view) / 2 }, whole)
}

/** As wide as it is, and not beyond the ends. */
function within({ from, to }: View, whole: View): View {
  const over = Math.max(0, whole.from - from) - Math.max(0, to - whole.to)
  return { from: from + over, to: to + over }
}

const ROUND = [1, 2, 5, 10] as const
const HOUR_MS = 3_600_000
const LARGE = [15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, HOUR_MS] as const

/** The step between marks, so that about `count` of them are seen. */
function stepOf(width: number, count: number): number {
  const rough = width / count
  const large = rough > 10_000 ? LARGE.find((one) => one >= rough) : undefined
  if (large !== undefined) return large
  const unit = rough > HOUR_MS ? HOUR_MS : 1
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough / unit)))
  return unit * power * ROUND.find((one) => unit * power * one >= rough)!
}

/** Marks of the axis, in ms since the beginning of all. */
export function marksOf(view: View, whole: View, count: number): readonly number[] {
  const step = stepOf(widthOf(view), count)
  const first = Math.ceil((view.from - whole.from) / step) * step
  const marks: number[] = []
  for (let at = first; at <= view.to - whole.from; at += step) marks.push(at)
  return marks
}

/** 0, 250 ms, 1.5 s, 2:30, 1:15:00: as short as the step allows. */
export function markText(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(3))} s`
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.round(ms / 1_000)
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
