/** Debian's chromium, driven by playwright-core. */

import { type Browser, chromium, type Page } from 'playwright-core'
import type { Open } from '../support/launch.ts'

/** Where Debian's package puts it. */
const CHROMIUM = '/usr/bin/chromium'

/** Nothing that talks to anything but the servers of the proof. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
]

/** `WIDE` and `NARROW`: a desk and a phone. */
const WIDE = { width: 1_440, height: 900 }
const NARROW = { width: 360, height: 740 }

export async function openBrowser(open: Open): Promise<Browser> {
  // As root, which containers are, chromium has no sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...sandbox] })
  open.push(() => browser.close())
  return browser
}

export interface Looks {
  readonly viewport: typeof WIDE
  readonly colorScheme: 'light' | 'dark'
}
export const LOOKS: readonly Looks[] = [WIDE, NARROW].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
)

/** A page of a browser profile of its own. Fails on errors of scripts and breaches of a policy. */
export async function newPage(browser: Browser, looks: Looks, faults: string[]): Promise<Page> {
  const context = await browser.newContext(looks)
  const page = await context.newPage()
  page.on('pageerror', (error) => void faults.push(`the page threw ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
  })
  return page
}
