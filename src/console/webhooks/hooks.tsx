/** List of inbound hooks, beside the selected hook. */

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
import { HookDetail } from './hook-detail.tsx'
import { HookForm } from './hook-form.tsx'
import type { Hook } from './hook-state.ts'
import { Panes } from './panes.tsx'
import { Row } from './row.tsx'
import { SecretDialog } from './secret.tsx'

const EVERY_MS = 15_000
const PAGE = 50
const HOOKS = ['webhooks', 'hooks'] as const

export function HookList({ selection }: { readonly selection: string | undefined }) {
  const words = useWords()
  const mayWrite = useMay('hooks:write')
  const pages = usePages<Hook>(
    [...HOOKS, 'list'],
    (cursor) => api.hooks.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const hooks = pages.items
  const ids = hooks.map(({ id }) => id)
  const { select, move } = useSelection(ids, selection)
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  useKeys({ j: () => move(1), k: () => move(-1) })
  const reload = () => queries.invalidateQueries({ queryKey: HOOKS })
  return (
    <>
      {mayWrite && (
        <div
          className={`border-b border-line px-4 py-2 ${selection === undefined ? '' : 'hidden md:block'}`}
        >
          <Button icon="plus" onClick={() => setCreating(true)}>
            {words('webhooks.hooks.new')}
          </Button>
        </div>
      )}
      <OfflineLine />
      <Panes
        label={words('webhooks.hook')}
        isEmpty={hooks.length === 0}
        onBack={() => select(undefined, true)}
        list={
          <>
            {pages.isPending && !pages.error && <Loading />}
            {pages.isSuccess && hooks.length === 0 && <Empty />}
            <ul aria-label={words('webhooks.hooks')}>
              {hooks.map(({ id, description, scheme, template, run, created_at }) => (
                <Row
                  key={id}
                  id={id}
                  isSelected={id === selection}
                  onSelect={() => select(id)}
                  name={description ?? id}
                  state={<span className="text-xs text-text-2">{scheme}</span>}
                  about={`${run.agent} · ${template}`}
                  end={<Ago at={created_at} />}
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
            <HookDetail
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
        <HookForm
          onSaved={(hook) => {
            setCreating(false)
            setSecret(hook.secret)
            void reload()
            select(hook.id)
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

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('webhooks.hooks.empty')}</p>
      <Code label="curl" text={curlCommand()} />
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl ${location.origin}/v1/hooks \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"scheme": "github", "template": "Triage: {{issue.title}}"}'`,
  ].join('\n')
