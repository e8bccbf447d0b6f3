/**
 * Long lists: only the rows that are seen exist. Places are set by properties of the elements, for
 * the page's policy allows no styles in its text.
 */

import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'

const BEYOND = 12

interface Placed {
  readonly index: number
  readonly start: number
  readonly place: (element: HTMLElement | null) => void
}

interface Windowed {
  /** The element that scrolls. */
  readonly ref: React.RefObject<HTMLDivElement | null>
  /** Gets the height of all rows. */
  readonly sized: (element: HTMLElement | null) => void
  readonly items: readonly Placed[]
  scrollTo(index: number): void
}

/** `rowPx`: the height of a row, or what it is before it is measured. */
export function useWindowedRows(
  count: number,
  rowPx: number,
  onEnd: () => void = () => {},
  measured = false,
): Windowed {
  const ref = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => ref.current,
    estimateSize: () => rowPx,
    overscan: BEYOND,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each end that is reached.
  useEffect(() => {
    if (count > 0 && last >= count - 1) onEnd()
  }, [last, count])
  const height = rows.getTotalSize()
  const sized = useCallback(
    (element: HTMLElement | null) => element?.style.setProperty('height', `${height}px`),
    [height],
  )
  // A row that stays where it is keeps its function: it is neither placed nor measured again.
  const placed = useRef(new Map<number, Placed>())
  const items = shown.map(({ index, start }) => {
    const before = placed.current.get(index)
    if (before?.start === start) return before
    const place = (element: HTMLElement | null): void => {
      if (!element) return
      element.style.setProperty('transform', `translateY(${start}px)`)
      if (!measured) return
      element.dataset.index = String(index)
      rows.measureElement(element)
    }
    return { index, start, place }
  })
  placed.current = new Map(items.map((one) => [one.index, one]))
  return { ref, sized, items, scrollTo: (index) => rows.scrollToIndex(index, { align: 'center' }) }
}
