/** The frame of every page: the ways to the others, commands, and the session. */

import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { NAV } from './pages.ts'
import { Palette } from './palette.tsx'
import { useAnnounced, usePending } from './pending.ts'
import { useShortcuts } from './shortcuts.ts'
import { SignedOut } from './signed-out.tsx'
import { useWords } from './words.ts'

export function Shell() {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const [palette, setPalette] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useShortcuts(() => setPalette(true))
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu.
  useEffect(() => setOpen(false), [path])
  return (
    <div className="flex h-full min-h-0 flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-3 py-2 text-accent-text focus:not-sr-only focus:absolute focus:m-2"
      >
        {words('nav.main')}
      </a>
      <header className="flex items-center gap-2 border-b border-line bg-surface px-2 py-1 md:hidden">
        <IconButton
          icon={open ? 'close' : 'menu'}
          label={words('nav.menu')}
          aria-expanded={open}
          aria-controls="nav"
          onClick={() => setOpen(!open)}
        />
        <span className="font-semibold">{words('app.name')}</span>
        <span className="flex-1" />
        <IconButton icon="search" label={words('palette.open')} onClick={() => setPalette(true)} />
      </header>
      <Nav open={open} onPalette={() => setPalette(true)} />
      <main id="main" tabIndex={-1} className="min-h-0 min-w-0 flex-1 outline-none">
        <Outlet />
      </main>
      <Palette open={palette} onClose={() => setPalette(false)} />
      <SignedOut />
    </div>
  )
}

function Nav({ open, onPalette }: { readonly open: boolean; readonly onPalette: () => void }) {
  const words = useWords()
  const pending = usePending()
  useAnnounced(pending)
  return (
    <nav
      id="nav"
      aria-label={words('nav.main')}
      className={`${open ? 'flex' : 'hidden'} w-full shrink-0 flex-col gap-0.5 overflow-y-auto border-r border-line bg-surface p-2 md:flex md:w-52`}
    >
      <div className="hidden items-center gap-2 px-2 py-2 font-semibold md:flex">
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" className="size-6" />
        {words('app.name')}
      </div>
      {NAV.map(({ to, word, icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/' }}
          activeProps={{ className: 'bg-accent-soft text-accent font-medium' }}
          inactiveProps={{ className: 'text-muted hover:bg-raised hover:text-text' }}
          className="flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm"
        >
          <Icon name={icon} />
          <span className="flex-1">{words(word)}</span>
          {to === '/approvals' && pending.count && <Badge tone="warn">{pending.count}</Badge>}
        </Link>
      ))}
      <span className="flex-1" />
      <button
        type="button"
        onClick={onPalette}
        className="hidden min-h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm text-muted hover:bg-raised hover:text-text md:flex"
      >
        <Icon name="search" />
        <span className="flex-1 text-left">{words('palette.open')}</span>
        <kbd className="whitespace-nowrap rounded border border-line px-1 font-mono text-xs">
          Ctrl K
        </kbd>
      </button>
      <a
        href="/docs"
        className="flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm text-muted hover:bg-raised hover:text-text"
      >
        <Icon name="book" />
        {words('nav.docs')}
      </a>
    </nav>
  )
}
