/**
 * A real browser for the console's tests: Debian's chromium, installed where it is missing, and a
 * page that notes whatever it should never do: errors, foreign requests, dialogs.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import type { Open } from '../support/launch.ts'

const CHROMIUM = '/usr/bin/chromium'

/** Quiet: nothing of the browser itself goes beyond this machine. */
const ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-extensions'],
]

function installed(): void {
  if (existsSync(CHROMIUM)) return
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'inherit' }).status
  if (apt('update') !== 0 || apt('install', '-y', '--no-install-recommends', 'chromium') !== 0)
    throw new Error('chromium is not installed, and apt-get could not install it')
}

export async function startBrowser(open: Open): Promise<Browser> {
  installed()
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  open.push(() => browser.close())
  return browser
}

export interface Watched {
  readonly page: Page
  /** Sentences about whatever should never happen. */
  readonly faults: string[]
  /** `METHOD /path` of every request to the API. */
  readonly requests: Set<string>
}

/** Of all pages that were ever opened: `METHOD /path`, with the names of its query behind a `?`. */
export const allRequests = new Set<string>()

function recorded(request: Request): void {
  const to = new URL(request.url())
  if (!to.pathname.startsWith('/v1')) return
  const names = [...new Set(to.searchParams.keys())].toSorted()
  allRequests.add(`${request.method()} ${to.pathname}${names.length > 0 ? `?${names}` : ''}`)
}

/** Statuses that a test brings about: the browser notes them as errors of its own. */
const EXPECTED = /the server responded with a status of (?:401|403|404|409|412|413|422|429|503)/
const LOST = /net::ERR_(?:CONNECTION|INTERNET|INCOMPLETE|FAILED|EMPTY|NETWORK|ABORTED)/

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  // Of tabs that are opened later too.
  context.on('request', recorded)
  const page = await context.newPage()
  const faults: string[] = []
  const requests = new Set<string>()
  page.on('console', (message) => {
    const text = message.text()
    const isFault = message.type() === 'error' || message.type() === 'warning'
    if (isFault && !EXPECTED.test(text) && !LOST.test(text))
      faults.push(`console: ${text} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => faults.push(`popup: ${popup.url()}`))
  page.on('request', (request) => {
    const to = new URL(request.url())
    if (to.protocol === 'data:' || to.protocol === 'blob:') return
    if (to.origin !== new URL(url).origin) faults.push(`foreign request: ${request.url()}`)
    if (to.pathname.startsWith('/v1')) requests.add(`${request.method()} ${to.pathname}`)
  })
  return { page, faults, requests }
}
