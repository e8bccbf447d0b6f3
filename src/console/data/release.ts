/**
 * The release of the console that this page is of. The service worker keeps its files, and a page
 * that a later release has replaced says so.
 */

import { useSyncExternalStore } from 'react'

const BASE = import.meta.env.BASE_URL
const WORKER = `${BASE}sw.js`
/** The files of the first page are loaded before those that are kept. */
const REGISTER_MS = 2_000
const CHECK_MS = 300_000

let isReplaced = false
const listeners = new Set<() => void>()

/** Notes that the server has another release of the console. */
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

/** Compares the script that the server's page names with the script of this page. */
async function check(): Promise<void> {
  if (isReplaced || document.visibilityState === 'hidden') return
  const response = await fetch(BASE, { cache: 'no-store' }).catch(() => undefined)
  // Later checks follow where no server answers.
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

/** The only script URL of this page. Browsers without Trusted Types accept a string. */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('strata', { createScriptURL: () => WORKER })
  return policy?.createScriptURL(WORKER) ?? WORKER
}

/** Keeps the files of the console, and looks for a later release while the page is visible. */
export function watchRelease(): void {
  document.addEventListener('visibilitychange', () => void check())
  setInterval(() => void check(), CHECK_MS)
  // Private windows of some browsers have no service workers.
  if (!('serviceWorker' in navigator)) return
  setTimeout(() => {
    navigator.serviceWorker
      .register(workerUrl(), { scope: '/console', updateViaCache: 'none' })
      .catch((error: unknown) => console.warn('The console is not kept for offline use:', error))
  }, REGISTER_MS)
}
