/** Axis of the timeline, and its control by wheel and pointer. */

import { type RefObject, useEffect, useRef } from 'react'
import { useWords } from '../i18n/words.ts'
import { type Scale, shareOf, ticksOf, type View } from '../log/scale.ts'
import { duration } from '../text/format.ts'

const TICKS = 6
const WHEEL = 1.002

interface Props {
  readonly scale: Scale
  readonly view: View
}

export function Axis({ scale, view }: Props) {
  const words = useWords()
  return (
    <div className="relative h-9 overflow-hidden" aria-hidden="true">
      {ticksOf(scale, view, TICKS).map(({ position, ms }) => (
        <span
          key={ms}
          style={{ left: `${shareOf(view, position) * 100}%` }}
          className="absolute bottom-0 flex h-4 items-end border-l border-line pl-1 text-xs whitespace-nowrap text-text-3"
        >
          {ms === 0 ? '0 s' : duration(ms)}
        </span>
      ))}
      {scale
        .filter(({ isFolded }) => isFolded)
        .map(({ at, width, start, end }) => (
          <span
            key={start}
            style={{
              left: `${shareOf(view, at) * 100}%`,
              width: `${(width / (view.to - view.from)) * 100}%`,
            }}
            className="absolute top-0 flex h-5 items-center justify-center overflow-hidden bg-sunken text-xs whitespace-nowrap text-text-2"
            title={words('run.fold', { time: duration(end - start) })}
          >
            ⋯ {duration(end - start)}
          </span>
        ))}
    </div>
  )
}

/**
 * Zooms with the wheel while Ctrl or ⌘ is pressed, as browsers report a pinch, and moves with a
 * horizontal wheel. A plain wheel scrolls the rows.
 */
export function useWheel(
  box: RefObject<HTMLElement | null>,
  zoom: (factor: number, share: number) => void,
  move: (share: number) => void,
): void {
  const actions = useRef({ zoom, move })
  useEffect(() => {
    actions.current = { zoom, move }
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const onWheel = (event: WheelEvent): void => {
      const isZoom = event.ctrlKey || event.metaKey
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (!isZoom && !isSideways) return
      event.preventDefault()
      const bars = element.querySelector('[data-bars]')?.getBoundingClientRect()
      if (!bars) return
      if (isZoom) {
        const share = Math.min(1, Math.max(0, (event.clientX - bars.left) / bars.width))
        actions.current.zoom(WHEEL ** event.deltaY, share)
      } else actions.current.move(event.deltaX / bars.width)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [box])
}
