/**
 * Service worker of the console. It caches the files of one release, so that the page opens while
 * the server is unreachable. API requests bypass the cache, and no tenant data is stored. The page
 * itself comes from the server whenever the server is reachable.
 */

/** Names of the release's files below `/console/`, filled in by the build. */
declare const __FILES__: readonly string[]

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
/** Members of a service worker's global scope that this file uses. */
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
/** File names contain digests, so each release has its own cache name. */
const CACHE = PREFIX + FILES.join()
/**
 * Number of releases whose files stay cached; pages of the previous release may still load its
 * chunks.
 */
const KEPT_RELEASES = 2

async function install(): Promise<void> {
  await caches.delete(CACHE)
  const cache = await caches.open(CACHE)
  try {
    const page = await fetch(BASE, { cache: 'no-store' })
    const assetPaths = (await page.clone().text()).matchAll(/"\/console\/(assets\/[^"]+)"/g)
    // During a rollout, servers of the old and the new release respond.
    if (!page.ok || ![...assetPaths].every(([, name = '']) => FILES.includes(name)))
      throw new Error(
        'The server returned a page from another release; this release was not cached.',
      )
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

/**
 * Returns the page from the server or from the cache. The cached page and the cached files belong
 * to the same release.
 */
async function pageOf(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const cachedPage = await caches.match(BASE, { cacheName: CACHE, ignoreVary: true })
    if (!cachedPage) throw error
    return cachedPage
  }
}

/**
 * Returns a file of the console; files with the same name have the same content in every release.
 */
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
