/** The API's own view of a run, as JSON. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refetchOffline, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { CopyButton, Plain } from '../text/text.tsx'

type Id = Schemas['Run']['id']
/** Views besides the run itself, with the requests that read them. */
const READS = {
  tree: (id: Id) => api.runs.tree(id),
  children: async (id: Id) => await api.runs.children(id, { limit: 100 }),
  transcript: async (id: Id) => await api.runs.transcript(id),
  config: (id: Id) => api.runs.config(id),
  input: (id: Id) => api.runs.input(id),
} as const
type View = 'run' | keyof typeof READS
const VIEWS = ['run', ...(Object.keys(READS) as (keyof typeof READS)[])] as const

export function Raw({ run }: { readonly run: Schemas['Run'] }) {
  const words = useWords()
  const [view, setView] = useState<View>('run')
  const { data, error, refetch } = useQuery({
    queryKey: ['run', run.id, view],
    enabled: view !== 'run',
    refetchInterval: refetchOffline,
    queryFn: (): Promise<unknown> => (view === 'run' ? Promise.resolve(run) : READS[view](run.id)),
  })
  const value = view === 'run' ? run : data
  const text = value === undefined ? '' : JSON.stringify(value, null, 2)
  return (
    <div className="flex h-full min-h-0 flex-col gap-2 p-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-1">
        {VIEWS.map((name) => (
          <Button
            key={name}
            look={name === view ? 'plain' : 'quiet'}
            aria-pressed={name === view}
            onClick={() => setView(name)}
          >
            {words(`run.raw.${name}`)}
          </Button>
        ))}
        <span className="ml-auto">{text !== '' && <CopyButton text={text} />}</span>
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {value === undefined && !error && <Loading />}
      {text !== '' && (
        <pre
          tabIndex={0}
          role="group"
          aria-label={words(`run.raw.${view}`)}
          className="min-h-0 flex-1 overflow-auto rounded-md border border-line bg-subtle px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <Plain text={text} />
        </pre>
      )}
    </div>
  )
}
