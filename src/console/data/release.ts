/**
 * Release of the console that this page belongs to. The service worker caches the release's files,
 * and the page shows a notice when a later release has replaced it.
 */

import { useSyncExternalStore } from 'react'

const BASE = import.meta.env.BASE_URL
const WORKER = `${BASE}sw.js`
/**
 * Delay in milliseconds before the service worker starts, so that the page's files load before the
 * files to cache.
 */
const REGISTER_MS = 2_000
const CHECK_MS = 300_000

let isReplaced = false
const listeners = new Set<() => void>()

/** Records that the server has a different release of the console. */
export function noteReplaced(): void {
  isReplaced = true
  for (const listener of listeners) listener()
}

export const useReplaced = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isReplaced,
  )

const scriptOf = (page: Document): string | null =>
  page.querySelector('script[type=module]')?.getAttribute('src') ?? null

/** Compares the script URL in the server's current page with the script URL of this page. */
async function check(): Promise<void> {
  if (isReplaced || document.visibilityState === 'hidden') return
  const response = await fetch(BASE, { cache: 'no-store' }).catch(() => undefined)
  // If the server is unreachable, a later check repeats the comparison.
  if (!response?.ok) return
  const script = scriptOf(document)
  if (script !== null && !(await response.text()).includes(`"${script}"`)) noteReplaced()
}

type Policies = Readonly<{
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(input: string): string }
}>

/**
 * Returns the service worker's URL, the only script URL that this page loads. Browsers without
 * Trusted Types accept a string.
 */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('strata', { createScriptURL: () => WORKER })
  return policy?.createScriptURL(WORKER) ?? WORKER
}

/** Caches the console's files, and checks for a later release while the page is visible. */
export function watchRelease(): void {
  document.addEventListener('visibilitychange', () => void check())
  setInterval(() => void check(), CHECK_MS)
  // Private windows in some browsers do not support service workers.
  if (!('serviceWorker' in navigator)) return
  setTimeout(() => {
    navigator.serviceWorker
      .register(workerUrl(), { scope: '/console', updateViaCache: 'none' })
      .catch((error: unknown) =>
        console.warn('Could not cache the console for offline use:', error),
      )
  }, REGISTER_MS)
}
