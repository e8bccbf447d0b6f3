/** Routes of the console. Each page is a separate chunk. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { approvalSearch } from '../approvals/selection.ts'
import { loaded } from '../data/lazy-part.ts'
import { fanoutSearch } from '../fanout/state.ts'
import { Loading } from '../kit/notice.tsx'
import { runSearch } from '../run/state.ts'
import { type Filters, filtersOf } from '../runs/filters.ts'
import { webhookSearch } from '../webhooks/search.ts'
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

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  component: lazyRouteComponent(() => loaded(() => import('../run/page.tsx'))),
  validateSearch: runSearch,
})

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  component: lazyRouteComponent(() => loaded(() => import('../runs/page.tsx'))),
  validateSearch: (search: Record<string, unknown>): Filters => filtersOf(search),
})

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  component: lazyRouteComponent(() => loaded(() => import('../approvals/page.tsx'))),
  validateSearch: approvalSearch,
})

const fanouts = createRoute({
  getParentRoute: () => root,
  path: '/fanouts',
  component: lazyRouteComponent(() => loaded(() => import('../fanouts/page.tsx'))),
})

const fanout = createRoute({
  getParentRoute: () => root,
  path: '/fanouts/$fanout',
  component: lazyRouteComponent(() => loaded(() => import('../fanout/page.tsx'))),
  validateSearch: fanoutSearch,
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => loaded(() => import('../webhooks/page.tsx'))),
  validateSearch: webhookSearch,
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
    webhooks,
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
