/**
 * Every call that waits for a person, of all runs. `a` approves the one
 * that is chosen, `d` denies it, `e` edits its arguments first.
 */

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { meansPage } from '../../app/shortcuts.ts'
import { useWords } from '../../app/words.ts'
import { ApprovalCard } from '../../ui/approval.tsx'
import { Button } from '../../ui/button.tsx'
import { BareSelect } from '../../ui/field.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

type Approval = Schemas['Approval']
const EVERY_MS = 3_000
const PAGE = 100

export default function Approvals() {
  const words = useWords()
  const { approval } = useParams({ strict: false })
  return approval ? <One id={approval} /> : <Inbox title={words('nav.approvals')} />
}

/** One decision, without the rest: where a link leads. */
function One({ id }: { readonly id: string }) {
  const words = useWords()
  const one = useQuery({ queryKey: ['approvals', id], queryFn: () => api.approvals.get(id) })
  return (
    <Page
      title={words('nav.approvals')}
      actions={<Link to="/approvals">{words('approvals.all')}</Link>}
    >
      {one.isPending && <Loading />}
      <Problem error={one.error} onRetry={() => void one.refetch()} />
      {one.data && <ApprovalCard approval={one.data} chosen />}
    </Page>
  )
}

function Inbox({ title }: { readonly title: string }) {
  const words = useWords()
  const [status, setStatus] = useState<'pending' | 'decided'>('pending')
  const found = usePages<Approval>(
    ['approvals', 'list', status],
    (cursor) => api.approvals.list({ status, limit: PAGE, cursor }),
    EVERY_MS,
  )
  const { items: list, isFetching, hasNextPage, error } = found
  const more = (): void => {
    if (hasNextPage && !isFetching && !error) void found.fetchNextPage()
  }
  const [chosen, choose] = useChosen(list, more)
  const end = useReached(more)
  const options = (['pending', 'decided'] as const).map(
    (one) => [one, words(`approvals.${one}`)] as const,
  )
  return (
    <Page
      title={title}
      actions={
        <>
          <BareSelect
            label={words('approvals.status')}
            options={options}
            value={status}
            onChange={({ target }) => setStatus(target.value as typeof status)}
          />
          <Notify />
        </>
      }
    >
      {found.isPending && <Loading />}
      {!found.data && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && list.length === 0 && !hasNextPage && (
        <Empty title={words('approvals.empty')} command={'"approvals": { "web_fetch": "ask" }'}>
          {words('approvals.empty.hint')}
        </Empty>
      )}
      <ul className="grid gap-3">
        {list.map((one) => (
          <li key={one.id}>
            <ApprovalCard
              approval={one}
              chosen={one.id === chosen}
              onChoose={() => choose(one.id)}
            />
          </li>
        ))}
      </ul>
      <div ref={end}>
        <More of={found} />
      </div>
      {list.length > 1 && <p className="mt-4 text-xs text-muted">{words('approvals.keys')}</p>}
    </Page>
  )
}

/** Calls when the element comes near the window, and again while it stays there. */
function useReached(act: () => void): React.RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current: element } = ref
    if (!element) return
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && act(),
      { rootMargin: '400px' },
    )
    seen.observe(element)
    return () => seen.disconnect()
  })
  return ref
}

/** The one that keys are about; `j` and `k` go to the next and the one before. */
function useChosen(list: readonly Approval[], onEnd: () => void) {
  const [wanted, setWanted] = useState<string>()
  const before = useRef(0)
  const found = list.findIndex(({ id }) => id === wanted)
  // One that is decided leaves its place to the next.
  const at = Math.max(0, found < 0 ? Math.min(before.current, list.length - 1) : found)
  useEffect(() => {
    before.current = at
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = { j: 1, k: -1 }[event.key] ?? 0
      if (step === 0 || !meansPage(event)) return
      const next = list[Math.min(list.length - 1, Math.max(0, at + step))]
      if (next) setWanted(next.id)
      if (at + step >= list.length - 1) onEnd()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  return [list[at]?.id, setWanted] as const
}

/** Browsers ask only when a person has pressed something. */
function Notify() {
  const words = useWords()
  const [state, setState] = useState(
    'Notification' in globalThis ? Notification.permission : 'denied',
  )
  if (state !== 'default') return null
  return (
    <Button onClick={() => void Notification.requestPermission().then(setState)}>
      {words('approvals.notify')}
    </Button>
  )
}
