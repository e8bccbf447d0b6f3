/** A report as a chart and a table: days as bars in time, agents and models as bars by name. */

import type { Schemas } from '../../app/api.ts'
import { useWords, type Word } from '../../app/words.ts'
import { Table } from '../../ui/page.tsx'
import { amount, dollars } from '../../ui/text.tsx'
import { Bars } from './bars.tsx'
import { Chart } from './chart.tsx'

type Report = Schemas['UsageReport']
type Sum = Report['total']
export const MEASURES = ['cost', 'tokens', 'calls', 'runs'] as const
export type Measure = (typeof MEASURES)[number]

interface Row extends Sum {
  readonly key: string
  readonly name: string
}

const MEASURED: Readonly<Record<Measure, (row: Row) => number>> = {
  cost: ({ cost }) => cost ?? 0,
  tokens: ({ usage }) => usage.input_tokens + usage.output_tokens,
  calls: ({ usage }) => usage.model_calls,
  runs: ({ runs }) => runs,
}

interface Props {
  readonly report: Report
  readonly measure: Measure
  /** The first day, and the one after the last. */
  readonly from: string
  readonly to: string
}

export function ReportView({ report, measure, from, to }: Props) {
  const words = useWords()
  const { by, groups } = report
  const days = report.data.map((day) => ({ ...day, key: day.date, name: day.date }))
  // Fan-outs themselves use nothing: a line of zeros says nothing to anybody.
  const used = groups?.filter(
    ({ name, runs, usage }) => name !== null || runs > 0 || usage.model_calls > 0,
  )
  const named = used?.map((one) => ({
    ...one,
    ...{ key: one.name ?? '', name: one.name ?? words('usage.unnamed') },
  }))
  const rows: readonly Row[] = named ?? days
  const old = [...days].reverse()
  const format = measure === 'cost' ? dollars : amount
  const label = words(`usage.${measure}` as Word)
  return (
    <>
      {named ? (
        <Bars
          label={label}
          bars={named.map((row) => ({
            key: row.key,
            name: row.name,
            value: MEASURED[measure](row),
          }))}
          format={format}
        />
      ) : (
        <Chart
          label={label}
          days={old.map(({ date }) => date)}
          values={old.map(MEASURED[measure])}
          from={from}
          to={to}
          format={format}
        />
      )}
      <Table
        label={words('nav.usage')}
        head={[
          words(`usage.${by}`),
          words('usage.runs'),
          words('usage.calls'),
          words('usage.input'),
          words('usage.output'),
          words('usage.cost'),
        ]}
      >
        {rows.map(({ key, name, runs, usage, cost }) => (
          <tr key={key}>
            <td className={named ? 'min-w-40 [overflow-wrap:anywhere]' : 'whitespace-nowrap'}>
              {name}
            </td>
            <td>{amount(runs)}</td>
            <td>{amount(usage.model_calls)}</td>
            <td>{amount(usage.input_tokens)}</td>
            <td>{amount(usage.output_tokens)}</td>
            <td>{cost === null ? '–' : dollars(cost)}</td>
          </tr>
        ))}
      </Table>
      {used?.some(({ name }) => name === null) && (
        <p className="text-xs text-muted">{words('usage.unnamed.hint')}</p>
      )}
    </>
  )
}
