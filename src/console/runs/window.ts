/** Arithmetic of a long list with rows of equal height, of which only the visible ones exist. */

export interface Viewport {
  readonly top: number
  readonly height: number
}

/** Rows rendered above and below the visible ones, so that fast scrolling shows no gap. */
const BEYOND = 12

export interface Span {
  readonly from: number
  /** Index after the last row. */
  readonly to: number
}

/** Returns the rows to render. */
export function renderedRows({ top, height }: Viewport, count: number, rowPx: number): Span {
  const first = Math.floor(Math.max(0, top) / rowPx)
  const last = Math.ceil((Math.max(0, top) + height) / rowPx)
  const to = Math.min(count, last + BEYOND)
  return { from: Math.max(0, Math.min(first - BEYOND, to)), to }
}

/** Returns the scroll position that shows a row completely; the current one if it is visible. */
export function scrollTo(index: number, { top, height }: Viewport, rowPx: number): number {
  const start = index * rowPx
  if (start < top) return start
  return Math.max(top, start + rowPx - height)
}
