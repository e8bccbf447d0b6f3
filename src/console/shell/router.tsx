/** Routes of the console. Each page is a separate chunk. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { approvalSearch } from '../approvals/selection.ts'
import type { AuditSearch } from '../audit/search.ts'
import { loaded } from '../data/lazy-part.ts'
import type { EffectiveSearch } from '../effective/state.ts'
import { fanoutSearch } from '../fanout/state.ts'
import { loadPageTexts } from '../i18n/words.ts'
import type { ImportSearch } from '../import/state.ts'
import type { KeySearch } from '../keys/search.ts'
import { Loading } from '../kit/notice.tsx'
import type { LayersSearch } from '../layers/state.ts'
import type { MemorySearch } from '../memory/search.ts'
import { runSearch } from '../run/search.ts'
import { type Filters, filtersOf } from '../runs/filters.ts'
import type { ScheduleSearch } from '../schedules/search.ts'
import type { SecretSearch } from '../secrets/search.ts'
import type { SettingsSearch } from '../settings/search.ts'
import type { TenantSearch } from '../tenants/search.ts'
import type { UsageSearch } from '../usage/search.ts'
import type { WebhookSearch } from '../webhooks/search.ts'
import { Failed, NotFound } from './error-page.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({
  component: Shell,
  errorComponent: Failed,
  notFoundComponent: NotFound,
  validateSearch: ({ archived }: Record<string, unknown>): { archived?: true } =>
    archived === true ? { archived } : {},
})

const chat = () => loaded(() => import('../chat/page.tsx'))

const chatRoute = <P extends string>(path: P) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(chat),
    validateSearch: ({ panel }: Record<string, unknown>): { panel?: string } =>
      typeof panel === 'string' ? { panel } : {},
  })

/** Loads a page with the texts that the chat does not need. */
const withTexts =
  <T,>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    const [page] = await Promise.all([loaded(load), loadPageTexts()])
    return page
  }

/** Passes search parameters on: the page reads them by a function of its own chunk. */
const unread = <S extends object>(search: Record<string, unknown>): S => search as S

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  component: lazyRouteComponent(withTexts(() => import('../run/page.tsx'))),
  validateSearch: runSearch,
})

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  component: lazyRouteComponent(withTexts(() => import('../runs/page.tsx'))),
  validateSearch: (search: Record<string, unknown>): Filters => filtersOf(search),
})

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  component: lazyRouteComponent(withTexts(() => import('../approvals/page.tsx'))),
  validateSearch: approvalSearch,
})

const fanouts = createRoute({
  getParentRoute: () => root,
  path: '/fanouts',
  component: lazyRouteComponent(withTexts(() => import('../fanouts/page.tsx'))),
})

const fanout = createRoute({
  getParentRoute: () => root,
  path: '/fanouts/$fanout',
  component: lazyRouteComponent(withTexts(() => import('../fanout/page.tsx'))),
  validateSearch: fanoutSearch,
})

const layers = createRoute({
  getParentRoute: () => root,
  path: '/layers',
  component: lazyRouteComponent(withTexts(() => import('../layers/page.tsx'))),
  validateSearch: unread<LayersSearch>,
})

const effective = createRoute({
  getParentRoute: () => root,
  path: '/layers/effective',
  component: lazyRouteComponent(withTexts(() => import('../effective/page.tsx'))),
  validateSearch: unread<EffectiveSearch>,
})

const imports = createRoute({
  getParentRoute: () => root,
  path: '/layers/import',
  component: lazyRouteComponent(withTexts(() => import('../import/page.tsx'))),
  validateSearch: unread<ImportSearch>,
})

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  component: lazyRouteComponent(withTexts(() => import('../schedules/page.tsx'))),
  validateSearch: unread<ScheduleSearch>,
})

const memory = createRoute({
  getParentRoute: () => root,
  path: '/memory',
  component: lazyRouteComponent(withTexts(() => import('../memory/page.tsx'))),
  validateSearch: unread<MemorySearch>,
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(withTexts(() => import('../webhooks/page.tsx'))),
  validateSearch: unread<WebhookSearch>,
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(withTexts(() => import('../keys/page.tsx'))),
  validateSearch: unread<KeySearch>,
})

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets',
  component: lazyRouteComponent(withTexts(() => import('../secrets/page.tsx'))),
  validateSearch: unread<SecretSearch>,
})

const tenants = createRoute({
  getParentRoute: () => root,
  path: '/tenants',
  component: lazyRouteComponent(withTexts(() => import('../tenants/page.tsx'))),
  validateSearch: unread<TenantSearch>,
})

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyRouteComponent(withTexts(() => import('../usage/page.tsx'))),
  validateSearch: unread<UsageSearch>,
})

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(withTexts(() => import('../audit/page.tsx'))),
  validateSearch: unread<AuditSearch>,
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(withTexts(() => import('../settings/page.tsx'))),
  validateSearch: unread<SettingsSearch>,
})

/** Page that sign-in links open; the gate has already used the link's token. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    chatRoute('/'),
    chatRoute('/chat/$session'),
    runs,
    run,
    approvals,
    fanouts,
    fanout,
    layers,
    effective,
    imports,
    schedules,
    memory,
    webhooks,
    keys,
    secrets,
    tenants,
    usage,
    audit,
    settings,
    signIn,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultPendingComponent: Loading,
})

/** Preloads the code of the page while the session request is pending. */
export function preloadPage(): void {
  // The page itself handles a failure to load and reloads.
  void chat().catch(() => {})
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
