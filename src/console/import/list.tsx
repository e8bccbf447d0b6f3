/** Files of a plan: action, target, reason, findings, and the change of the text. */

import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { Plain } from '../text/text.tsx'
import { Change } from './change.tsx'
import { type Action, type Finding, type ImportSearch, linkOf, type Row } from './state.ts'

interface Props {
  readonly rows: readonly Row[]
  readonly layer: string
  readonly search: ImportSearch
}

const ROW_PX = 38

export function StepList({ rows, layer, search }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.from ?? index,
    overscan: 12,
  })
  const toggle = (name: string): void => {
    const { sel, ...rest } = search
    void navigate({
      to: '/layers/import',
      search: linkOf(sel === name ? rest : { ...rest, sel: name }),
      replace: true,
    })
  }
  if (rows.length === 0) return <p className="text-sm text-text-2">{words('import.none')}</p>
  return (
    <div
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={words('import.plan')}
      className="max-h-[60dvh] overflow-y-auto rounded-md border border-line"
    >
      <ol
        ref={(element) => element?.style.setProperty('height', `${list.getTotalSize()}px`)}
        className="relative"
      >
        {list.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]!
          return (
            <li
              key={key}
              data-index={index}
              ref={(element) => {
                element?.style.setProperty('transform', `translateY(${start}px)`)
                list.measureElement(element)
              }}
              className="absolute inset-x-0 top-0 border-b border-line"
            >
              <FileRow
                {...{ row, layer }}
                isOpen={search.sel === row.name}
                onToggle={() => toggle(row.name)}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const COLORS: Readonly<Record<Action, string>> = {
  create: 'bg-done-tint text-done',
  replace: 'bg-running-tint text-running',
  keep: 'bg-sunken text-text-2',
  skip: 'bg-asks-tint text-asks',
}

interface RowProps {
  readonly row: Row
  readonly layer: string
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function FileRow({ row, layer, isOpen, onToggle }: RowProps) {
  const words = useWords()
  const { action, path, name, reason, findings, status } = row
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-9 w-full flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-left text-sm hover:bg-sunken pointer-coarse:min-h-11"
      >
        <Icon name={isOpen ? 'down' : 'right'} size={14} />
        <span className={`rounded px-1.5 text-xs font-medium ${COLORS[action]}`}>
          {words(`import.action.${action}`)}
        </span>
        <code className="min-w-40 flex-1 font-mono text-xs [overflow-wrap:anywhere]">
          <Plain text={path} />
          {path !== `${layer}${name}` && (
            <span className="text-text-2">
              {' ← '}
              <Plain text={name} />
            </span>
          )}
        </code>
        {status === 'rejected' && !reason && (
          <span className="text-xs text-failed">{words('import.rejected')}</span>
        )}
        {findings.length > 0 && (
          <span className="flex items-center gap-1 text-xs text-asks">
            <Icon name="warn" size={12} />
            {words('import.findings', { n: findings.length })}
          </span>
        )}
        {reason && (
          <span className="w-full pl-6 text-xs text-text-2">
            <Plain text={reason} />
          </span>
        )}
      </button>
      {isOpen && (
        <div className="grid gap-2 px-3 pb-3">
          {findings.map((finding) => (
            <FindingLine
              key={`${finding.code} ${finding.line} ${finding.message}`}
              {...{ finding }}
            />
          ))}
          <Change row={row} />
        </div>
      )}
    </>
  )
}

function FindingLine({
  finding: { severity, line, message, hint },
}: {
  readonly finding: Finding
}) {
  const words = useWords()
  return (
    <p
      className={`text-xs [overflow-wrap:anywhere] ${severity === 'error' ? 'text-failed' : severity === 'warning' ? 'text-asks' : 'text-text-2'}`}
    >
      {line !== null && <span className="font-medium">{words('import.line', { n: line })} </span>}
      <Plain text={message} />
      {hint && (
        <>
          {' → '}
          <Plain text={hint} />
        </>
      )}
    </p>
  )
}
