/** Usage by agent, model, or kind as a table, whose numbers of runs open these runs. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { amount, dollars } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { RunsLink } from './runs-link.tsx'
import type { Grouping } from './search.ts'
import { countedRange, type Report, runsFilter, type Sum } from './state.ts'

interface Props {
  readonly report: Report
  readonly by: Grouping
}

export function GroupTable({ report, by }: Props) {
  const words = useWords()
  const { groups = [], other } = report.total
  const range = countedRange(report)
  const heads = ['runs', 'calls', 'input', 'output', 'cost', 'unpriced'] as const
  return (
    <section aria-label={words(`usage.table.${by}`)} className="grid gap-2">
      <h2 className="font-semibold">{words(`usage.table.${by}`)}</h2>
      <div
        tabIndex={0}
        role="group"
        aria-label={words(`usage.table.${by}`)}
        className="overflow-x-auto"
      >
        <table className="w-full text-sm tabular-nums">
          <thead className="text-xs text-text-2">
            <tr className="border-b border-line">
              <th scope="col" className="py-1.5 pr-4 text-left font-normal">
                {words(`usage.by.${by}`)}
              </th>
              {heads.map((head) => (
                <th
                  key={head}
                  scope="col"
                  className="py-1.5 pl-4 text-right font-normal whitespace-nowrap"
                >
                  {words(`usage.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <GroupRow
                key={group.group ?? ''}
                name={<GroupName by={by} group={group.group} sum={group} />}
                sum={group}
                filter={runsFilter(range, by, group.group)}
              />
            ))}
            {other && (
              <GroupRow
                name={words('usage.other', { n: other.groups })}
                sum={other}
                filter={undefined}
              />
            )}
          </tbody>
          <tfoot className="font-medium">
            <GroupRow name={words('usage.total')} sum={report.total} filter={runsFilter(range)} />
          </tfoot>
        </table>
      </div>
      {other && <p className="text-xs text-text-2">{words('usage.other.hint')}</p>}
    </section>
  )
}

interface NameProps {
  readonly by: Grouping
  readonly group: string | null
  readonly sum: Sum
}

function GroupName({ by, group, sum }: NameProps) {
  const words = useWords()
  if (group === null)
    return words(sum.runs === 0 && sum.fanouts > 0 ? 'usage.group.fanouts' : 'usage.group.none')
  if (by !== 'kind') return <Plain text={group} />
  if (group === 'fanout')
    return (
      <Link to="/fanouts" className="text-accent hover:underline">
        {words('fanouts.title')}
      </Link>
    )
  return group === 'main' || group === 'hook' || group === 'schedule'
    ? words(`runs.kind.${group}`)
    : group
}

interface RowProps {
  readonly name: ReactNode
  readonly sum: Sum
  readonly filter: ReturnType<typeof runsFilter>
}

function GroupRow({ name, sum, filter }: RowProps) {
  const { runs, usage, cost, unpriced } = sum
  const cells = [
    amount(runs),
    amount(usage.model_calls),
    amount(usage.input_tokens),
    amount(usage.output_tokens),
    cost === null ? '–' : dollars(cost),
    amount(unpriced),
  ]
  return (
    <tr className="border-b border-line hover:bg-subtle">
      <th
        scope="row"
        className="min-w-32 py-1.5 pr-4 text-left font-normal [overflow-wrap:anywhere]"
      >
        {name}
      </th>
      {cells.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
        <td key={at} className="py-1.5 pl-4 text-right whitespace-nowrap">
          {/* Only the number of runs is the length of a list of runs. */}
          <RunsLink filter={at === 0 && runs > 0 ? filter : undefined} text={text} />
        </td>
      ))}
    </tr>
  )
}
