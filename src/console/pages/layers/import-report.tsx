/** The report of an import: what would be written, overwritten or left out, and how it went. */

import { say, useWords } from '../../app/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useWindowedRows } from '../../ui/windowed.tsx'
import { Findings } from './findings.tsx'
import type { Verdict, Why } from './import-plan.ts'
import type { Reported, State, useWriting } from './importing.ts'
import { bytesOf } from './paths.ts'

const ROW = 40
const TONES: Readonly<Record<Verdict, Tone>> = {
  new: 'good',
  over: 'warn',
  same: 'neutral',
  out: 'bad',
}

interface Props {
  readonly report: readonly Reported[]
  readonly writing: ReturnType<typeof useWriting>
  readonly mostBytes: number
  readonly onOther: () => void
}

export function ImportReport({ report, writing, mostBytes, onOther }: Props) {
  const words = useWords()
  const count = (verdict: Verdict): number => report.filter((one) => one.verdict === verdict).length
  const { states, busy, write, stop } = writing
  const todo = report.filter(({ verdict }) => verdict === 'new' || verdict === 'over')
  const written = todo.filter(({ path }) => states.get(path) === 'written').length
  const left = todo.filter(({ path }) => states.get(path) !== 'written')
  const hasBegun = states.size > 0
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="min-w-48 flex-1 text-sm">
          {hasBegun
            ? words('layers.write.progress', { n: written, total: todo.length })
            : words('layers.report', {
                ...{ new: count('new'), over: count('over') },
                ...{ same: count('same'), out: count('out') },
              })}
        </p>
        {busy ? (
          <Button look="danger" onClick={stop}>
            {words('layers.write.stop')}
          </Button>
        ) : (
          <>
            <Button onClick={onOther}>{words('layers.import.other')}</Button>
            {left.length > 0 && (
              <Button look="primary" onClick={() => void write(left)}>
                {words(hasBegun ? 'layers.write.again' : 'layers.write', { n: left.length })}
              </Button>
            )}
          </>
        )}
      </div>
      {hasBegun && (
        <progress
          max={todo.length}
          value={written}
          aria-label={words('layers.write.progress', { n: written, total: todo.length })}
          className="h-2 w-full accent-(--accent)"
        />
      )}
      <Rows {...{ report, states, mostBytes }} />
    </div>
  )
}

interface RowsProps {
  readonly report: readonly Reported[]
  readonly states: ReadonlyMap<string, State>
  readonly mostBytes: number
}

function Rows({ report, states, mostBytes }: RowsProps) {
  const words = useWords()
  const rows = useWindowedRows(report.length, ROW, undefined, true)
  return (
    <div
      ref={rows.ref}
      tabIndex={0}
      role="region"
      aria-label={words('layers.state')}
      className="max-h-[60dvh] overflow-y-auto rounded-xl border border-line bg-surface"
    >
      <ol ref={rows.sized} className="relative">
        {rows.items.map(({ index, place }) => {
          const one = report[index]!
          return (
            <li
              key={one.source.path}
              ref={place}
              className="absolute inset-x-0 border-b border-line"
            >
              <OneFile {...{ one, mostBytes }} state={states.get(one.path)} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

interface OneProps {
  readonly one: Reported
  readonly state: State | undefined
  readonly mostBytes: number
}

function OneFile({ one, state, mostBytes }: OneProps) {
  const words = useWords()
  const { path, source, verdict, why, findings } = one
  const failed = typeof state === 'object' ? state.failed : undefined
  const isWriting = verdict === 'new' || verdict === 'over' ? state : undefined
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
        {failed !== undefined ? (
          <Badge tone="bad">{words('layers.plan.failed')}</Badge>
        ) : isWriting ? (
          <Badge tone={isWriting === 'written' ? 'good' : 'busy'}>
            {words(isWriting === 'written' ? 'layers.plan.written' : 'layers.plan.writing')}
          </Badge>
        ) : (
          <Badge tone={TONES[verdict]}>{words(`layers.plan.${verdict}`)}</Badge>
        )}
        <code className="min-w-40 flex-1 font-mono text-xs [overflow-wrap:anywhere]">
          {path}
          {!path.endsWith(source.path) && <span className="text-muted"> ← {source.path}</span>}
        </code>
        <span className="text-xs text-muted tabular-nums">{bytesOf(source.size)}</span>
        {why && <span className="w-full text-xs text-bad">{reasonOf(why, mostBytes)}</span>}
        {failed !== undefined && <span className="w-full text-xs text-bad">{failed}</span>}
      </div>
      <Findings findings={findings} />
    </>
  )
}

function reasonOf(why: Why, mostBytes: number): string {
  if (why.kind === 'secret') return `${say('layers.out.secret')}: ${why.text}`
  if (why.kind === 'key') return why.text
  return say(`layers.out.${why.kind}`, { most: bytesOf(mostBytes) })
}
