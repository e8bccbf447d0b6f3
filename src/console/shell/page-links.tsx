/** Links to the pages of the console, with live counts, in the forms for three page widths. */

import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useMay } from '../data/session.ts'
import { useWords, type Word } from '../i18n/words.ts'
import { Icon, type IconName } from '../kit/icons.tsx'
import { type State, StateIcon } from '../kit/status.tsx'
import { LIVE_RUNS, PENDING_APPROVALS } from './counts.ts'

type Path = '/' | '/runs' | '/approvals' | '/fanouts' | '/layers/effective' | '/webhooks'

interface Page {
  readonly to: Path
  readonly word: Word
  /** Second key of the shortcut after `g`. */
  readonly shortcut: string
  readonly icon: IconName
  /** Scope that the page needs; absent if each key may open it. */
  readonly scope?: 'runs:read' | 'approvals:read' | 'layers:read' | 'webhooks:read'
  /** Count beside the link. The API cannot filter fan-outs by status, so their link has none. */
  readonly counter?: Counter
}

interface Count {
  readonly ids: readonly string[]
  readonly hasMore: boolean
}

interface Counter {
  readonly state: State
  /** Texts of the count, for exactly `n` and for at least `n`. */
  readonly words: readonly [exact: Word, more: Word]
  readonly use: () => { readonly data: Count | undefined }
}

const PAGES: readonly Page[] = [
  { to: '/', word: 'nav.chat', shortcut: 'c', icon: 'chat' },
  {
    ...{ to: '/runs', word: 'runs.title', shortcut: 'r', icon: 'list', scope: 'runs:read' },
    counter: {
      state: 'running',
      words: ['runs.count.live', 'runs.count.live.more'],
      use: () => useQuery(LIVE_RUNS),
    },
  },
  { to: '/fanouts', word: 'fanouts.title', shortcut: 'f', icon: 'fork', scope: 'runs:read' },
  {
    ...{ to: '/approvals', word: 'approvals.title', shortcut: 'a', icon: 'check' },
    scope: 'approvals:read',
    counter: {
      state: 'asks',
      words: ['approvals.count', 'approvals.count.more'],
      use: () => useQuery(PENDING_APPROVALS),
    },
  },
  {
    ...{ to: '/layers/effective', word: 'layers.title', shortcut: 'e', icon: 'layers' },
    scope: 'layers:read',
  },
  {
    ...{ to: '/webhooks', word: 'webhooks.title', shortcut: 'w', icon: 'hook' },
    scope: 'webhooks:read',
  },
]

/** Whether a tab of the page of webhooks is open to this session. */
export function useMayOpenWebhooks(): boolean {
  const mayReadDeliveries = useMay('webhooks:read')
  return useMay('hooks:read') || mayReadDeliveries
}

/** Pages that this session may open, except those whose paths are left out. */
function usePlaces(without: readonly Path[] = []): readonly Page[] {
  const scopes = {
    ...{ 'runs:read': useMay('runs:read'), 'approvals:read': useMay('approvals:read') },
    'layers:read': useMay('layers:read'),
    'webhooks:read': useMayOpenWebhooks(),
  }
  return PAGES.filter(({ to, scope }) => !without.includes(to) && (!scope || scopes[scope]))
}

function useIsCurrent(to: Path): boolean {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isChat = path === '/' || path.startsWith('/chat')
  return to === '/' ? isChat : path === to || path.startsWith(`${to}/`)
}

/** Links in the sidebar, which has its own way to conversations. */
export function PageLinks() {
  const pages = usePlaces(['/'])
  if (pages.length === 0) return null
  return (
    <div className="px-2">
      {pages.map((page) => (
        <PageLink key={page.to} page={page} />
      ))}
    </div>
  )
}

interface Props {
  readonly page: Page
}

function PageLink({ page: { to, word, shortcut, icon, counter } }: Props) {
  const words = useWords()
  const isCurrent = useIsCurrent(to)
  return (
    <Link
      to={to}
      title={`${words(word)} (g ${shortcut})`}
      aria-current={isCurrent ? 'page' : undefined}
      className={`flex min-h-8 items-center gap-2 rounded-md px-2 text-sm pointer-coarse:min-h-11 ${
        isCurrent ? 'bg-selected' : 'hover:bg-sunken'
      }`}
    >
      <Icon name={icon} size={14} />
      <span className="flex-1">{words(word)}</span>
      {counter && <Counted counter={counter} />}
    </Link>
  )
}

/** Links as icons, for pages of medium width. */
export function RailLinks() {
  return usePlaces().map((page) => <RailLink key={page.to} page={page} />)
}

function RailLink({ page: { to, word, shortcut, icon, counter } }: Props) {
  const words = useWords()
  const isCurrent = useIsCurrent(to)
  return (
    <Link
      to={to}
      title={`${words(word)} (g ${shortcut})`}
      aria-current={isCurrent ? 'page' : undefined}
      className={`flex min-h-11 w-11 flex-col items-center justify-center gap-0.5 rounded-md ${
        isCurrent ? 'bg-selected' : 'text-text-2 hover:bg-sunken hover:text-text'
      }`}
    >
      <Icon name={icon} size={18} />
      <span className="sr-only">{words(word)}</span>
      {counter && <Counted counter={counter} />}
    </Link>
  )
}

/** Pages whose links are in the drawer of narrow pages. */
const IN_DRAWER: readonly Path[] = ['/fanouts', '/layers/effective', '/webhooks']

/** Links below narrow pages. */
export function BarLinks() {
  return usePlaces(IN_DRAWER).map((page) => <BarLink key={page.to} page={page} />)
}

function BarLink({ page: { to, word, icon, counter } }: Props) {
  const words = useWords()
  const isCurrent = useIsCurrent(to)
  return (
    <Link to={to} aria-current={isCurrent ? 'page' : undefined} className={barEntry(isCurrent)}>
      <span>{words(word)}</span>
      <span className="flex items-center gap-1">
        <Icon name={icon} size={18} />
        {counter && <Counted counter={counter} />}
      </span>
    </Link>
  )
}

/** Returns the classes of an entry in the bar below narrow pages. */
export const barEntry = (isCurrent: boolean): string =>
  `flex min-h-12 flex-1 flex-col-reverse items-center justify-center text-xs ${
    isCurrent ? 'font-medium text-accent' : 'text-text-2'
  }`

function Counted({ counter }: { readonly counter: Counter }) {
  const words = useWords()
  const { data } = counter.use()
  if (!data || data.ids.length === 0) return null
  const { ids, hasMore } = data
  const count = ids.length
  const [exact, more] = counter.words
  return (
    <>
      <span aria-hidden="true" className="flex items-center gap-1 text-xs text-text-2">
        {hasMore ? `${count}+` : count}
        <StateIcon state={counter.state} size={12} />
      </span>
      <span className="sr-only">{words(hasMore ? more : exact, { n: count })}</span>
    </>
  )
}
