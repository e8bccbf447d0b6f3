/** Sums of the report, and what they do not include. */

import { Link } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { amount, dollars, exactTime } from '../text/format.ts'
import { dayText } from './day-text.ts'
import type { Report } from './state.ts'

interface Props {
  readonly report: Report
  /** Opens the days before those of the report. */
  readonly onEarlier: (to: string) => void
}

export function Totals({ report, onEarlier }: Props) {
  const words = useWords()
  const { total, next_to, data } = report
  const { runs, fanouts, usage, cost, unpriced } = total
  const partial = data.filter((day) => day.partial)
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap">
        <Figure name={words('usage.cost')} value={cost === null ? '–' : dollars(cost)} />
        <Figure name={words('usage.runs')} value={amount(runs)} />
        {fanouts > 0 && <Figure name={words('usage.fanouts')} value={amount(fanouts)} />}
        <Figure name={words('usage.calls')} value={amount(usage.model_calls)} />
        <Figure name={words('usage.input')} value={amount(usage.input_tokens)} />
        <Figure name={words('usage.output')} value={amount(usage.output_tokens)} />
        <Figure name={words('usage.unpriced')} value={amount(unpriced)} />
      </dl>
      {report.quotas.length > 0 && <Quotas quotas={report.quotas} />}
      <div className="grid max-w-3xl gap-1 text-xs text-text-2">
        {unpriced > 0 && (
          <p>
            {words('usage.unpriced.hint', { n: unpriced })}{' '}
            <Link to="/settings" className="text-accent underline">
              {words('usage.prices')}
            </Link>
          </p>
        )}
        {usage.estimated && <p>{words('usage.estimated')}</p>}
        {partial.length > 0 && (
          <p>
            {words('usage.partial', { days: partial.map(({ date }) => dayText(date)).join(', ') })}
          </p>
        )}
        {next_to !== null && (
          <p className="flex flex-wrap items-center gap-2">
            {words('usage.cut', { day: dayText(next_to) })}
            <Button onClick={() => onEarlier(next_to)}>{words('usage.earlier')}</Button>
          </p>
        )}
        <p>{words('usage.counted')}</p>
      </div>
    </div>
  )
}

/** Shows the quotas of the tenant and of the key that is signed in, with their current use. */
function Quotas({ quotas }: Pick<Report, 'quotas'>) {
  const words = useWords()
  return (
    <section aria-labelledby="quotas">
      <h2 id="quotas" className="mb-1 text-sm font-semibold">
        {words('quotas.title')}
      </h2>
      <ul className="grid gap-1 text-sm">
        {quotas.map(({ owner, quota, limit, used, resets_at }) => {
          const text = quota.startsWith('dollars') ? dollars : amount
          return (
            <li key={`${owner} ${quota}`} className="flex flex-wrap gap-x-2">
              <span className="w-36 shrink-0 text-text-2">{words(`quotas.${quota}`)}</span>
              <span className="w-16 shrink-0 text-text-2">{words(`quotas.of.${owner}`)}</span>
              <span className={`tabular-nums ${used >= limit ? 'text-failed' : ''}`}>
                {words('quotas.used', { used: text(used), limit: text(limit) })}
              </span>
              {resets_at !== null && (
                <span className="text-text-2">
                  {words('quotas.resets', { time: exactTime(resets_at) })}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="grid">
      <dt className="text-xs text-text-2">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
