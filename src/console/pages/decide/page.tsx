/**
 * One decision, for somebody who came by a link: no sign-in, and nothing else of the console. The
 * token is kept by this page alone; when the page is gone, the link opens it again.
 */

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { createClient, ProblemError } from '../../../client/index.ts'
import { type DecisionToken, takeLink } from '../../app/decision-link.ts'
import { useTitle } from '../../app/title.ts'
import { useWords, type Word } from '../../app/words.ts'
import type { Decider } from '../../ui/answers.tsx'
import { ApprovalCard } from '../../ui/approval.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Ago } from '../../ui/text.tsx'

const EVERY_MS = 3_000
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
/** Read once, before anything is rendered: rendering twice must not lose it. */
const first = takeLink()

export default function DecidePage() {
  const words = useWords()
  const [link, setLink] = useState(first)
  useTitle(words('decide.title'))
  useEffect(() => {
    // Another link in the same tab changes the fragment alone, and loads no page.
    const onLink = (): void => {
      const next = takeLink()
      if (!next) return
      queries.clear()
      setLink(next)
    }
    addEventListener('hashchange', onLink)
    return () => removeEventListener('hashchange', onLink)
  }, [])
  return (
    <QueryClientProvider client={queries}>
      <main id="main" className="h-full overflow-y-auto p-4 sm:p-8">
        <div className="mx-auto grid max-w-2xl gap-5">
          <header className="flex items-center gap-3">
            <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" className="size-8" />
            <h1 className="text-lg font-semibold">{words('decide.title')}</h1>
          </header>
          {link ? <One key={link.token} {...link} /> : <Sentence word="decide.none" />}
        </div>
      </main>
    </QueryClientProvider>
  )
}

function One({ token, approval: id }: DecisionToken) {
  const words = useWords()
  const by = useMemo((): Decider => {
    const { approvals } = createClient({ url: location.origin, apiKey: token, retries: 1 })
    return { get: approvals.get, decide: approvals.decide }
  }, [token])
  const one = useQuery({
    queryKey: ['approvals', id],
    queryFn: () => by.get(id),
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' && !refusal(state.error) ? EVERY_MS : false,
  })
  const refused = refusal(one.error)
  // An old picture of it would invite to a decision that the server refuses.
  if (refused) return <Sentence word={refused} />
  const { data } = one
  return (
    <>
      {one.isPending && <Loading />}
      <Problem error={one.error} onRetry={() => void one.refetch()} />
      {data?.status === 'pending' && (
        <p className="text-sm text-muted">
          {words('decide.asks', { who: askerOf(data.path) })}{' '}
          <span className="font-mono text-xs [overflow-wrap:anywhere]">{data.run_id}</span>
        </p>
      )}
      {data && data.status !== 'pending' && (
        <Sentence word={`decide.${data.status}`}>
          {data.decision && <Ago at={data.decision.decided_at} />}
        </Sentence>
      )}
      {data && <ApprovalCard approval={data} by={by} chosen />}
      {data?.status === 'pending' && (
        <p className="text-xs text-muted">
          {words('decide.only')} {words('decide.keys')}
        </p>
      )}
    </>
  )
}

/** The run that asks, by the name that it was given. */
const askerOf = (path: readonly { readonly label?: string | null; readonly agent: string }[]) => {
  const last = path.at(-1)
  return last?.label ?? last?.agent ?? ''
}

/** Why the link opens nothing; undefined: the server may answer another time. */
function refusal(error: unknown): Word | undefined {
  if (!(error instanceof ProblemError)) return undefined
  if (error.status === 401) return 'decide.over'
  if (error.status === 403) return 'decide.forbidden'
  return error.status === 404 ? 'decide.missing' : undefined
}

function Sentence({
  word,
  children,
}: {
  readonly word: Word
  readonly children?: React.ReactNode
}) {
  const words = useWords()
  return (
    <p role="status" className="rounded-xl border border-line bg-surface p-4 text-sm">
      {words(word)} {children}
    </p>
  )
}
