/** Page of webhooks: deliveries of events, endpoints that receive them, and hooks that start runs. */

import { Link, useSearch } from '@tanstack/react-router'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { MissingScope } from '../kit/missing-scope.tsx'
import { useTitle } from '../kit/title.ts'
import { Inline } from '../text/text.tsx'
import { DeliveryList } from './deliveries.tsx'
import { EndpointList } from './endpoints.tsx'
import { HookList } from './hooks.tsx'
import { filtersOf, TABS, type Tab, tabOf, webhookSearch } from './search.ts'

export default function Webhooks() {
  const words = useWords()
  const scopes = { 'webhooks:read': useMay('webhooks:read'), 'hooks:read': useMay('hooks:read') }
  // The router also passes parameters that the route has dropped.
  const search = webhookSearch(useSearch({ strict: false }))
  const tab = tabOf(search)
  const filters = filtersOf(search)
  const scope = tab === 'hooks' ? 'hooks:read' : 'webhooks:read'
  const may = scopes[scope]
  useTitle(words('webhooks.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 border-line px-4 ${search.sel ? 'md:border-b' : 'border-b'}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('webhooks.title')}</h1>
        <Tabs tab={tab} isHidden={search.sel !== undefined} />
        {may && tab === 'deliveries' && (
          <p className="ml-auto hidden text-xs text-text-3 xl:block pointer-coarse:hidden">
            <Inline text={words('webhooks.shortcuts')} />
          </p>
        )}
      </header>
      {!may ? (
        <MissingScope scope={scope} />
      ) : tab === 'hooks' ? (
        <HookList selection={search.sel} />
      ) : tab === 'endpoints' ? (
        <EndpointList selection={search.sel} />
      ) : (
        <DeliveryList key={JSON.stringify(filters)} filters={filters} selection={search.sel} />
      )}
    </div>
  )
}

interface TabsProps {
  readonly tab: Tab
  /** Whether the selected entry covers the tabs on narrow pages. */
  readonly isHidden: boolean
}

function Tabs({ tab, isHidden }: TabsProps) {
  const words = useWords()
  return (
    <nav
      aria-label={words('webhooks.tabs')}
      className={`gap-1 ${isHidden ? 'hidden md:flex' : 'flex'}`}
    >
      {(Object.keys(TABS) as Tab[]).map((name) => (
        <Link
          key={name}
          to="/webhooks"
          search={name === 'deliveries' ? {} : { tab: name }}
          // Without `exact`, the router also marks the tab that has no search parameters.
          activeOptions={{ exact: true }}
          aria-current={name === tab ? 'page' : undefined}
          className={`-mb-px inline-flex min-h-10 items-center border-b-2 px-2 text-sm pointer-coarse:min-h-11 ${
            name === tab
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(`webhooks.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
