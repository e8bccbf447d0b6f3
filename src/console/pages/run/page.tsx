/** One run: what it was asked, what it did and when, what it was given, and what it cost. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { lazily } from '../../app/loaded.ts'
import { useMay } from '../../app/session.ts'
import { useTitle } from '../../app/title.ts'
import { useWords } from '../../app/words.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Code } from '../../ui/text.tsx'
import { Again } from './again.tsx'
import { CopyAs } from './copy-as.tsx'
import { Events } from './event-list.tsx'
import { useTreeEvents } from './events.ts'
import { Overview } from './overview.tsx'
import { TabPanels } from './tabs.tsx'
import { Timeline } from './timeline.tsx'

const Config = lazily(() => import('./config.tsx'))
const Transcript = lazily(() => import('./transcript.tsx'))

type Run = Schemas['Run']
const LIVE: ReadonlySet<Run['status']> = new Set(['queued', 'running', 'waiting'])
const EVERY_MS = 2_000
const TABS = ['overview', 'timeline', 'events', 'transcript', 'config', 'json'] as const
type Tab = (typeof TABS)[number]

export default function RunPage() {
  const words = useWords()
  const { run: id = '' } = useParams({ strict: false })
  const found = useQuery({
    queryKey: ['runs', id],
    queryFn: () => api.runs.get(id),
    refetchInterval: ({ state }) => (state.data && LIVE.has(state.data.status) ? EVERY_MS : false),
  })
  const run = found.data
  if (!run) {
    return (
      <Page title={words('run.title')}>
        {found.isPending ? (
          <Loading />
        ) : (
          <Problem error={found.error} onRetry={() => void found.refetch()} />
        )}
      </Page>
    )
  }
  return <Known key={run.id} run={run} />
}

function Known({ run }: { readonly run: Run }) {
  const words = useWords()
  const navigate = useNavigate()
  const { tab: named } = useSearch({ strict: false }) as { readonly tab?: Tab }
  const tab = TABS.find((one) => one === named) ?? 'overview'
  const seen = useTreeEvents(run.id)
  return (
    <Page wide title={<Title run={run} />} actions={<Actions run={run} />}>
      <TabPanels
        label={words('run.title')}
        tabs={TABS.map((name) => [name, words(`run.${name}`)] as const)}
        chosen={tab}
        onChoose={(name) =>
          void navigate({
            to: '/runs/$run',
            params: { run: run.id },
            search: { tab: name } as never,
            replace: true,
          })
        }
      >
        {seen.lost && (
          <p role="status" className="mb-3 text-sm text-warn">
            {words('error.offline')}
          </p>
        )}
        <Problem error={seen.error} />
        <Suspense fallback={<Loading />}>
          {tab === 'overview' && <Overview run={run} />}
          {tab === 'timeline' && (
            <Timeline runId={run.id} events={seen.events} live={LIVE.has(run.status)} />
          )}
          {tab === 'events' && <Events events={seen.events} rootId={run.id} />}
          {tab === 'transcript' && <Transcript id={run.id} live={LIVE.has(run.status)} />}
          {tab === 'config' && <Config run={run} />}
          {tab === 'json' && <Code tall value={run} label={words('run.json')} />}
        </Suspense>
      </TabPanels>
    </Page>
  )
}

function Title({ run }: { readonly run: Run }) {
  const words = useWords()
  useTitle(`${run.label ?? run.agent} · ${words('run.title')}`)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Status status={run.status} />
      <span className="truncate">{run.label ?? run.agent}</span>
      <span className="hidden font-mono text-xs font-normal text-muted lg:inline">{run.id}</span>
    </span>
  )
}

function Actions({ run }: { readonly run: Run }) {
  const words = useWords()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const may = useMay('runs:write')
  const cancel = useMutation({
    mutationFn: () => api.runs.cancel(run.id, {}),
    onSettled: () => cache.invalidateQueries({ queryKey: ['runs', run.id] }),
  })
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-1.5 max-sm:[&>button]:px-2 max-sm:[&>button>svg]:hidden">
      <Problem error={cancel.error} />
      <Link
        to="/chat/$session"
        params={{ session: run.session_id }}
        className="text-sm text-accent underline"
      >
        {words('run.session')}
      </Link>
      <CopyAs id={run.id} />
      {may && <Again id={run.id} />}
      {may && LIVE.has(run.status) && (
        <Button look="danger" icon="stop" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {words('run.cancel')}
        </Button>
      )}
      {may && !LIVE.has(run.status) && (
        <Confirm
          word={words('delete')}
          question={words('run.delete.sure')}
          act={() => api.runs.delete(run.id).then(() => navigate({ to: '/runs' }))}
          touches={['runs']}
        />
      )}
    </div>
  )
}
