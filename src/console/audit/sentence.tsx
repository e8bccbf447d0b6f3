/** Audit entry as one sentence: who did what to which resource, and in which layer. */

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Plain } from '../text/text.tsx'
import { ACTIONS, type Action, type Entry, KINDS } from './state.ts'

const KEYS = 100

/** Returns the names of the tenant's newest keys by ID, if the session may read keys. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const mayRead = useMay('keys:read')
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    enabled: mayRead,
    queryFn: async () => (await api.keys.list({ limit: KEYS })).data,
  })
  return new Map(data?.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}

/** Returns the function that returns the word of an action. */
export function useActionWord(): (action: Action) => string {
  const words = useWords()
  return (action) => (ACTIONS.includes(action) ? words(`audit.action.${action}`) : action)
}

interface Props {
  readonly entry: Entry
  readonly names: ReadonlyMap<string, string>
  /** Shows the author and the resource, for example as links. */
  readonly author?: (text: string) => ReactNode
  readonly resource?: (text: string) => ReactNode
}

export function Sentence({ entry, names, author, resource }: Props) {
  const words = useWords()
  const { kind, action, name, by, layer } = entry
  const bold = (text: string) => (
    <span className="font-medium">
      <Plain text={text} />
    </span>
  )
  const isOfKey = kind === 'key' || kind === 'token'
  const resourceName = isOfKey ? (names.get(name) ?? name) : name
  // Kinds and actions that this console does not know are shown by their names.
  const kindWord = KINDS.includes(kind) ? words(`audit.kind.${kind}`) : kind
  const parts: Readonly<Record<string, ReactNode>> = {
    by: by === 'system' ? words('audit.by.system') : (author ?? bold)(names.get(by) ?? by),
    // There is one policy, so its name is its kind.
    kind: kind === 'policy' ? (resource ?? bold)(kindWord) : kindWord,
    name: kind === 'policy' || name === '' ? '' : (resource ?? bold)(resourceName),
  }
  // The name of an entry about all secrets is `*`.
  const isAll = kind === 'secret' && name === '*' && (action === 'read' || action === 'reseal')
  const key = isAll ? (`audit.did.${action}.all` as const) : (`audit.did.${action}` as const)
  const template = ACTIONS.includes(action) ? words(key) : `{by}: ${action} {kind} {name}`
  return (
    <>
      {filled(template, parts)}
      {layer !== '' && (
        <span className="text-text-2">
          {' '}
          {words('audit.in')} <Plain text={layer} />
        </span>
      )}
    </>
  )
}

/** Returns a text whose placeholders are elements. */
const filled = (template: string, parts: Readonly<Record<string, ReactNode>>): ReactNode =>
  template.split(/\{(\w+)\}/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change.
    <span key={at}>{at % 2 === 0 ? part : parts[part]}</span>
  ))
