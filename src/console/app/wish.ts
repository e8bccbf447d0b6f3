/**
 * A command to a page that may not be open yet: the page does it as soon as it is there.
 * Another command, or opening the commands again, takes it back.
 */

import { useEffect, useRef } from 'react'

export type Wish =
  | 'schedules.new'
  | 'endpoints.new'
  | 'hooks.new'
  | 'keys.new'
  | 'secrets.put'
  | 'layers.new'

let wanted: Wish | undefined
const listeners = new Set<() => void>()

export function want(wish: Wish | undefined): void {
  wanted = wish
  for (const listener of listeners) listener()
}

export function useWish(wish: Wish, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const take = (): void => {
      if (wanted !== wish) return
      wanted = undefined
      latest.current()
    }
    take()
    listeners.add(take)
    return () => {
      listeners.delete(take)
    }
  }, [wish])
}
