/**
 * Page of settings: the policy, the models, tools, and limits of the deployment, its readiness, the
 * signed-in browsers, and the settings of this browser.
 */

import { Link, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { MissingScope } from '../kit/missing-scope.tsx'
import { Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useTitle } from '../kit/title.ts'
import { Browser } from './browser.tsx'
import { Limits } from './limits.tsx'
import { Models } from './models.tsx'
import { Readiness } from './readiness.tsx'
import { settingsSearch, TABS, type Tab } from './search.ts'
import { Sessions } from './sessions.tsx'
import { Tools } from './tools.tsx'

const Policy = lazy(() => loaded(() => import('./policy.tsx')))

/** Scopes of the tabs that need one. */
const SCOPES: Partial<Record<Tab, string>> = {
  policy: 'policy:read',
  ...{ models: 'layers:read', tools: 'layers:read', limits: 'layers:read' },
  sessions: 'keys:read',
}

export default function Settings() {
  const words = useWords()
  const { tab = 'policy', q = '' } = settingsSearch(useSearch({ strict: false }))
  const scope = SCOPES[tab]
  useTitle(words('settings.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-x-4 border-b border-line px-4">
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('settings.title')}</h1>
        <Tabs tab={tab} />
      </header>
      <OfflineLine />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {scope === undefined ? (
          <Content tab={tab} q={q} />
        ) : (
          <Allowed key={tab} scope={scope}>
            <Content tab={tab} q={q} />
          </Allowed>
        )}
      </div>
    </div>
  )
}

interface AllowedProps {
  readonly scope: string
  readonly children: ReactNode
}

function Allowed({ scope, children }: AllowedProps) {
  return useMay(scope) ? children : <MissingScope scope={scope} />
}

interface ContentProps {
  readonly tab: Tab
  readonly q: string
}

function Content({ tab, q }: ContentProps) {
  const contents: Readonly<Record<Tab, () => ReactNode>> = {
    policy: () => (
      <Suspense fallback={<Loading />}>
        <Policy />
      </Suspense>
    ),
    models: () => <Models query={q} />,
    tools: () => <Tools query={q} />,
    limits: () => <Limits query={q} />,
    readiness: () => <Readiness />,
    sessions: () => <Sessions />,
    browser: () => <Browser />,
  }
  return <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">{contents[tab]()}</div>
}

function Tabs({ tab }: { readonly tab: Tab }) {
  const words = useWords()
  const nav = useRef<HTMLElement>(null)
  // Narrow pages show some of the tabs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab moves into view.
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  return (
    <nav
      ref={nav}
      aria-label={words('settings.tabs')}
      className="-mx-1 flex min-w-0 gap-1 overflow-x-auto px-1"
    >
      {TABS.map((name) => (
        <Link
          key={name}
          to="/settings"
          search={name === 'policy' ? {} : { tab: name }}
          // Without `exact`, the router also marks the tab that has no search parameters.
          activeOptions={{ exact: true }}
          aria-current={name === tab ? 'page' : undefined}
          className={`inline-flex min-h-10 items-center border-b-2 px-2 text-sm whitespace-nowrap pointer-coarse:min-h-11 ${
            name === tab
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(`settings.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
