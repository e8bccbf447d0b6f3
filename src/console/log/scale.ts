/**
 * Scale of a timeline's axis. Long times in which the whole tree only waits are folded, so that
 * the work remains visible. Positions are between 0 (start) and 1 (end).
 */

import type { RunSpans } from './timeline.ts'

/** Part of the axis that is linear. */
interface Piece {
  /** Start and end in milliseconds since 1970. */
  readonly start: number
  readonly end: number
  /** Position of the start, and width. */
  readonly at: number
  readonly width: number
  readonly isFolded: boolean
}

export type Scale = readonly Piece[]

/** Visible part of the axis, in positions. */
export interface View {
  readonly from: number
  readonly to: number
}

export const FULL_VIEW: View = { from: 0, to: 1 }

/** A wait is folded if it exceeds the work by this factor, and this many milliseconds. */
const FOLD_FACTOR = 5
const FOLD_MS = 1_000
/** Width of a folded wait, as a share of the time that is not folded; its length is written there. */
const FOLD_SHARE = 0.2
/** Smallest visible part of the axis. */
const MIN_VIEW = 1e-6

/** Creates the scale of a tree of runs. */
export function scaleOf(rows: readonly RunSpans[]): Scale {
  const start = Math.min(...rows.map((row) => row.start))
  const end = Math.max(start + 1, ...rows.map((row) => row.end))
  const work = workOf(rows)
  const worked = work.reduce((total, part) => total + part.end - part.start, 0)
  const longest = worked === 0 ? Number.POSITIVE_INFINITY : Math.max(FOLD_MS, worked * FOLD_FACTOR)
  const parts: { start: number; end: number; isFolded: boolean }[] = []
  let at = start
  for (const next of [...work, { start: end, end }]) {
    if (next.start - at > longest) {
      parts.push({ start: at, end: next.start, isFolded: true })
      at = next.start
    }
    const last = parts.at(-1)
    if (last && !last.isFolded) last.end = next.end
    else if (next.end > at) parts.push({ start: at, end: next.end, isFolded: false })
    at = next.end
  }
  const linear = parts.reduce((sum, part) => sum + (part.isFolded ? 0 : part.end - part.start), 0)
  const weightOf = (part: (typeof parts)[number]): number =>
    part.isFolded ? Math.max(1, linear) * FOLD_SHARE : part.end - part.start
  const total = parts.reduce((sum, part) => sum + weightOf(part), 0)
  let position = 0
  return parts.map((part) => {
    const width = weightOf(part) / total
    const piece = { ...part, at: position, width }
    position += width
    return piece
  })
}

/** Returns the times in which a run of the tree worked, merged and in order. */
function workOf(rows: readonly RunSpans[]): { start: number; end: number }[] {
  const spans = rows
    .flatMap((row) => row.spans)
    .filter(({ kind, child, isEstimated }) => {
      return kind === 'model' || (kind === 'tool' && child === undefined && !isEstimated)
    })
    .sort((first, second) => first.start - second.start)
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of spans) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** Returns the position of a time. */
export function positionOf(scale: Scale, time: number): number {
  const piece = scale.find(({ end }) => time <= end) ?? scale.at(-1)
  if (!piece) return 0
  const share = (time - piece.start) / Math.max(1, piece.end - piece.start)
  return piece.at + piece.width * Math.min(1, Math.max(0, share))
}

/** Returns the share of the visible part at which a position lies; outside of 0 to 1 is invisible. */
export const shareOf = (view: View, position: number): number =>
  (position - view.from) / (view.to - view.from)

/** Zooms by a factor; the position at `share` of the visible part stays in place. */
export function zoomed(view: View, factor: number, share = 0.5): View {
  const size = view.to - view.from
  const next = Math.min(1, Math.max(MIN_VIEW, size * factor))
  return within(view.from + (size - next) * share, next)
}

/** Moves the visible part by a share of its size. */
export function moved(view: View, share: number): View {
  const size = view.to - view.from
  return within(view.from + size * share, size)
}

function within(from: number, size: number): View {
  const start = Math.min(1 - size, Math.max(0, from))
  return { from: start, to: start + size }
}

export interface Tick {
  readonly position: number
  /** Milliseconds since the start of the axis. */
  readonly ms: number
}

const STEPS = [1, 2, 5] as const

/** Returns round times of the visible part, at most about `most`. */
export function ticksOf(scale: Scale, view: View, most: number): readonly Tick[] {
  const [first] = scale
  if (!first) return []
  const linear = scale.filter(({ isFolded }) => !isFolded)
  const msOf = ({ start, end }: Piece) => end - start
  const total = linear.reduce((sum, piece) => sum + msOf(piece), 0)
  const width = linear.reduce((sum, piece) => sum + piece.width, 0)
  const visibleMs = (total / (width || 1)) * (view.to - view.from)
  const step = niceStep(visibleMs / most)
  const ticks: Tick[] = []
  for (const piece of linear) {
    const msAt = (position: number) =>
      piece.start - first.start + ((position - piece.at) / piece.width) * msOf(piece)
    const from = Math.max(piece.at, view.from)
    const to = Math.min(piece.at + piece.width, view.to)
    if (from > to) continue
    for (let ms = Math.ceil(msAt(from) / step) * step; ms <= msAt(to); ms += step) {
      ticks.push({ position: positionOf(scale, first.start + ms), ms })
    }
  }
  return ticks
}

/** Round steps from 10 seconds to a day, in seconds. */
const LONG_STEPS = [
  ...[10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400],
]

function niceStep(ms: number): number {
  const long = LONG_STEPS.find((seconds) => seconds * 1_000 >= ms)
  if (ms > 5_000 && long !== undefined) return long * 1_000
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)))
  return power * (STEPS.find((step) => step * power >= ms) ?? 10)
}
