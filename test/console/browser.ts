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

export async function openBrowser(open: Open): Promise<Browser> {
  // As root, which containers are, chromium has no sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...sandbox] })
  open.push(() => browser.close())
  return browser
}

/** A page of a browser profile of its own. Fails on errors of scripts and breaches of a policy. */
export async function newPage(browser: Browser, faults: string[]): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('pageerror', (error) => void faults.push(`the page threw ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
  })
  return page
}
