/** Usage of a run with all subagents: a row per model call, and totals. */

import { useMemo } from 'react'
import type { RunEvent } from '../../client/index.ts'
import { useWords } from '../i18n/words.ts'
import { Loading } from '../kit/notice.tsx'
import { costOf, type Tree, type Usage } from '../log/shape.ts'
import { amount, dollars, duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { RunLink } from './run-link.tsx'

interface Props {
  readonly id: string
  readonly tree: Tree
  readonly events: readonly RunEvent[]
}

interface Call {
  readonly key: string
  readonly run: string
  readonly purpose: 'step' | 'discarded' | 'compaction' | 'memory'
  readonly step: number
  readonly model: string
  readonly usage: Usage
  readonly ms: number | undefined
}

const PURPOSES: Readonly<Record<string, Call['purpose']>> = {
  'assistant.message': 'step',
  'assistant.discarded': 'discarded',
  'transcript.compacted': 'compaction',
  'memory.noted': 'memory',
}

interface CallData {
  readonly model: string | null
  readonly step: number
  readonly usage: Usage
  readonly duration_ms?: number
}

function callsOf(events: readonly RunEvent[]): readonly Call[] {
  const calls = new Map<string, Call>()
  for (const { run_id: run, seq, type, data } of events) {
    const purpose = PURPOSES[type]
    if (!purpose) continue
    const { model, step, usage, duration_ms: ms } = data as unknown as CallData
    if (model === null || model === '') continue
    const key = `${run} ${seq}`
    calls.set(key, { key, run, purpose, step, model, usage, ms })
  }
  return [...calls.values()]
}

export function UsageTable({ id, tree, events }: Props) {
  const words = useWords()
  const calls = useMemo(() => callsOf(events), [events])
  const runs = [...new Set([id, ...calls.map(({ run }) => run)])]
  if (events.length === 0) return <Loading />
  if (calls.length === 0)
    return <p className="p-6 text-sm text-text-3">{words('run.usage.empty')}</p>
  return (
    <div className="h-full overflow-auto">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-canvas text-xs text-text-3">
          <tr>
            <Head text={words('run.usage.call')} isText />
            <Head text={words('chat.model')} isText />
            <Head text={words('run.usage.input')} />
            <Head text={words('run.usage.cached')} />
            <Head text={words('run.usage.output')} />
            <Head text={words('run.usage.reasoning')} />
            <Head text={words('run.inspector.duration')} />
            <Head text={words('run.usage.cost')} />
          </tr>
        </thead>
        {runs.map((run) => (
          <RunUsage key={run} run={run} root={id} tree={tree} calls={calls} />
        ))}
      </table>
      {calls.some(({ usage }) => usage.estimated) && (
        <p className="px-4 py-2 text-xs text-text-3 sm:px-6">{words('run.usage.estimated')}</p>
      )}
    </div>
  )
}

function Head({ text, isText = false }: { readonly text: string; readonly isText?: boolean }) {
  return (
    <th
      scope="col"
      className={`border-b border-line px-4 py-2 font-normal ${isText ? 'text-left' : 'text-right'}`}
    >
      {text}
    </th>
  )
}

interface RunUsageProps {
  readonly run: string
  readonly root: string
  readonly tree: Tree
  readonly calls: readonly Call[]
}

function RunUsage({ run, root, tree, calls }: RunUsageProps) {
  const words = useWords()
  const view = tree.runs[run]
  const name = view?.label ?? view?.agent ?? run
  return (
    <tbody>
      <tr className="bg-subtle">
        <th scope="rowgroup" className="px-4 py-1.5 text-left font-medium">
          {run === root ? <Plain text={name} /> : <RunLink run={run} text={name} />}
        </th>
        <td className="px-4" />
        {view && <Numbers usage={view.usage} ms={undefined} price={view.price} />}
      </tr>
      {calls
        .filter((call) => call.run === run)
        .map(({ key, purpose, step, model, usage, ms }) => (
          <tr key={key}>
            <td className="px-4 py-1 pl-8 whitespace-nowrap text-text-2">
              {words(`run.usage.${purpose}`, { n: step + 1 })}
            </td>
            <td className="px-4 font-mono text-xs text-text-2">
              <Plain text={model} />
            </td>
            <Numbers usage={usage} ms={ms} price={view?.price} />
          </tr>
        ))}
    </tbody>
  )
}

interface NumbersProps {
  readonly usage: Usage
  readonly ms: number | undefined
  readonly price: Parameters<typeof costOf>[1]
}

function Numbers({ usage, ms, price }: NumbersProps) {
  const { cache_read_tokens: read = 0, reasoning_tokens: reasoning = 0, estimated } = usage
  const mark = estimated ? '≈ ' : ''
  const cost = costOf(usage, price)
  const values = [
    `${mark}${amount(usage.input_tokens)}`,
    read === 0 ? '–' : amount(read),
    `${mark}${amount(usage.output_tokens)}`,
    reasoning === 0 ? '–' : amount(reasoning),
    ms === undefined ? '' : duration(ms),
    cost === undefined ? '–' : dollars(cost),
  ]
  return values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
    <td key={index} className="px-4 py-1 text-right whitespace-nowrap">
      {value}
    </td>
  ))
}
