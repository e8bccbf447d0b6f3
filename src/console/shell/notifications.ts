/**
 * Notifications of the browser about new approvals, for readers who asked for them, while the page
 * is hidden.
 */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useMay } from '../data/session.ts'
import { say } from '../i18n/words.ts'
import { useTitleCount } from '../kit/title.ts'
import { PENDING_APPROVALS } from './counts.ts'

const KEY = 'strata.notifications'
/** Interval in milliseconds between reads of a hidden page. */
const HIDDEN_EVERY_MS = 30_000
const listeners = new Set<() => void>()

/** `missing` if the browser has no notifications for this origin, `denied` if it blocks them. */
export type Notifying = 'on' | 'off' | 'denied' | 'missing'

function notifying(): Notifying {
  if (!('Notification' in window) || !isSecureContext) return 'missing'
  if (Notification.permission === 'denied') return 'denied'
  const isAsked = localStorage.getItem(KEY) === 'on'
  return isAsked && Notification.permission === 'granted' ? 'on' : 'off'
}

export const useNotifying = (): Notifying =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, notifying)

/** Turns notifications on or off; the browser asks for permission if it has not yet. */
export async function toggleNotifications(): Promise<void> {
  const isOn = notifying() === 'on'
  localStorage.setItem(KEY, isOn ? 'off' : 'on')
  if (!isOn && Notification.permission === 'default') await Notification.requestPermission()
  for (const listener of listeners) listener()
}

/** Shows the number of pending approvals in the title, and notifies about new ones. */
export function useApprovalNotifications(open: (id: string) => void): void {
  const mayRead = useMay('approvals:read')
  const isOn = useNotifying() === 'on'
  const { data } = useQuery({
    ...PENDING_APPROVALS,
    enabled: mayRead,
    ...(isOn && { refetchInterval: HIDDEN_EVERY_MS, refetchIntervalInBackground: true }),
  })
  useTitleCount(data ? data.ids.length : 0, data?.hasMore)
  const lastIds = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (!data) return
    const earlierIds = lastIds.current
    lastIds.current = new Set(data.ids)
    const added = data.approvals.filter(({ id }) => earlierIds && !earlierIds.has(id))
    const [first] = added
    if (!first || !isOn || document.visibilityState !== 'hidden') return
    const title =
      added.length === 1
        ? say('notify.one', { tool: first.tool })
        : say('notify.many', { n: added.length })
    const notification = new Notification(title, { tag: 'strata.approvals', icon: ICON })
    notification.onclick = () => {
      window.focus()
      notification.close()
      open(first.id)
    }
  }, [data, isOn, open])
}

const ICON = `${import.meta.env.BASE_URL}icon.svg`
