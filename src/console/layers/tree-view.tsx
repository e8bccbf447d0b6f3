/** Tree of the files of a layer, of which only the rows in view exist, with its keys and filter. */

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { Icon } from '../kit/icons.tsx'
import { renderedRows, scrollTo } from '../runs/window.ts'
import { Plain } from '../text/text.tsx'
import { useDraftPaths } from './drafts.ts'
import {
  type FileEntry,
  firstFolders,
  foldersAbove,
  movedTo,
  rowsOf,
  type TreeRow,
  treeOf,
} from './tree.ts'
import { type FileState, useFileStates } from './use-files.ts'

const ROW_PX = 30
const TALL_PX = 44
const coarse = matchMedia('(pointer: coarse)')
const INDENTS = ['pl-2', 'pl-5', 'pl-8', 'pl-11', 'pl-14', 'pl-17', 'pl-20'] as const

interface Props {
  readonly layer: string
  readonly files: readonly FileEntry[]
  /** Key of the open file. */
  readonly file: string | undefined
  /** Content in place of the rows of an empty layer. */
  readonly empty: ReactNode
  readonly onOpen: (path: string) => void
}

export function FileTree({ layer, files, file, empty, onOpen }: Props) {
  const words = useWords()
  const [text, setText] = useState('')
  const { rows, toggle } = useTreeRows({ layer, files, file, text: text.trim().toLowerCase() })
  if (rows.length === 0 && text === '') return empty
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="p-2">
        <input
          id="filter"
          type="search"
          aria-label={words('layers.filter')}
          placeholder={words('layers.filter')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.key !== 'Escape') return
            event.preventDefault()
            event.currentTarget.blur()
          }}
          className={`${INPUT} w-full`}
        />
      </div>
      {rows.length === 0 ? (
        <p className="px-3 text-sm text-text-2">{words('layers.filter.none')}</p>
      ) : (
        <Rows key={layer} {...{ layer, rows, toggle, file, onOpen }} />
      )}
    </div>
  )
}

interface RowOptions {
  readonly layer: string
  readonly files: readonly FileEntry[]
  readonly file: string | undefined
  readonly text: string
}

/** Open folders of each layer, while the console is open. */
const openFolders = new Map<string, ReadonlySet<string>>()

function useTreeRows({ layer, files, file, text }: RowOptions) {
  const draftPaths = useDraftPaths()
  const [, setChange] = useState(0)
  // Files that are not stored yet have a draft.
  const paths = useMemo(
    () =>
      [...new Set([...files.map(({ path }) => path), ...draftPaths])].filter((path) =>
        path.startsWith(layer),
      ),
    [files, draftPaths, layer],
  )
  const folders = openFolders.get(layer) ?? firstFolders(paths, layer)
  const setFolders = (next: ReadonlySet<string>): void => {
    openFolders.set(layer, next)
    setChange((count) => count + 1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file opens its folders once.
  useEffect(() => {
    const above = file === undefined ? [] : foldersAbove(file)
    if (above.some((folder) => !folders.has(folder))) setFolders(new Set([...folders, ...above]))
  }, [file])
  const rows = useMemo(() => {
    if (text === '') return rowsOf(treeOf(paths, layer), layer, (folder) => folders.has(folder))
    const matching = paths.filter((path) => path.toLowerCase().includes(text))
    return rowsOf(treeOf(matching, layer), layer, () => true)
  }, [paths, layer, folders, text])
  const toggle = (folder: string): void => {
    const next = new Set(folders)
    if (!next.delete(folder)) next.add(folder)
    setFolders(next)
  }
  return { rows, toggle }
}

interface RowsProps extends Pick<Props, 'layer' | 'file' | 'onOpen'> {
  readonly rows: readonly TreeRow[]
  readonly toggle: (folder: string) => void
}

function Rows({ layer, rows, toggle, file, onOpen }: RowsProps) {
  const words = useWords()
  const box = useRef<HTMLDivElement>(null)
  const rowPx = coarse.matches ? TALL_PX : ROW_PX
  const span = useSpan(box, rows.length, rowPx)
  const draftPaths = useDraftPaths()
  const states = useFileStates(layer)
  const [current, setCurrent] = useState(file)
  const index = Math.max(
    0,
    rows.findIndex(({ path }) => path === current),
  )
  const fileIndex = rows.findIndex(({ path }) => path === file)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is shown once.
  useLayoutEffect(() => {
    if (fileIndex >= 0) scrollToRow(box.current, fileIndex, rowPx)
  }, [file, fileIndex >= 0])
  const activate = ({ path, isOpen }: TreeRow): void => {
    setCurrent(path)
    if (isOpen === undefined) onOpen(path)
    else toggle(path)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[index]
    const next = movedTo(rows, index, event.key)
    if (next !== undefined) {
      setCurrent(rows[next]?.path)
      scrollToRow(box.current, next, rowPx)
    } else if (row && ['Enter', ' '].includes(event.key)) activate(row)
    else if (row?.isOpen === false && event.key === 'ArrowRight') toggle(row.path)
    else if (row?.isOpen === true && event.key === 'ArrowLeft') toggle(row.path)
    else return
    event.preventDefault()
  }
  const isInView = index >= span.from && index < span.to
  return (
    <div
      ref={box}
      role="tree"
      tabIndex={0}
      aria-label={words('layers.files')}
      aria-activedescendant={isInView ? `file-${index}` : undefined}
      onKeyDown={onKey}
      className="group/tree min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div role="presentation" className="relative" style={{ height: rows.length * rowPx }}>
        {rows.slice(span.from, span.to).map((row, at) => (
          <Row
            key={row.path}
            row={row}
            id={`file-${span.from + at}`}
            top={(span.from + at) * rowPx}
            rowPx={rowPx}
            isSelected={row.path === file}
            isCurrent={span.from + at === index}
            hasDraft={draftPaths.includes(row.path)}
            state={states.get(row.path)}
            onClick={() => activate(row)}
          />
        ))}
      </div>
    </div>
  )
}

function scrollToRow(element: HTMLElement | null, index: number, rowPx: number): void {
  if (!element) return
  const viewport = { top: element.scrollTop, height: element.clientHeight }
  element.scrollTop = scrollTo(index, viewport, rowPx)
}

/** Returns the rows to render; follows the scroll position and the size of the box. */
function useSpan(box: RefObject<HTMLDivElement | null>, count: number, rowPx: number) {
  const [span, setSpan] = useState(() => renderedRows({ top: 0, height: 900 }, count, rowPx))
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const update = (): void => {
      const viewport = { top: element.scrollTop, height: element.clientHeight }
      const next = renderedRows(viewport, count, rowPx)
      setSpan((last) => (last.from === next.from && last.to === next.to ? last : next))
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [box, count, rowPx])
  return span
}

interface RowProps {
  readonly row: TreeRow
  readonly id: string
  readonly top: number
  readonly rowPx: number
  readonly isSelected: boolean
  readonly isCurrent: boolean
  readonly hasDraft: boolean
  readonly state: FileState | undefined
  readonly onClick: () => void
}

function Row({ row, id, top, rowPx, isSelected, isCurrent, hasDraft, state, onClick }: RowProps) {
  const words = useWords()
  const { path, name, depth, isOpen } = row
  const indent = INDENTS[Math.min(depth, INDENTS.length - 1)]
  const color = state?.severity === 'error' ? 'text-failed' : 'text-late'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus.
    <div
      id={id}
      role="treeitem"
      title={path}
      aria-level={depth + 1}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      onClick={onClick}
      style={{ top, height: rowPx }}
      className={`absolute inset-x-0 flex cursor-pointer items-center gap-1.5 pr-2 text-sm ${indent} ${
        isSelected ? 'bg-selected' : 'hover:bg-sunken'
      } ${isCurrent ? '-outline-offset-2 group-focus-visible/tree:outline-2 group-focus-visible/tree:outline-accent' : ''}`}
    >
      <span className="text-text-3">
        <Icon name={isOpen === undefined ? 'file' : isOpen ? 'down' : 'right'} size={14} />
      </span>
      <span className={`min-w-0 flex-1 truncate ${state?.isOff ? 'text-text-3' : ''}`}>
        <Plain text={name} />
        {state?.isOff && <span className="pl-1 text-xs">({words('layers.off')})</span>}
      </span>
      {hasDraft && (
        <span role="img" aria-label={words('layers.unsaved')} title={words('layers.unsaved')}>
          <span className="text-late">●</span>
        </span>
      )}
      {state?.severity && (
        <span
          role="img"
          aria-label={words(`layers.severity.${state.severity}`)}
          title={words(`layers.severity.${state.severity}`)}
          className={color}
        >
          <Icon name="warn" size={14} />
        </span>
      )}
    </div>
  )
}
