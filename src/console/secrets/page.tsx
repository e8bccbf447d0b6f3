/** Page of secrets: the list beside one secret, without values. */

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { MissingScope } from '../kit/missing-scope.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelection } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { Ago, Code } from '../text/text.tsx'
import { Panes } from '../webhooks/panes.tsx'
import { Row } from '../webhooks/row.tsx'
import { SecretDetail } from './detail.tsx'
import { SecretForm } from './form.tsx'
import { secretSearch } from './search.ts'
import type { Secret } from './state.ts'

const PAGE = 100
const SECRETS = ['secrets'] as const

export default function Secrets() {
  const words = useWords()
  const mayRead = useMay('secrets:read')
  const mayWrite = useMay('secrets:write')
  const { sel } = secretSearch(useSearch({ strict: false }))
  const [isCreating, setCreating] = useState(false)
  useTitle(words('secrets.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 border-line px-4 md:min-h-10 md:border-b md:py-1 ${sel === undefined ? 'border-b py-1' : ''}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('secrets.title')}</h1>
        {mayRead && mayWrite && (
          <Button
            icon="plus"
            className={`lg:ml-auto ${sel === undefined ? '' : 'max-md:hidden'}`}
            onClick={() => setCreating(true)}
          >
            {words('secrets.new')}
          </Button>
        )}
      </header>
      {mayRead ? (
        <SecretList selection={sel} isCreating={isCreating} onCreated={() => setCreating(false)} />
      ) : (
        <MissingScope scope="secrets:read" />
      )}
    </div>
  )
}

interface ListProps {
  readonly selection: string | undefined
  readonly isCreating: boolean
  readonly onCreated: () => void
}

function SecretList({ selection, isCreating, onCreated }: ListProps) {
  const words = useWords()
  // The audit log records each read, so the list is not refreshed by time.
  const pages = usePages<Secret>([...SECRETS, 'list'], (cursor) =>
    api.secrets.list({ limit: PAGE, cursor }),
  )
  const [warnings, setWarnings] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  const names = pages.items.map(({ name }) => name)
  const { select, move } = useSelection(names, selection)
  useKeys({ j: () => move(1), k: () => move(-1) })
  const reload = () => queries.invalidateQueries({ queryKey: SECRETS })
  const onSaved = (name: string, sentences: readonly string[]): void => {
    setWarnings(new Map([...warnings, [name, sentences]]))
    void reload()
  }
  const secret = pages.items.find(({ name }) => name === selection)
  return (
    <>
      <OfflineLine />
      <Panes
        label={words('secrets.secret')}
        isEmpty={pages.items.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && pages.items.length === 0 && <Empty />}
            <ul aria-label={words('secrets.title')}>
              {pages.items.map((item) => (
                <SecretRow
                  key={item.name}
                  secret={item}
                  isSelected={item.name === selection}
                  onSelect={() => select(item.name)}
                />
              ))}
            </ul>
            <div className="px-4">
              <More of={pages} />
            </div>
          </>
        }
        entry={
          selection === undefined ? undefined : secret ? (
            <SecretDetail
              key={secret.name}
              secret={secret}
              warnings={warnings.get(secret.name) ?? []}
              onSaved={onSaved}
              onDeleted={() => {
                void reload()
                select(undefined, true)
              }}
            />
          ) : pages.isSuccess && !pages.isFetching ? (
            <p className="text-sm text-text-2">{words('secrets.gone')}</p>
          ) : (
            <Loading />
          )
        }
      />
      {isCreating && (
        <SecretForm
          onSaved={(created) => {
            onCreated()
            onSaved(created.name, created.warnings)
            select(created.name)
          }}
          onClose={onCreated}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly secret: Secret
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function SecretRow({ secret, isSelected, onSelect }: RowProps) {
  const words = useWords()
  const { name, hosts, any_host, uses, updated_at } = secret
  const destination = any_host ? words('secrets.any') : hosts.join(', ')
  return (
    <Row
      {...{ id: name, name, isSelected, onSelect }}
      about={`${destination} · ${uses.map((use) => words(`secrets.use.${use}`)).join(', ')}`}
      end={
        <span className="whitespace-nowrap">
          <Ago at={updated_at} />
        </span>
      }
    />
  )
}

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('secrets.empty')}</p>
      <Code
        label="strata"
        text="strata secrets set SHOP_TOKEN --host mcp.shop.example < token.txt"
      />
    </div>
  )
}
