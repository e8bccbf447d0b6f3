/** Page of API keys: the list beside one key with its scopes, its rotation, and its end. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { MissingScope } from '../kit/missing-scope.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useSelectedRow } from '../kit/selected-row.ts'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { useIsWide } from '../kit/wide.ts'
import { Code } from '../text/text.tsx'
import { Panes } from '../webhooks/panes.tsx'
import { Row } from '../webhooks/row.tsx'
import { KeyDetail } from './detail.tsx'
import { KeyForm } from './form.tsx'
import { KeyStatus } from './key-status.tsx'
import { NewText } from './new-text.tsx'
import { keySearch } from './search.ts'
import type { Key } from './state.ts'
import { usedText } from './used-text.ts'

const EVERY_MS = 10_000
const PAGE = 50
const KEYS = ['keys'] as const

export default function Keys() {
  const words = useWords()
  const mayRead = useMay('keys:read')
  const mayWrite = useMay('keys:write')
  const { sel } = keySearch(useSearch({ strict: false }))
  const [isCreating, setCreating] = useState(false)
  useTitle(words('keys.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 border-line px-4 md:min-h-10 md:border-b md:py-1 ${sel === undefined ? 'border-b py-1' : ''}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('keys.title')}</h1>
        {mayRead && mayWrite && (
          <Button
            icon="plus"
            className={`lg:ml-auto ${sel === undefined ? '' : 'max-md:hidden'}`}
            onClick={() => setCreating(true)}
          >
            {words('keys.new')}
          </Button>
        )}
      </header>
      {mayRead ? (
        <KeyList selection={sel} isCreating={isCreating} onCreated={() => setCreating(false)} />
      ) : (
        <MissingScope scope="keys:read" />
      )}
    </div>
  )
}

interface ListProps {
  readonly selection: string | undefined
  readonly isCreating: boolean
  readonly onCreated: () => void
}

function KeyList({ selection, isCreating, onCreated }: ListProps) {
  const words = useWords()
  const navigate = useNavigate()
  const isWide = useIsWide()
  const pages = usePages<Key>(
    [...KEYS, 'list'],
    (cursor) => api.keys.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const [text, setText] = useState<string | null>()
  const select = (sel: string | undefined, replace = isWide): void =>
    void navigate({ to: '/keys', search: sel === undefined ? {} : { sel }, replace })
  const ids = pages.items.map(({ id }) => id)
  const move = useSelectedRow(ids, selection, select)
  useKeys({ j: () => move(1), k: () => move(-1) })
  const reload = () => queries.invalidateQueries({ queryKey: KEYS })
  const onMade = ({ id, key }: { readonly id: string; readonly key: string | null }): void => {
    setText(key)
    void reload()
    select(id)
  }
  return (
    <>
      <OfflineLine />
      <Panes
        label={words('keys.key')}
        isEmpty={pages.items.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && pages.items.length === 0 && <Empty />}
            <ul aria-label={words('keys.title')}>
              {pages.items.map((key) => (
                <KeyRow
                  key={key.id}
                  apiKey={key}
                  isSelected={key.id === selection}
                  onSelect={() => select(key.id)}
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
            <KeyDetail
              key={selection}
              id={selection}
              onChanged={reload}
              onRotated={onMade}
              onRevoked={() => select(undefined, true)}
            />
          )
        }
      />
      {isCreating && (
        <KeyForm
          onMade={(newKey) => {
            onCreated()
            onMade(newKey)
          }}
          onClose={onCreated}
        />
      )}
      {text !== undefined && <NewText text={text} onClose={() => setText(undefined)} />}
    </>
  )
}

interface RowProps {
  readonly apiKey: Key
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function KeyRow({ apiKey, isSelected, onSelect }: RowProps) {
  const words = useWords()
  const { id, name, scopes } = apiKey
  const used = usedText(apiKey)
  return (
    <Row
      {...{ id, isSelected, onSelect }}
      name={name ?? id}
      state={<KeyStatus apiKey={apiKey} />}
      about={scopes.join(', ')}
      end={
        <span className="whitespace-nowrap" title={used && words('keys.used.hour')}>
          {used === undefined ? words('keys.unused') : `${words('keys.used')} ${used}`}
        </span>
      }
    />
  )
}

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('keys.empty')}</p>
      <Code label="strata" text="strata keys --create --name ci --scope 'runs:*'" />
    </div>
  )
}
