/** The pages of the console: where each stands, what it is called, and the keys that lead there. */

import type { IconName } from '../ui/icons.tsx'
import type { Word } from './words.ts'

export interface NavPage {
  readonly to: string
  readonly word: Word
  readonly icon: IconName
  /** Pressed after `g`. */
  readonly key: string
}

export const NAV: readonly NavPage[] = [
  { to: '/', word: 'nav.chat', icon: 'chat', key: 'c' },
  { to: '/runs', word: 'nav.runs', icon: 'runs', key: 'r' },
  { to: '/fanouts', word: 'nav.fanouts', icon: 'fanouts', key: 'f' },
  { to: '/approvals', word: 'nav.approvals', icon: 'approvals', key: 'a' },
  { to: '/layers', word: 'nav.layers', icon: 'layers', key: 'l' },
  { to: '/webhooks', word: 'nav.webhooks', icon: 'webhooks', key: 'w' },
  { to: '/schedules', word: 'nav.schedules', icon: 'schedules', key: 's' },
  { to: '/memory', word: 'nav.memory', icon: 'memory', key: 'm' },
  { to: '/usage', word: 'nav.usage', icon: 'usage', key: 'u' },
  { to: '/settings', word: 'nav.settings', icon: 'settings', key: 'e' },
]
