/** How the configuration differs from that of any other run: what each of them was given. */

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { type Difference, differences } from './config-diff.ts'

const Diff = lazy(() => import('../layers/diff.tsx'))

const TONES: Readonly<Record<Difference['change'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
}
/** So many of its own agent are offered to choose from. */
const OFFERED = 20

export function Compare({ config }: { readonly config: Schemas['RunConfig'] }) {
  const words = useWords()
  const list = useId()
  const [text, setText] = useState('')
  const [other, setOther] = useState('')
  const recent = useQuery({
    queryKey: ['runs', 'of', config.agent.id],
    queryFn: async () => api.runs.list({ agent: config.agent.id, limit: OFFERED } as never),
  })
  const found = useQuery({
    queryKey: ['runs', other, 'config'],
    queryFn: () => api.runs.config(other),
    enabled: other !== '' && other !== config.run_id,
  })
  return (
    <Card title={words('config.compare')}>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setOther(text.trim())
        }}
      >
        <div className="min-w-0 flex-1 basis-60">
          <Input
            label={words('config.other')}
            placeholder="run_…"
            list={list}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <datalist id={list}>
            {recent.data?.data
              .filter(({ id }) => id !== config.run_id)
              .map(({ id, label, input }) => (
                <option key={id} value={id}>
                  {label ?? input.slice(0, 80)}
                </option>
              ))}
          </datalist>
        </div>
        <Button type="submit" busy={found.isFetching} disabled={text.trim() === ''}>
          {words('config.compare.now')}
        </Button>
      </form>
      <div className="mt-3 grid gap-3 text-sm">
        {other === config.run_id && <p className="text-muted">{words('config.own')}</p>}
        <Problem error={found.error} onRetry={() => void found.refetch()} />
        {found.data && <Differences all={differences(found.data, config)} />}
      </div>
    </Card>
  )
}

function Differences({ all }: { readonly all: readonly Difference[] }) {
  const words = useWords()
  if (all.length === 0) return <p className="text-muted">{words('config.same')}</p>
  return (
    <>
      <p role="status" className="text-muted">
        {words('config.changed', { n: all.length })}
      </p>
      <ul className="grid gap-2">
        {all.map((one) => (
          <li key={`${one.part} ${one.name}`}>
            <One of={one} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Longer ones are compared line by line. */
const SHORT = 120
const isLong = (text: string): boolean => text.length > SHORT || text.includes('\n')

function One({ of }: { readonly of: Difference }) {
  const words = useWords()
  const { part, name, change, before, after } = of
  const title = (
    <>
      <Badge tone={TONES[change]}>{words(`config.change.${change}`)}</Badge>{' '}
      {words(`config.part.${part}`)}{' '}
      <code className="font-mono text-xs font-semibold [overflow-wrap:anywhere]">{name}</code>
    </>
  )
  if (!isLong(before) && !isLong(after)) {
    return (
      <div className="rounded-lg border border-line p-3">
        <p>{title}</p>
        <p className="mt-1 font-mono text-xs [overflow-wrap:anywhere]">
          <del className="text-bad no-underline">
            <span className="sr-only">{words('config.that')}: </span>
            {before || '–'}
          </del>
          {' → '}
          <ins className="text-good no-underline">
            <span className="sr-only">{words('config.this')}: </span>
            {after || '–'}
          </ins>
        </p>
      </div>
    )
  }
  return (
    <details open={part === 'prompt'} className="overflow-hidden rounded-lg border border-line">
      <summary className="p-3">{title}</summary>
      <Suspense fallback={<Loading />}>
        <Diff
          path={`${part}.${part === 'prompt' ? 'md' : 'json'}`}
          left={before}
          right={after}
          leftLabel={words('config.that')}
          rightLabel={words('config.this')}
        />
      </Suspense>
    </details>
  )
}
