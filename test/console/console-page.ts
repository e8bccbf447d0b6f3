/** A page of the console behind its sign-in, which notes everything that must not happen. */

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { minutes } from '../support/patience.ts'
import { newPage } from './browser.ts'
import type { Stage } from './stage.ts'

/** `METHOD /path?names` of every request to the API that any page has made. */
export const apiRequests = new Set<string>()

function note(url: string, method: string): void {
  const { pathname, searchParams } = new URL(url)
  if (!/^\/(?:v1|healthz)/.test(pathname)) return
  const names = [...new Set(searchParams.keys())].toSorted()
  apiRequests.add(`${method} ${pathname}?${names}`)
}

/** Opens a page that is not signed in. */
export async function openBlank(
  browser: Browser,
  { server, faults }: Pick<Stage, 'server' | 'faults'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const wide = { viewport: { width: 1_440, height: 900 } }
  const page = await newPage(browser, faults, { ...wide, ...options })
  page.setDefaultTimeout(minutes(1))
  page.context().on('request', (request) => {
    const url = request.url()
    note(url, request.method())
    const isOwn = url.startsWith(`${server.url}/`) || /^(?:blob|about):/.test(url)
    if (!isOwn) faults.push(`the page requested ${url}`)
  })
  page.on('dialog', (dialog) => {
    faults.push(`the page opened a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return page
}

/** Signs in by a link and opens `path` below /console. */
export async function openConsole(
  stage: Pick<Stage, 'server' | 'browser' | 'faults'>,
  path = '',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { server, browser } = stage
  const page = await openBlank(browser, stage, options)
  const link = await server.get<{ url: string }>('/v1/sign-in-links', { method: 'POST' })
  await page.goto(link.url)
  await page.locator('#main').waitFor()
  if (path !== '') await page.goto(`${server.url}/console/${path}`)
  await page.locator('textarea').first().waitFor()
  return page
}

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
export const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Subagent' })
export const answer = (page: Page, text: string): Locator =>
  transcript(page).locator('.prose-strata', { hasText: text }).first()

/** Sends a message and waits until it has a conversation. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
  await page.waitForURL(/\/chat\/ses_/)
}

/** The session in the address. */
export const sessionIn = (page: Page): string => /ses_\w+/.exec(page.url())?.[0] ?? ''
