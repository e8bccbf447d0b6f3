/** The addresses of the console. Each page is a chunk of its own, loaded when one goes there. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Loading } from '../ui/notice.tsx'
import { Failed, Missing } from './failed.tsx'
import { loaded } from './loaded.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute({
  component: Shell,
  errorComponent: Failed,
  notFoundComponent: Missing,
})

const chat = () => loaded(() => import('../pages/chat/page.tsx'))
const runs = () => loaded(() => import('../pages/runs/page.tsx'))
const run = () => loaded(() => import('../pages/run/page.tsx'))
const fanouts = () => loaded(() => import('../pages/fanout/list-page.tsx'))
const fanout = () => loaded(() => import('../pages/fanout/page.tsx'))
const approvals = () => loaded(() => import('../pages/approvals/page.tsx'))
const webhooks = () => loaded(() => import('../pages/webhooks/page.tsx'))
const layers = () => loaded(() => import('../pages/layers/page.tsx'))
const schedules = () => loaded(() => import('../pages/schedules/page.tsx'))
const memory = () => loaded(() => import('../pages/memory/page.tsx'))
const usage = () => loaded(() => import('../pages/usage/page.tsx'))
const settings = () => loaded(() => import('../pages/settings/page.tsx'))

/** The more exact ones first. */
const BY_START: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['/runs/', run],
  ['/runs', runs],
  ['/fanouts/', fanout],
  ['/fanouts', fanouts],
  ['/approvals', approvals],
  ['/webhooks', webhooks],
  ['/layers', layers],
  ['/schedules', schedules],
  ['/memory', memory],
  ['/usage', usage],
  ['/settings', settings],
  ['', chat],
]

const under = <P extends string>(path: P, load: () => Promise<{ default: React.FC }>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

/** The panel of the chat stands in the address: a reload keeps it. */
const chatSearch = ({ open }: Record<string, unknown>): { open?: string } =>
  typeof open === 'string' ? { open } : {}
const talking = <P extends string>(path: P) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(chat),
    validateSearch: chatSearch,
  })

const tree = root.addChildren([
  talking('/'),
  talking('/chat/$session'),
  under('/runs', runs),
  under('/runs/$run', run),
  under('/fanouts', fanouts),
  under('/fanouts/$fanout', fanout),
  under('/approvals', approvals),
  under('/approvals/$approval', approvals),
  under('/webhooks', webhooks),
  under('/webhooks/$tab', webhooks),
  under('/layers', layers),
  under('/layers/$', layers),
  under('/schedules', schedules),
  under('/memory', memory),
  under('/usage', usage),
  under('/settings', settings),
  under('/settings/$tab', settings),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultPendingComponent: Loading,
})

/** The page of the address begins to load while the session is still asked for. */
export function beginLoading(): void {
  const at = location.pathname.replace(/^\/console/, '')
  const [, load] = BY_START.find(([start]) => at.startsWith(start)) ?? []
  // The page itself says that it failed, and tries again.
  void load?.().catch(() => {})
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
