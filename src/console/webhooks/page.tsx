/** Page of webhooks: the deliveries of events, with their attempts, and replays. */

import { useSearch } from '@tanstack/react-router'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden } from '../kit/notice.tsx'
import { useTitle } from '../kit/title.ts'
import { Code, Inline } from '../text/text.tsx'
import { DeliveryList } from './deliveries.tsx'
import { filtersOf, webhookSearch } from './search.ts'

export default function Webhooks() {
  const words = useWords()
  const may = useMay('webhooks:read')
  // The router also passes parameters that the route has dropped.
  const search = webhookSearch(useSearch({ strict: false }))
  const filters = filtersOf(search)
  useTitle(words('webhooks.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-x-4 border-line px-4 lg:min-h-10 lg:border-b">
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('webhooks.title')}</h1>
        {may && (
          <p className="ml-auto hidden text-xs text-text-3 xl:block pointer-coarse:hidden">
            <Inline text={words('webhooks.shortcuts')} />
          </p>
        )}
      </header>
      {may ? (
        <DeliveryList key={JSON.stringify(filters)} filters={filters} selection={search.sel} />
      ) : (
        <NotAllowed scope="webhooks:read" />
      )}
    </div>
  )
}

function NotAllowed({ scope }: { readonly scope: string }) {
  const words = useWords()
  return (
    <div className="grid gap-3 p-4">
      <Forbidden scope={scope} />
      <Code
        label={words('runs.forbidden.command')}
        text={`strata keys --create --name console --scope ${scope}`}
      />
    </div>
  )
}
