/** Debian's chromium, driven by playwright-core. */

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Open } from '../support/launch.ts'

/** The path of Debian's package. */
const CHROMIUM = '/usr/bin/chromium'

export const hasBrowser = existsSync(CHROMIUM)

/** Nothing that talks to anything but the servers of the proof. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
]

export async function openBrowser(open: Open): Promise<Browser> {
  // As root, which containers are, chromium has no sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...sandbox] })
  open.push(() => browser.close())
  return browser
}

/** A page of a browser profile of its own. Fails on errors of scripts and breaches of a policy. */
export async function newPage(
  browser: Browser,
  faults: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options)
  context.on('page', (page) => watch(page, faults))
  return context.newPage()
}

function watch(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => void faults.push(`the page threw ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted.?(?:Type|HTML|Script)/i.test(message.text()))
      faults.push(message.text())
  })
}
