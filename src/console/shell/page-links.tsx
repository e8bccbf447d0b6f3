/** Links to the pages of the console, with live counts, in the forms for three page widths. */

import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useWords, type Word } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { type State, StateIcon } from '../kit/status.tsx'
import { LIVE_RUNS, PENDING_APPROVALS } from './counts.ts'
import { type Page, type Path, useAllowedPages } from './pages.ts'

interface Counts {
  readonly ids: readonly string[]
  readonly hasMore: boolean
}

interface Counter {
  readonly state: State
  /** Texts of the count, for exactly `n` and for at least `n`. */
  readonly words: readonly [exact: Word, more: Word]
  readonly use: () => { readonly data: Counts | undefined }
}

const COUNTERS: Partial<Record<Path, Counter>> = {
  '/runs': {
    state: 'running',
    words: ['runs.count.live', 'runs.count.live.more'],
    use: () => useQuery(LIVE_RUNS),
  },
  '/approvals': {
    state: 'asks',
    words: ['approvals.count', 'approvals.count.more'],
    use: () => useQuery(PENDING_APPROVALS),
  },
}

/** Returns the path of the page that is open; a page below another one precedes it. */
function useCurrent(): Path | undefined {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const pages = useAllowedPages().filter(({ to }) => isAt(path, to))
  return pages.toSorted((a, b) => b.to.length - a.to.length)[0]?.to
}

const isAt = (path: string, to: Path): boolean =>
  to === '/' ? path === '/' || path.startsWith('/chat') : path === to || path.startsWith(`${to}/`)

const useIsCurrent = (to: Path): boolean => useCurrent() === to

/** Links in the sidebar, which has its own way to conversations. */
interface PageLinksProps {
  /** Whether the further links cannot be folded away, as where the reader asked for them. */
  readonly isUnfolded: boolean
}

export function PageLinks({ isUnfolded }: PageLinksProps) {
  const words = useWords()
  const pages = useAllowedPages().filter(({ to }) => to !== '/')
  const further = pages.filter(({ isFurther }) => isFurther)
  const current = useCurrent()
  const isFurther = further.some(({ to }) => to === current)
  const [isChosen, setChosen] = useState(() => localStorage.getItem(FURTHER) !== null)
  const isOpen = isChosen || isFurther || isUnfolded
  const toggle = (): void => {
    setChosen(!isChosen)
    if (isChosen) localStorage.removeItem(FURTHER)
    else localStorage.setItem(FURTHER, 'open')
  }
  if (pages.length === 0) return null
  return (
    <div className="px-2">
      {pages.map((page) => !page.isFurther && <PageLink key={page.to} page={page} />)}
      {further.length > 0 && !isUnfolded && (
        <button
          type="button"
          aria-expanded={isOpen}
          // The link to the current page stays visible.
          disabled={isFurther}
          onClick={toggle}
          className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-sm text-text-2 enabled:hover:bg-sunken pointer-coarse:min-h-11"
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          {words('nav.more')}
        </button>
      )}
      {isOpen && further.map((page) => <PageLink key={page.to} page={page} />)}
    </div>
  )
}

/** Key in `localStorage` of whether the further links are open. */
const FURTHER = 'strata.further'

interface Props {
  readonly page: Page
}

function PageLink({ page: { to, word, shortcut, icon } }: Props) {
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
      <Counted page={to} />
    </Link>
  )
}

/** Links as icons, for pages of medium width. */
export function RailLinks() {
  return useAllowedPages().map((page) => <RailLink key={page.to} page={page} />)
}

function RailLink({ page: { to, word, shortcut, icon } }: Props) {
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
      <Counted page={to} />
    </Link>
  )
}

/** Pages with links below narrow pages; the drawer has all others. */
const IN_BAR: readonly Path[] = ['/', '/runs', '/approvals']

/** Links below narrow pages. */
export function BarLinks() {
  return useAllowedPages()
    .filter(({ to }) => IN_BAR.includes(to))
    .map((page) => <BarLink key={page.to} page={page} />)
}

function BarLink({ page: { to, word, icon } }: Props) {
  const words = useWords()
  const isCurrent = useIsCurrent(to)
  return (
    <Link to={to} aria-current={isCurrent ? 'page' : undefined} className={barEntry(isCurrent)}>
      <span>{words(word)}</span>
      <span className="flex items-center gap-1">
        <Icon name={icon} size={18} />
        <Counted page={to} />
      </span>
    </Link>
  )
}

/** Returns the classes of an entry in the bar below narrow pages. */
export const barEntry = (isCurrent: boolean): string =>
  `flex min-h-12 flex-1 flex-col-reverse items-center justify-center text-xs ${
    isCurrent ? 'font-medium text-accent' : 'text-text-2'
  }`

function Counted({ page }: { readonly page: Path }) {
  const counter = COUNTERS[page]
  return counter ? <Count counter={counter} /> : null
}

function Count({ counter }: { readonly counter: Counter }) {
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
