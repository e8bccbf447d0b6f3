/**
 * Canvas with a small square for each task of a large fan-out. The list of tasks serves keyboards
 * and screen readers.
 */

import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { useTheme } from '../shell/theme.ts'
import { dotAt, pitchedSize } from './state.ts'
import type { Task } from './tasks.ts'

/** Side of a square, and distance between the beginnings of two squares, in CSS pixels. */
const SIDE = 4
const PITCH = 6

/** Names of the color tokens of each status. */
const COLORS = {
  ...{ queued: '--line', live: '--running', completed: '--done', failed: '--failed' },
  ...{ timed_out: '--late', cancelled: '--queued' },
} as const satisfies Record<Task['status'], string>

interface Props {
  readonly tasks: readonly Task[]
  /** Index of the selected task. */
  readonly selection: number | undefined
  /** Indexes of the marked tasks. */
  readonly marks: readonly number[]
  readonly onSelect: (index: number) => void
}

export function Dots({ tasks, selection, marks, onSelect }: Props) {
  const words = useWords()
  const theme = useTheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const { columns, height } = pitchedSize(tasks.length, width, PITCH)
  useEffect(() => {
    const element = canvas.current?.parentElement
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colors.
  useEffect(() => {
    if (canvas.current) draw(canvas.current, { tasks, selection, marks, columns })
  }, [tasks, selection, marks, columns, height, theme])
  const onClick = ({ nativeEvent: { offsetX, offsetY } }: MouseEvent): void => {
    const task = tasks[dotAt(offsetX, offsetY, { columns, pitch: PITCH })]
    if (task) onSelect(task.index)
  }
  return (
    <div className="max-h-[40dvh] overflow-y-auto">
      <canvas
        ref={canvas}
        role="img"
        aria-label={words('fanouts.matrix.large', { n: tasks.length })}
        style={{ width: `${columns * PITCH}px`, height: `${height}px` }}
        onClick={onClick}
      />
    </div>
  )
}

function draw(
  canvas: HTMLCanvasElement,
  {
    tasks,
    selection,
    marks,
    columns,
  }: Pick<Props, 'tasks' | 'selection' | 'marks'> & { readonly columns: number },
): void {
  const context = canvas.getContext('2d')
  if (!context || columns === 0) return
  const style = getComputedStyle(document.documentElement)
  const ratio = devicePixelRatio
  canvas.width = columns * PITCH * ratio
  canvas.height = Math.ceil(tasks.length / columns) * PITCH * ratio
  context.scale(ratio, ratio)
  tasks.forEach(({ index, status }, at) => {
    const x = (at % columns) * PITCH + 1
    const y = Math.floor(at / columns) * PITCH + 1
    const isSelected = index === selection
    if (isSelected || marks.includes(index)) {
      context.fillStyle = style.getPropertyValue(isSelected ? '--accent' : '--text')
      context.fillRect(x - 1, y - 1, PITCH, PITCH)
    }
    context.fillStyle = style.getPropertyValue(COLORS[status])
    context.fillRect(x, y, SIDE, SIDE)
  })
}
