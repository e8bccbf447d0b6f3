/** Layout of every page: the sidebar with conversations, and the page content. */

import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { useKeys, useSequence } from '../kit/shortcuts.ts'
import { useShownTitle } from '../kit/title.ts'
import { Plain } from '../text/text.tsx'
import { useApprovalNotifications } from './notifications.ts'
import { BarLinks, barEntry, RailLinks } from './page-links.tsx'
import { useAllowedPages } from './pages.ts'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { SignedOut } from './sign-in-overlay.tsx'

export function Shell() {
  const words = useWords()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const title = useShownTitle()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer.
  useEffect(() => setOpen(false), [path])
  useApprovalNotifications(
    useCallback((sel) => void navigate({ to: '/approvals', search: { sel } }), [navigate]),
  )
  const pages = useAllowedPages()
  // Registered first, so that the second key of a sequence is not a shortcut of its own.
  useSequence(
    'g',
    Object.fromEntries(pages.map(({ shortcut, to }) => [shortcut, () => void navigate({ to })])),
  )
  useKeys({
    n: () => void navigate({ to: '/' }),
    // The filter of the page has priority over the search in the sidebar.
    '/': () => (document.getElementById('filter') ?? document.getElementById('search'))?.focus(),
  })
  return (
    <div className="flex h-full min-h-0 flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:m-2"
      >
        {words('nav.skip')}
      </a>
      <Rail onMenu={() => setOpen(true)} isOpen={isOpen} />
      <header className="flex items-center gap-1 border-b border-line px-2 py-1 md:hidden">
        <IconButton
          icon="menu"
          label={words('nav.menu')}
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        />
        <span className="min-w-0 flex-1 truncate pr-8 font-semibold pointer-coarse:pr-12">
          <Plain text={title === '' ? words('app.name') : title} />
        </span>
        <Link
          to="/"
          aria-label={words('sessions.new')}
          className="inline-flex size-7 items-center justify-center rounded-md text-text-2 hover:bg-sunken pointer-coarse:size-11"
        >
          <Icon name="plus" />
        </Link>
      </header>
      <aside
        aria-label={words('nav.menu')}
        className="hidden w-[264px] shrink-0 border-r border-line bg-subtle lg:block"
      >
        <Sidebar />
      </aside>
      {isOpen && <Drawer onClose={() => setOpen(false)} />}
      <main id="main" tabIndex={-1} className="min-h-0 min-w-0 flex-1 outline-none">
        <Outlet />
      </main>
      <nav
        aria-label={words('nav.pages')}
        className="bottom-bar flex border-t border-line bg-subtle md:hidden"
      >
        <BarLinks />
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
          className={barEntry(false)}
        >
          <span>{words('nav.more')}</span>
          <Icon name="dots" size={18} />
        </button>
      </nav>
      <Palette />
      <SignedOut />
    </div>
  )
}

interface RailProps {
  readonly isOpen: boolean
  readonly onMenu: () => void
}

/** Column of icons on pages of medium width. */
function Rail({ isOpen, onMenu }: RailProps) {
  const words = useWords()
  return (
    <nav
      aria-label={words('nav.pages')}
      className="hidden w-14 shrink-0 flex-col items-center gap-1 overflow-y-auto border-r border-line bg-subtle py-2 md:flex lg:hidden"
    >
      <IconButton
        icon="menu"
        label={words('nav.menu')}
        aria-expanded={isOpen}
        className="size-11"
        onClick={onMenu}
      />
      <Link
        to="/"
        aria-label={words('sessions.new')}
        title={`${words('sessions.new')} (n)`}
        className="inline-flex size-11 items-center justify-center rounded-md text-text-2 hover:bg-sunken hover:text-text"
      >
        <Icon name="plus" />
      </Link>
      <RailLinks />
    </nav>
  )
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const words = useWords()
  useKeys({ Escape: onClose })
  return (
    <div role="dialog" aria-label={words('nav.menu')} className="fixed inset-0 z-40 flex lg:hidden">
      <div className="w-[300px] max-w-[85vw] border-r border-line bg-subtle shadow-float">
        <Sidebar isUnfolded />
      </div>
      <button
        type="button"
        aria-label={words('close')}
        className="flex-1 bg-black/40"
        onClick={onClose}
      />
    </div>
  )
}
