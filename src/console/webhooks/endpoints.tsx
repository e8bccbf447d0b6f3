/** List of endpoints with their health, beside the selected endpoint. */

import { useState } from 'react'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelection } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { Ago, Code } from '../text/text.tsx'
import { EndpointDetail } from './endpoint-detail.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import type { Endpoint } from './endpoint-state.ts'
import { Panes } from './panes.tsx'
import { Row } from './row.tsx'
import { SecretDialog } from './secret.tsx'

const EVERY_MS = 10_000
const PAGE = 50

const ENDPOINTS = ['webhooks', 'endpoints'] as const

export function EndpointList({ selection }: { readonly selection: string | undefined }) {
  const words = useWords()
  const mayWrite = useMay('webhooks:write')
  const pages = usePages<Endpoint>(
    [...ENDPOINTS, 'list'],
    (cursor) => api.webhookEndpoints.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const endpoints = pages.items
  const ids = endpoints.map(({ id }) => id)
  const { select, move } = useSelection(ids, selection)
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  useKeys({ j: () => move(1), k: () => move(-1) })
  const reload = () => queries.invalidateQueries({ queryKey: ENDPOINTS })
  return (
    <>
      {mayWrite && (
        <div
          className={`border-b border-line px-4 py-2 ${selection === undefined ? '' : 'hidden md:block'}`}
        >
          <Button icon="plus" onClick={() => setCreating(true)}>
            {words('webhooks.endpoints.new')}
          </Button>
        </div>
      )}
      <OfflineLine />
      <Panes
        label={words('webhooks.endpoint')}
        isEmpty={endpoints.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && endpoints.length === 0 && <Empty />}
            <ul aria-label={words('webhooks.endpoints')}>
              {endpoints.map((endpoint) => (
                <EndpointRow
                  key={endpoint.id}
                  endpoint={endpoint}
                  isSelected={endpoint.id === selection}
                  onSelect={() => select(endpoint.id)}
                />
              ))}
            </ul>
            <div className="px-4">
              <More of={pages} />
            </div>
          </>
        }
        entry={
          selection === undefined ? undefined : (
            <EndpointDetail
              key={selection}
              id={selection}
              onChanged={reload}
              onSecret={setSecret}
              onDeleted={() => select(undefined, true)}
            />
          )
        }
      />
      {isCreating && (
        <EndpointForm
          onSaved={(endpoint) => {
            setCreating(false)
            setSecret(endpoint.secret)
            void reload()
            select(endpoint.id)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={words('webhooks.secret')}
          hint={words('webhooks.secret.once')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly endpoint: Endpoint
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function EndpointRow({ endpoint, isSelected, onSelect }: RowProps) {
  const words = useWords()
  const { id, url, description, events, failing_since } = endpoint
  const subscriptions = events.join(', ')
  return (
    <Row
      {...{ id, isSelected, onSelect }}
      name={description ?? url}
      state={<EndpointHealth endpoint={endpoint} />}
      about={description === null ? subscriptions : `${url} · ${subscriptions}`}
      end={
        failing_since !== null && (
          <span className="whitespace-nowrap">
            {words('webhooks.failing')} <Ago at={failing_since} />
          </span>
        )
      }
    />
  )
}

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('webhooks.endpoints.empty')}</p>
      <Code label="curl" text={curlCommand()} />
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl ${location.origin}/v1/webhook-endpoints \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"url": "https://example.com/strata"}'`,
  ].join('\n')
