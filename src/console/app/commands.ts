/** The commands of the palette: pages, all that is begun anywhere, and the reader's own settings. */

import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { IconName } from '../ui/icons.tsx'
import { NAV } from './pages.ts'
import { usePending } from './pending.ts'
import { useScopes } from './session.ts'
import { signOut } from './sign-in.ts'
import { applyTheme } from './theme.ts'
import { type Wish, want } from './wish.ts'
import { chooseLanguage, useWords, type Word } from './words.ts'

export interface Command {
  readonly key: string
  readonly name: string
  readonly hint?: string
  readonly icon: IconName
  run(): void
}

/** Begun on a page of its own, with the scope that it takes. */
const BEGUN: readonly {
  readonly wish: Wish
  readonly to: '/schedules' | '/webhooks/$tab' | '/settings/$tab' | '/layers'
  readonly tab?: string
  readonly scope: string
}[] = [
  { wish: 'schedules.new', to: '/schedules', scope: 'schedules:write' },
  { wish: 'endpoints.new', to: '/webhooks/$tab', tab: 'endpoints', scope: 'webhooks:write' },
  { wish: 'hooks.new', to: '/webhooks/$tab', tab: 'hooks', scope: 'webhooks:write' },
  { wish: 'keys.new', to: '/settings/$tab', tab: 'keys', scope: 'keys:write' },
  { wish: 'secrets.put', to: '/settings/$tab', tab: 'secrets', scope: 'secrets:write' },
  { wish: 'layers.new', to: '/layers', scope: 'layers:write' },
]

const PARTS: readonly { readonly word: Word; readonly to: string; readonly icon: IconName }[] = [
  { word: 'layers.effective', to: '/layers?tab=effective', icon: 'layers' },
  { word: 'layers.import', to: '/layers?tab=import', icon: 'layers' },
  { word: 'layers.migrate', to: '/layers?tab=migrate', icon: 'layers' },
  { word: 'webhooks.deliveries', to: '/webhooks/deliveries', icon: 'webhooks' },
  { word: 'settings.policy', to: '/settings/policy', icon: 'settings' },
  { word: 'settings.audit', to: '/settings/audit', icon: 'settings' },
  { word: 'settings.limits', to: '/settings/limits', icon: 'settings' },
]

const OF_RUN = ['overview', 'timeline', 'events', 'transcript', 'config', 'json'] as const

export function useCommands(): readonly Command[] {
  const words = useWords()
  const navigate = useNavigate()
  const may = useScopes()
  const { data: waiting, count } = usePending()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, run] = /\/runs\/(run_\w+)$/.exec(path) ?? []
  const ofRun = OF_RUN.map((tab) => ({
    ...{ key: tab, name: `${words('run.title')}: ${words(`run.${tab}`)}`, icon: 'runs' as const },
    run: () =>
      void navigate({ to: '/runs/$run', params: { run: run ?? '' }, search: { tab } as never }),
  }))
  const pages = NAV.map(({ to, word, icon, key }) => ({
    ...{ key: to, name: words(word), icon, hint: `g ${key}` },
    run: () => void navigate({ to }),
  }))
  const begun = BEGUN.filter(({ scope }) => may(scope)).map(({ wish, to, tab }) => ({
    ...{ key: wish, name: words(wish), icon: 'plus' as const },
    run: () => {
      want(wish)
      void navigate({ to, params: { tab } as never })
    },
  }))
  const parts = PARTS.map(({ word, to, icon }) => ({
    ...{ key: word, name: words(word), icon },
    run: () => void navigate({ to }),
  }))
  const longest = waiting.at(-1)
  const next = longest && {
    ...{ key: 'next', name: words('palette.approval', { n: count }), icon: 'approvals' as const },
    // It is shown before it is decided: nobody approves what they have not seen.
    run: () => void navigate({ to: '/approvals/$approval', params: { approval: longest.id } }),
  }
  const fresh = {
    ...{ key: 'chat.new', name: words('chat.new'), icon: 'plus' as const },
    run: () => void navigate({ to: '/' }),
  }
  return [
    ...(run ? ofRun : []),
    ...(next ? [next] : []),
    ...pages,
    ...(may('runs:write') ? [fresh] : []),
    ...begun,
    ...parts,
    ...useOwn(),
  ]
}

/** Of the reader, and not of the tenant. */
function useOwn(): readonly Command[] {
  const words = useWords()
  const themes = (['system', 'light', 'dark'] as const).map((theme) => ({
    ...{ key: `theme.${theme}`, icon: 'settings' as const },
    name: `${words('theme.label')}: ${words(`theme.${theme}`)}`,
    run: () => applyTheme(theme),
  }))
  const languages = (
    [
      ['en', 'English'],
      ['zh', '中文'],
    ] as const
  ).map(([code, name]) => ({
    ...{ key: code, name: `${words('language.label')}: ${name}`, icon: 'settings' as const },
    run: () => void chooseLanguage(code),
  }))
  const docs = {
    ...{ key: 'docs', name: words('nav.docs'), icon: 'book' as const },
    run: () => location.assign('/docs'),
  }
  const out = {
    ...{ key: 'signout', name: words('signout'), icon: 'key' as const },
    run: () => void signOut(),
  }
  return [...themes, ...languages, docs, out]
}
