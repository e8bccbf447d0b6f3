/** Deliveries: filtered, each with its answer, and many sent again. */

import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading } from '../../ui/notice.tsx'
import { Table } from '../../ui/page.tsx'
import { Ago } from '../../ui/text.tsx'
import { DELIVERIES, type Delivery, EVERY_MS, OneDelivery, State } from './delivery.tsx'
import { FilterBar, queryOf, useFilter } from './filter.tsx'
import { Range } from './range.tsx'

const TEST =
  'curl -X POST $STRATA_URL/v1/webhook-endpoints/<endpoint>/test ' +
  '-H "Authorization: Bearer $STRATA_API_KEY"'

export function Deliveries() {
  const words = useWords()
  const may = useMay('webhooks:write')
  const [filter, setFilter] = useFilter()
  const [chosen, choose] = useState<string>()
  const [many, setMany] = useState(false)
  const query = queryOf(filter)
  const found = usePages<Delivery>(
    [...DELIVERIES, query],
    (cursor) => api.webhookDeliveries.list({ cursor, limit: 50, ...query }),
    EVERY_MS,
  )
  const isFiltered = Object.keys(filter).length > 0
  return (
    <div className="grid gap-3">
      <FilterBar filter={filter} onChange={setFilter}>
        {may && <Button onClick={() => setMany(true)}>{words('deliveries.range')}</Button>}
      </FilterBar>
      {found.isPending && !found.error && <Loading />}
      {found.isSuccess && found.items.length === 0 && !found.hasNextPage && (
        <Empty
          title={words(isFiltered ? 'deliveries.nothing' : 'deliveries.empty')}
          {...(isFiltered ? {} : { command: TEST })}
        />
      )}
      {found.items.length > 0 && (
        <Table
          label={words('webhooks.deliveries')}
          head={[
            words('deliveries.status'),
            words('deliveries.event'),
            words('deliveries.to'),
            words('deliveries.attempts'),
            words('deliveries.answer'),
            words('deliveries.when'),
          ]}
        >
          {found.items.map((one) => (
            <tr key={one.id}>
              <td>
                <State of={one.status} />
              </td>
              <td>
                <button
                  type="button"
                  className="font-mono text-xs text-accent underline"
                  onClick={() => choose(one.id)}
                >
                  {one.event_type}
                </button>
              </td>
              <td className="max-w-60 truncate font-mono text-xs">{one.url}</td>
              <td>{one.attempts}</td>
              <td className="max-w-60 truncate text-xs">
                {one.last_status ?? one.last_error ?? '–'}
              </td>
              <td>
                <Ago at={one.created_at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More of={found} />
      <Dialog
        title={words('deliveries.one')}
        open={chosen !== undefined}
        onClose={() => choose(undefined)}
        wide
      >
        {chosen && <OneDelivery id={chosen} may={may} />}
      </Dialog>
      <Dialog title={words('deliveries.range')} open={many} onClose={() => setMany(false)}>
        {many && <Range filter={filter} />}
      </Dialog>
    </div>
  )
}
