/** The selected hook: its URL, its template with a preview, and the runs that it started. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fact } from '../approvals/why.tsx'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { RunLink } from '../run/run-link.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Code, CopyButton, Plain } from '../text/text.tsx'
import { type DetailProps, HookActions } from './hook-actions.tsx'
import { HookPreview } from './hook-preview.tsx'
import type { Hook } from './hook-state.ts'

const EVERY_MS = 15_000
const RUNS = 5

export function HookDetail(props: DetailProps) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'hooks', 'one', props.id],
    queryFn: () => api.hooks.get(props.id),
    refetchInterval: EVERY_MS,
  })
  const retry = () => void refetch()
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  const name = data.description ?? data.id
  return (
    <article aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PollProblem error={error} hasData onRetry={retry} />
      <h2 className="font-semibold [overflow-wrap:anywhere]">
        <Plain text={name} />
      </h2>
      <HookActions {...props} hook={data} />
      <Facts hook={data} />
      <HookPreview hook={data} />
      <section aria-label={words('webhooks.hooks.runs')} className="grid gap-1">
        <h3 className="text-sm font-medium">{words('webhooks.hooks.runs')}</h3>
        <Runs id={data.id} />
      </section>
    </article>
  )
}

function Facts({ hook }: { readonly hook: Hook }) {
  const words = useWords()
  const { id, url_path, scheme, events, public_keys, run, created_at } = hook
  const url = `${location.origin}${url_path}`
  return (
    <dl className="grid gap-x-4 gap-y-2 text-sm grid-cols-[5.5rem_minmax(0,1fr)]">
      <Fact name={words('webhooks.url')}>
        <span className="flex items-center gap-1 font-mono text-xs">
          {url}
          <CopyButton text={url} />
        </span>
      </Fact>
      <Fact name={words('webhooks.scheme')}>{scheme}</Fact>
      <Fact name={words('webhooks.events')}>
        {events === null ? words('webhooks.hooks.events.all') : <Plain text={events.join(', ')} />}
      </Fact>
      {public_keys.length > 0 && (
        <Fact name={words('webhooks.hooks.keys')}>
          <Plain text={public_keys.join(', ')} />
        </Fact>
      )}
      <Fact name={words('webhooks.hooks.run')}>
        <Code text={JSON.stringify(run, null, 2)} label={words('webhooks.hooks.run')} />
      </Fact>
      <Fact name={words('webhooks.created')}>
        {exactTime(created_at)} (<Ago at={created_at} />)
      </Fact>
      <Fact name={words('webhooks.id')}>
        <span className="flex items-center gap-1 font-mono text-xs">
          {id}
          <CopyButton text={id} />
        </span>
      </Fact>
    </dl>
  )
}

function Runs({ id }: { readonly id: string }) {
  const words = useWords()
  const may = useMay('runs:read')
  const filters = { kind: 'hook', 'metadata.hook_id': id } as const
  const { data, error } = useQuery({
    queryKey: ['webhooks', 'hooks', 'runs', id],
    enabled: may,
    refetchInterval: EVERY_MS,
    queryFn: async () => (await api.runs.list({ ...filters, limit: RUNS })).data,
  })
  if (!may) return <Forbidden scope="runs:read" />
  if (!data) return error ? <Problem error={error} /> : <Loading />
  if (data.length === 0)
    return <p className="text-sm text-text-2">{words('webhooks.hooks.runs.none')}</p>
  return (
    <>
      <ul>
        {data.map((run) => (
          <li key={run.id} className="flex items-center gap-3 border-t border-line py-1.5 text-sm">
            <Status state={run.status} />
            <span className="min-w-0 flex-1 truncate">
              <RunLink run={run.id} text={run.input} />
            </span>
            <span className="text-xs text-text-2">
              <Ago at={run.created_at} />
            </span>
          </li>
        ))}
      </ul>
      <Link
        to="/runs"
        search={filters}
        className="justify-self-start text-sm text-accent hover:underline"
      >
        {words('webhooks.hooks.runs.all')}
      </Link>
    </>
  )
}
