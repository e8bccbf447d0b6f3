/** How many approvals wait: a badge, the title, and a notification when the reader allows it. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { api, type Schemas } from './api.ts'
import { useMay } from './session.ts'
import { setWaiting } from './title.ts'
import { say } from './words.ts'

type Approval = Schemas['Approval']
const EVERY_MS = 5_000
/** As many as one answer has: beyond, it is said that there are more. */
const MOST = 100
/** More at once are one notification. */
const EACH = 3

export interface Pending {
  /** Newest first. */
  readonly data: readonly Approval[]
  /** As a person reads it; empty: none waits. */
  readonly count: string
}

/** Asks while the console is open, on every page. */
export function usePending(): Pending {
  const may = useMay('approvals:read')
  const { data: found } = useQuery({
    queryKey: ['approvals', 'pending', 'count'],
    queryFn: async () => await api.approvals.list({ status: 'pending', limit: MOST }),
    refetchInterval: EVERY_MS,
    // A notification is for those who look at something else.
    refetchIntervalInBackground: true,
    enabled: may,
  })
  const data = found?.data ?? []
  const count = data.length === 0 ? '' : `${data.length}${found?.next_cursor ? '+' : ''}`
  return { data, count }
}

/** Says elsewhere what the badge says: once on a page. */
export function useAnnounced({ data, count }: Pending): void {
  const navigate = useNavigate()
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  useEffect(() => setWaiting(count), [count])
  useEffect(() => {
    const { current: before } = known
    const fresh = before ? data.filter(({ id }) => !before.has(id)) : []
    // All that was ever seen: one that others decided meanwhile makes room for no old one.
    known.current = new Set([...(before ?? []), ...data.map(({ id }) => id)])
    if (fresh.length === 0 || !('Notification' in globalThis)) return
    if (Notification.permission !== 'granted' || document.visibilityState === 'visible') return
    const show = (body: string, id: string | undefined): void => {
      const shown = new Notification(say('nav.approvals'), { body, tag: id ?? 'approvals' })
      shown.addEventListener('click', () => {
        focus()
        const to = id === undefined ? '/approvals' : '/approvals/$approval'
        void navigate({ to, params: { approval: id } as never })
        shown.close()
      })
    }
    if (fresh.length > EACH) show(count, undefined)
    else for (const one of fresh) show(sentence(one), one.id)
  }, [data, count, navigate])
}

const sentence = ({ tool, path }: Approval): string =>
  `${tool}: ${path.map(({ agent, label }) => label ?? agent).join(' › ')}`
