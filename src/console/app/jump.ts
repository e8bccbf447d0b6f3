/**
 * Runs, conversations and fan-outs by their ids, or by how an id or a name begins. Lists have no
 * search for beginnings: the newest of each are compared here, and a whole name is asked for.
 */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from './api.ts'
import type { Command } from './commands.ts'
import { say, useWords } from './words.ts'

const NEWEST = 100
const MOST = 8
const LEAST = 2
const TYPING_MS = 200

interface Target {
  readonly kind: 'run' | 'session' | 'fanout' | 'approval'
  readonly id: string
  readonly name: string
}

const KINDS = { run: 'run', ses: 'session', fan: 'fanout', apr: 'approval' } as const

/** An id, as a person copies it from somewhere. */
function targetOf(text: string): Target | undefined {
  const [id, kind] = /^(run|ses|fan|apr)_[a-z0-9]{8,}$/.exec(text) ?? []
  return id && kind ? { kind: KINDS[kind as keyof typeof KINDS], id, name: id } : undefined
}

export function useJumps(typed: string): {
  readonly commands: readonly Command[]
  readonly isPending: boolean
} {
  useWords()
  const navigate = useNavigate()
  const text = useRested(typed.trim())
  const { data = [], isLoading } = useQuery({
    queryKey: ['palette', text],
    queryFn: () => find(text),
    enabled: text.length >= LEAST,
  })
  const given = targetOf(typed.trim())
  const others = data.filter(({ id }) => id !== given?.id)
  const commands = [...(given ? [given] : []), ...others].map((target) => ({
    ...{ key: target.id, name: nameOf(target) },
    ...{ icon: 'search' as const, hint: target.id === target.name ? '' : target.id.slice(0, 12) },
    run: () => void navigate({ to: addressOf(target) }),
  }))
  const isAhead = typed.trim() !== text && typed.trim().length >= LEAST
  return { commands, isPending: isLoading || isAhead }
}

const nameOf = ({ kind, name }: Target): string =>
  kind === 'approval' ? `${say('nav.approvals')} ${name}` : say(`palette.${kind}`, { name })

const ADDRESSES = {
  run: '/runs/',
  session: '/chat/',
  fanout: '/fanouts/',
  approval: '/approvals/',
} as const
const addressOf = ({ kind, id }: Target): string => `${ADDRESSES[kind]}${id}`

/** A list that this key may not read has nothing to offer. */
async function find(text: string): Promise<readonly Target[]> {
  const limit = NEWEST
  const lists = await Promise.allSettled([
    api.runs.list({ label: text.slice(0, 200), limit: MOST }),
    api.runs.list({ limit }),
    api.sessions.list({ kind: 'main', q: text.slice(0, 200), limit: MOST }),
    api.fanouts.list({ limit }),
  ])
  const [labelled, runs, sessions, fanouts] = lists
  const found = [
    ...dataOf(labelled, ({ id, label, agent }) => ({ kind: 'run', id, name: label ?? agent })),
    ...dataOf(runs, ({ id, label, agent }) => ({ kind: 'run', id, name: label ?? agent })),
    ...dataOf(fanouts, ({ id, label }) => ({ kind: 'fanout', id, name: label ?? id })),
    ...dataOf(sessions, ({ id, title, opening }) => ({
      ...{ kind: 'session', id, name: title ?? (opening?.slice(0, 80) || id) },
    })),
  ]
  const start = text.toLowerCase()
  const begins = ({ id, name }: Target) =>
    id.startsWith(start) || name.toLowerCase().startsWith(start)
  const byId = new Map(found.filter(begins).map((one) => [one.id, one]))
  return [...byId.values()].slice(0, MOST)
}

const dataOf = <T>(
  found: PromiseSettledResult<{ readonly data: readonly T[] }>,
  target: (one: T) => Target,
): readonly Target[] => (found.status === 'fulfilled' ? found.value.data.map(target) : [])

/** As it stands when one stops typing. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
