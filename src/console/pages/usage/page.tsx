/** Usage by day, agent or model: runs, calls, tokens and their cost by the list of prices. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useWords, type Word } from '../../app/words.ts'
import { BareSelect } from '../../ui/field.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { amount, dollars } from '../../ui/text.tsx'
import { MEASURES, type Measure, ReportView } from './report.tsx'

const DAY_MS = 86_400_000
const SPANS = ['7', '30', '90'] as const
const BYS = ['day', 'agent', 'model'] as const

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export default function UsagePage() {
  const words = useWords()
  const [days, setDays] = useState<string>('30')
  const [measure, setMeasure] = useState<Measure>('cost')
  const [by, setBy] = useState<(typeof BYS)[number]>('day')
  const from = dateOf(Date.now() - (Number(days) - 1) * DAY_MS)
  // Up to the beginning of this day.
  const to = dateOf(Date.now() + DAY_MS)
  const found = useQuery({
    queryKey: ['usage', from, to, by],
    queryFn: () => api.usage.get({ from, to, by }),
    // The figures above stay where they are while groups are read.
    placeholderData: (before) => before,
  })
  const report = found.data
  const isEmpty = report?.data.length === 0
  return (
    <Page
      title={words('nav.usage')}
      actions={
        <>
          <BareSelect
            label={words('usage.by')}
            value={by}
            options={BYS.map((one) => [one, words(`usage.by.${one}`)])}
            onChange={({ target }) => setBy(target.value as typeof by)}
          />
          <BareSelect
            label={words('usage.measure')}
            value={measure}
            options={MEASURES.map((one) => [one, words(`usage.${one}` as Word)])}
            onChange={({ target }) => setMeasure(target.value as Measure)}
          />
          <BareSelect
            label={words('usage.span')}
            value={days}
            options={SPANS.map((one) => [one, words('usage.days', { n: one })])}
            onChange={({ target }) => setDays(target.value)}
          />
        </>
      }
    >
      {found.isPending && <Loading />}
      <Problem error={found.error} onRetry={() => void found.refetch()} />
      {isEmpty && <Empty title={words('usage.empty')} command={'strata run "Say hello."'} />}
      {report && !isEmpty && (
        <div className="grid gap-5">
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <Figure
              name={words('usage.cost')}
              value={report.total.cost === null ? '–' : dollars(report.total.cost)}
            />
            <Figure name={words('usage.runs')} value={amount(report.total.runs)} />
            <Figure name={words('usage.calls')} value={amount(report.total.usage.model_calls)} />
            <Figure
              name={words('usage.tokens')}
              value={amount(report.total.usage.input_tokens + report.total.usage.output_tokens)}
            />
          </dl>
          {report.total.unpriced > 0 && (
            <p className="text-sm text-muted">
              {words('usage.unpriced', { n: report.total.unpriced })}
            </p>
          )}
          {report.next_to !== null && (
            <p className="text-sm text-muted">{words('usage.partial', { day: report.next_to })}</p>
          )}
          <ReportView report={report} measure={measure} from={from} to={to} />
        </div>
      )}
    </Page>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="rounded-xl border border-line bg-surface p-4">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
