/**
 * Virtualized list of a conversation's rows. The view follows the end of the growing list, unless
 * the reader has scrolled up.
 */

import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type UIEvent, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import type { Row } from './rows.ts'

const GUESS_PX = 72
/** Maximum distance from the end of the list, in pixels, that counts as scrolled to the end. */
const END_PX = 48

interface Props {
  readonly rows: readonly Row[]
  readonly render: (row: Row) => ReactNode
  readonly label: string
  /** Content shown above the first row. */
  readonly top?: ReactNode
}

/** First visible row, and its distance from the upper edge of the scroll area. */
interface Anchor {
  readonly key: unknown
  readonly y: number
}

/** Returns the distance of the first row from the upper edge of the scroll area. */
const beginOf = (box: HTMLElement, inner: HTMLElement): number =>
  inner.getBoundingClientRect().top - box.getBoundingClientRect().top

export function Transcript({ rows, render, label, top }: Props) {
  const words = useWords()
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const anchor = useRef<Anchor>(undefined)
  /**
   * Scroll position set by the page itself; a scroll event at this position does not change the
   * anchor.
   */
  const setByPage = useRef(Number.NaN)
  const [isAway, setAway] = useState(false)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => GUESS_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
  })
  // The anchor row keeps its position when content above it is added or resized.
  list.shouldAdjustScrollPositionOnItemSizeChange = () => false
  const size = list.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of size moves the anchor back.
  useLayoutEffect(() => {
    const { current: element } = box
    if (!element || !inner.current) return
    const { key, y } = anchor.current ?? {}
    const line = list.measurementsCache.find((measurement) => measurement.key === key)
    if (atEnd.current) element.scrollTop = element.scrollHeight
    else if (line && y !== undefined) {
      const begin = beginOf(element, inner.current)
      element.scrollTop = Math.round(element.scrollTop + begin + line.start - y)
      setByPage.current = element.scrollTop
    }
  }, [size, rows])
  const onScroll = ({ currentTarget: element }: UIEvent<HTMLDivElement>): void => {
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < END_PX
    setAway(!atEnd.current)
    if (Math.abs(element.scrollTop - setByPage.current) < 1.5) return
    setByPage.current = Number.NaN
    const begin = inner.current ? beginOf(element, inner.current) : 0
    const line = list.measurementsCache.find(({ end }) => begin + end > 0)
    anchor.current = line && { key: line.key, y: begin + line.start }
  }
  const toEnd = (): void => {
    atEnd.current = true
    setAway(false)
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        aria-label={label}
        tabIndex={0}
        onScroll={onScroll}
        className="h-full overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div className="mx-auto max-w-3xl px-4 pt-3 sm:px-6">
          {top}
          <div ref={inner} className="relative" style={{ height: size }}>
            {list.getVirtualItems().map((virtualRow) => {
              const row = rows[virtualRow.index]
              return (
                <div
                  key={virtualRow.key}
                  ref={list.measureElement}
                  data-index={virtualRow.index}
                  style={{ transform: `translateY(${virtualRow.start}px)` }}
                  className="absolute top-0 left-0 w-full pb-2.5"
                >
                  {row && render(row)}
                </div>
              )
            })}
          </div>
        </div>
      </div>
      {isAway && (
        <Button
          icon="down"
          onClick={toEnd}
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-float"
        >
          {words('chat.end')}
        </Button>
      )}
    </div>
  )
}
