/** Facts about an approval: the rule, the run, and what the model wrote before the call. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden, Loading, Problem } from '../kit/notice.tsx'
import { RunLink } from '../run/run-link.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Plain } from '../text/text.tsx'
import { type CallReason, reasonIn } from './reason.ts'
import { pathOf } from './selection.ts'
import type { Approval } from './use-approvals.ts'

/** Maximum number of events that are read to find the call. */
const MOST_EVENTS = 5_000

async function readReason(
  run: string,
  call: string,
  signal: AbortSignal,
): Promise<CallReason | null> {
  let count = 0
  for await (const event of api.runs.events(run, {}, { signal })) {
    // The list is of the same events as the stream.
    const reason = reasonIn(event as Parameters<typeof reasonIn>[0], call)
    count += 1
    if (reason) return reason
    if (count >= MOST_EVENTS) return null
  }
  return null
}

export function Facts({ approval }: { readonly approval: Approval }) {
  const words = useWords()
  const { run_id, reason, requested_at } = approval
  return (
    <dl className="grid gap-x-4 gap-y-2 text-sm grid-cols-[5.5rem_minmax(0,1fr)]">
      <Fact name={words('approvals.why')}>
        <Why approval={approval} />
      </Fact>
      <Fact name={words('approvals.rule')}>
        <Plain text={reason} />
      </Fact>
      <Fact name={words('approvals.requested')}>
        {exactTime(requested_at)} (<Ago at={requested_at} />)
      </Fact>
      <Fact name={words('approvals.run')}>
        <RunLink run={run_id} text={pathOf(approval.path)} />
      </Fact>
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

export function Fact({ name, children }: FactProps) {
  return (
    <div className="contents">
      <dt className="text-text-2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Why({ approval: { run_id, call } }: { readonly approval: Approval }) {
  const words = useWords()
  const may = useMay('runs:read')
  const { data, error, isPending } = useQuery({
    queryKey: ['run', run_id, 'reason', call],
    queryFn: ({ signal }) => readReason(run_id, call, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: may,
  })
  if (!may) return <Forbidden scope="runs:read" />
  if (error) return <Problem error={error} />
  if (isPending) return <Loading />
  if (!data) return <>{words('approvals.why.missing', { n: MOST_EVENTS })}</>
  return (
    <div className="grid gap-1">
      <p className="max-h-60 overflow-y-auto whitespace-pre-wrap">
        {data.text === '' ? (
          <span className="text-text-2">{words('approvals.why.none')}</span>
        ) : (
          <Plain text={data.text} />
        )}
      </p>
      <p className="text-xs text-text-2">
        {words('approvals.why.step', { n: data.step })}
        {' · '}
        <Link
          to="/runs/$run"
          params={{ run: run_id }}
          search={{ sel: `${run_id}.${data.seq}` }}
          className="text-accent hover:underline"
        >
          {words('approvals.why.open')}
        </Link>
      </p>
    </div>
  )
}
