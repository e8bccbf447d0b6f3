/** Page of tenants, for the operator: the list beside one tenant with its state and its actions. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { NewText } from '../keys/new-text.tsx'
import { Button } from '../kit/button.tsx'
import { MissingScope } from '../kit/missing-scope.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelectedRow } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { useIsWide } from '../kit/wide.ts'
import { Ago, Code } from '../text/text.tsx'
import { Panes } from '../webhooks/panes.tsx'
import { Row } from '../webhooks/row.tsx'
import { TenantDetail, TenantStatus } from './detail.tsx'
import { TenantForm } from './form.tsx'
import { type Tenant, tenantSearch } from './search.ts'

const EVERY_MS = 10_000
const PAGE = 50
const TENANTS = ['tenants'] as const

export default function Tenants() {
  const words = useWords()
  const mayRead = useMay('tenants:read')
  const mayWrite = useMay('tenants:write')
  const { sel } = tenantSearch(useSearch({ strict: false }))
  const [isCreating, setCreating] = useState(false)
  useTitle(words('tenants.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 border-line px-4 md:min-h-10 md:border-b md:py-1 ${sel === undefined ? 'border-b py-1' : ''}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('tenants.title')}</h1>
        {mayRead && mayWrite && (
          <Button
            icon="plus"
            className={`lg:ml-auto ${sel === undefined ? '' : 'max-md:hidden'}`}
            onClick={() => setCreating(true)}
          >
            {words('tenants.new')}
          </Button>
        )}
      </header>
      {mayRead ? (
        <TenantList selection={sel} isCreating={isCreating} onCreated={() => setCreating(false)} />
      ) : (
        <MissingScope scope="tenants:read" />
      )}
    </div>
  )
}

interface ListProps {
  readonly selection: string | undefined
  readonly isCreating: boolean
  readonly onCreated: () => void
}

function TenantList({ selection, isCreating, onCreated }: ListProps) {
  const words = useWords()
  const navigate = useNavigate()
  const isWide = useIsWide()
  const pages = usePages<Tenant>(
    [...TENANTS, 'list'],
    (cursor) => api.tenants.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const [text, setText] = useState<string | null>()
  const select = (sel: string | undefined, replace = isWide): void =>
    void navigate({ to: '/tenants', search: sel === undefined ? {} : { sel }, replace })
  const ids = pages.items.map(({ id }) => id)
  const move = useSelectedRow(ids, selection, select)
  useKeys({ j: () => move(1), k: () => move(-1) })
  const reload = () => queries.invalidateQueries({ queryKey: TENANTS })
  return (
    <>
      <OfflineLine />
      <Panes
        label={words('tenants.tenant')}
        isEmpty={pages.items.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && pages.items.length === 0 && <Empty />}
            <ul aria-label={words('tenants.title')}>
              {pages.items.map((tenant) => (
                <TenantRow
                  key={tenant.id}
                  tenant={tenant}
                  isSelected={tenant.id === selection}
                  onSelect={() => select(tenant.id)}
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
            <TenantDetail key={selection} id={selection} onChanged={reload} />
          )
        }
      />
      {isCreating && (
        <TenantForm
          onMade={({ id, key }) => {
            onCreated()
            setText(key.text)
            void reload()
            select(id)
          }}
          onClose={onCreated}
        />
      )}
      {text !== undefined && <NewText text={text} onClose={() => setText(undefined)} />}
    </>
  )
}

interface RowProps {
  readonly tenant: Tenant
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function TenantRow({ tenant, isSelected, onSelect }: RowProps) {
  const { id, name, created_at } = tenant
  return (
    <Row
      {...{ id, isSelected, onSelect }}
      name={name ?? id}
      state={<TenantStatus tenant={tenant} />}
      about={id}
      end={<Ago at={created_at} />}
    />
  )
}

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('tenants.empty')}</p>
      <Code label="strata" text="strata tenants create acme --name Acme" />
    </div>
  )
}
