/** Pages of the console: what links, shortcuts, and commands of the palette lead to. */

import { useMayOneOf } from '../data/session.ts'
import type { Word } from '../i18n/words.ts'
import type { IconName } from '../kit/icons.tsx'

export type Path =
  | ('/' | '/runs' | '/approvals' | '/fanouts' | '/layers' | '/layers/effective' | '/webhooks')
  | (
      | '/schedules'
      | '/memory'
      | '/keys'
      | '/secrets'
      | '/usage'
      | '/audit'
      | '/settings'
      | '/tenants'
    )

export interface Page {
  readonly to: Path
  readonly word: Word
  /** Second key of the shortcut after `g`. */
  readonly shortcut: string
  readonly icon: IconName
  /** The page is open to a session with one of these scopes; absent if to each session. */
  readonly scopes?: readonly string[]
  /** Whether its link is among the further links, which can be folded away. */
  readonly isFurther?: true
}

const PAGES: readonly Page[] = [
  { to: '/', word: 'nav.chat', shortcut: 'c', icon: 'chat' },
  { to: '/runs', word: 'runs.title', shortcut: 'r', icon: 'list', scopes: ['runs:read'] },
  { to: '/fanouts', word: 'fanouts.title', shortcut: 'f', icon: 'fork', scopes: ['runs:read'] },
  {
    ...{ to: '/approvals', word: 'approvals.title', shortcut: 'a', icon: 'check' },
    scopes: ['approvals:read'],
  },
  {
    ...{ to: '/layers', word: 'layers.title', shortcut: 'l', icon: 'layers' },
    scopes: ['layers:read', 'config:raw'],
  },
  {
    ...{ to: '/layers/effective', word: 'effective.title', shortcut: 'e', icon: 'eye' },
    ...{ scopes: ['layers:read'], isFurther: true },
  },
  {
    ...{ to: '/schedules', word: 'schedules.title', shortcut: 's', icon: 'clock' },
    ...{ scopes: ['schedules:read'], isFurther: true },
  },
  {
    ...{ to: '/memory', word: 'memory.title', shortcut: 'm', icon: 'book' },
    ...{ scopes: ['memory:read'], isFurther: true },
  },
  {
    ...{ to: '/webhooks', word: 'webhooks.title', shortcut: 'w', icon: 'hook' },
    ...{ scopes: ['webhooks:read', 'hooks:read'], isFurther: true },
  },
  {
    ...{ to: '/usage', word: 'usage.title', shortcut: 'u', icon: 'chart' },
    ...{ scopes: ['runs:read'], isFurther: true },
  },
  {
    ...{ to: '/keys', word: 'keys.title', shortcut: 'k', icon: 'key' },
    ...{ scopes: ['keys:read'], isFurther: true },
  },
  {
    ...{ to: '/secrets', word: 'secrets.title', shortcut: 'x', icon: 'lock' },
    ...{ scopes: ['secrets:read'], isFurther: true },
  },
  {
    ...{ to: '/audit', word: 'audit.title', shortcut: 'd', icon: 'clock' },
    ...{ scopes: ['audit:read'], isFurther: true },
  },
  {
    ...{ to: '/tenants', word: 'tenants.title', shortcut: 't', icon: 'agent' },
    ...{ scopes: ['tenants:read'], isFurther: true },
  },
  {
    ...{ to: '/settings', word: 'settings.title', shortcut: ',', icon: 'sliders' },
    isFurther: true,
  },
]

/** Returns the pages that this session may open. */
export function useAllowedPages(): readonly Page[] {
  const mayOneOf = useMayOneOf()
  return PAGES.filter(({ scopes }) => !scopes || mayOneOf(scopes))
}
