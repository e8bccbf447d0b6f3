/** Choice of the run to compare with: by its ID, or from the recent runs of the same agent. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refetchOffline, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Input } from '../kit/field.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { shortTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { runIdIn } from './search.ts'
import { useRunState } from './state.ts'

type Run = Schemas['Run']

const RECENT = 20

export function ChooseRun({ run }: { readonly run: Run }) {
  const words = useWords()
  return (
    <section className="grid max-w-3xl gap-4" aria-label={words('compare.choose')}>
      <h2 className="text-lg font-semibold">{words('compare.choose')}</h2>
      <ById />
      <Recent run={run} />
    </section>
  )
}

function ById() {
  const words = useWords()
  const { compareWith } = useRunState()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const id = runIdIn(text)
        setWrong(id === undefined)
        if (id !== undefined) compareWith(id)
      }}
    >
      <div className="min-w-0 flex-1">
        <Input
          label={words('compare.choose.id')}
          value={text}
          spellCheck={false}
          autoComplete="off"
          placeholder="run_…"
          wrong={isWrong ? words('compare.choose.wrong') : undefined}
          onChange={({ target }) => {
            setText(target.value)
            setWrong(false)
          }}
          className="font-mono"
        />
      </div>
      <Button type="submit" className="mt-6 min-h-8">
        {words('run.tab.compare')}
      </Button>
    </form>
  )
}

function Recent({ run }: { readonly run: Run }) {
  const words = useWords()
  const { compareWith } = useRunState()
  const { agent } = run
  const { data, error, refetch } = useQuery({
    queryKey: ['runs', 'compare', agent],
    queryFn: async () => (await api.runs.list({ agent, limit: RECENT + 1 })).data,
    refetchInterval: refetchOffline,
  })
  const otherRuns = data?.filter(({ id }) => id !== run.id).slice(0, RECENT)
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{words('compare.choose.recent', { agent })}</h3>
      <Problem error={error} onRetry={() => void refetch()} />
      {!otherRuns && !error && <Loading />}
      {otherRuns?.length === 0 && (
        <p className="text-sm text-text-2">{words('compare.choose.none', { agent })}</p>
      )}
      {otherRuns && otherRuns.length > 0 && (
        <ul className="grid divide-y divide-line rounded-lg border border-line">
          {otherRuns.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                onClick={() => compareWith(other.id)}
                className="flex min-h-9 w-full items-center gap-3 px-3 text-left text-sm -outline-offset-2 hover:bg-subtle pointer-coarse:min-h-11"
              >
                <Status state={other.status} />
                <span className="min-w-0 flex-1 truncate">
                  <Plain text={other.label ?? other.input} />
                </span>
                <span className="shrink-0 text-xs text-text-2">{shortTime(other.created_at)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
