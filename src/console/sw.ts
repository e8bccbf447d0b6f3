/**
 * The service worker of the console. It keeps the files of one release of the console, so that the
 * page opens while no server answers. Requests to the API pass it by, and it stores no data of a
 * tenant. The page comes from the server whenever one answers.
 */

/** The names of the release's files below `/console/`; the build fills them in. */
declare const __FILES__: readonly string[]

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
/** The part of a service worker's global scope that is used here. */
interface Scope {
  addEventListener(type: 'install' | 'activate', listener: (event: LifetimeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  readonly location: Location
}

const scope = self as unknown as Scope
const BASE = '/console/'
const FILES: readonly string[] = __FILES__
const PREFIX = 'strata-console-'
/** Names of files have digests, so that each release has its own name. */
const CACHE = PREFIX + FILES.join()
/** Pages of the release before may still load parts of theirs. */
const KEPT_RELEASES = 2

async function install(): Promise<void> {
  await caches.delete(CACHE)
  const cache = await caches.open(CACHE)
  try {
    const page = await fetch(BASE, { cache: 'no-store' })
    const assetPaths = (await page.clone().text()).matchAll(/"\/console\/(assets\/[^"]+)"/g)
    // While a release is rolled out, servers of both releases answer.
    if (!page.ok || ![...assetPaths].every(([, name = '']) => FILES.includes(name)))
      throw new Error('The server answers with the page of another release; this one is not kept.')
    await cache.addAll(FILES.map((name) => BASE + name))
    await cache.put(BASE, page)
  } catch (error) {
    await caches.delete(CACHE)
    throw error
  }
  await scope.skipWaiting()
}

async function activate(): Promise<void> {
  const releases = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
  await Promise.all(releases.slice(0, -KEPT_RELEASES).map((name) => caches.delete(name)))
  await scope.clients.claim()
}

/** The kept page is of one release with the kept files. */
async function pageOf(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const cachedPage = await caches.match(BASE, { cacheName: CACHE, ignoreVary: true })
    if (!cachedPage) throw error
    return cachedPage
  }
}

/** A name is the same content in every release. */
const fileOf = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request)

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  const isPage = pathname === '/console' || pathname.startsWith(BASE)
  if (request.mode === 'navigate' && isPage) event.respondWith(pageOf(request))
  else if (pathname.startsWith(`${BASE}assets/`)) event.respondWith(fileOf(request))
})
