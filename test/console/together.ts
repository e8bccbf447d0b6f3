/** Work that meets: subagents and a person, two tabs. */

import type { Page } from 'playwright-core'
import { type Check, holds, signedIn, unharmed } from './checks.ts'
import { askFor, spawn, until } from './host.ts'

const composer = (page: Page) => page.locator('#main textarea').last()

/** The same on both, sooner or later, and for a while: parts of a page come one after another. */
export async function same(steady: Page, anew: Page, when: string): Promise<string> {
  const SAME_MS = 200
  let [one, two, since] = ['', '', 0]
  await until('both show the same', async () => {
    const before = one
    ;[one, two] = await Promise.all([shown(steady), shown(anew)])
    if (one !== two || one !== before) since = Date.now()
    return Date.now() - since >= SAME_MS
  }).catch(() => {
    throw new Error(`${when}: not reloaded:\n${one}\nreloaded:\n${two}`)
  })
  return one
}

/** All that a conversation and its panel show, but times and lengths; the list beside lags on Workers. */
async function shown(page: Page): Promise<string> {
  const texts = await page.getByRole('log').allInnerTexts()
  return texts
    .join(' | ')
    .replaceAll(/\d+(?:\.\d+)? (?:ms|s|min|h)\b|\d+ (?:sec|min|hr)\. ago|now/g, '~')
    .replaceAll(/\s+/g, ' ')
}

/** Of the three, while a person is waited for. */
const STATUSES = { alpha: 'Completed', beta: 'Completed', gamma: 'Waiting' }

export const TOGETHER: Record<string, Check> = {
  'chat: three subagents and an approval below them; a reload shows the same': async (given) => {
    await askFor(given.host, 'file_list')
    const watched = await signedIn(given)
    const { page } = watched
    const input = [
      '@text Three of us.',
      spawn('alpha', '@say found a'),
      spawn('beta', '@slow 300', '@say found b'),
      spawn('gamma', '@call file_list {"path": "."}', '@say listed'),
      '@await',
      '@say all three agree',
    ].join('\n')
    await composer(page).fill(input)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    const [, session = ''] = /\/chat\/(ses_\w+)/.exec(page.url()) ?? []
    const [run] = (await given.host.api.sessions.runs(session, {})).data
    // Then nothing changes any more until somebody approves; the page hears of it a moment later.
    await until('two of three have ended', async () => {
      const { children } = await given.host.api.runs.get(run!.id)
      return children.completed === 2
    })
    const cards = page.getByRole('log').first().getByRole('button')
    for (const [name, status] of Object.entries(STATUSES))
      await cards.filter({ hasText: name }).filter({ hasText: status }).first().waitFor()
    const anew = await page.context().newPage()
    await anew.goto(page.url())
    await anew.getByRole('log').first().waitFor()
    await anew.reload()
    await anew.getByRole('button', { name: 'Approve' }).first().waitFor()
    const view = await same(page, anew, 'three subagents')
    for (const name of Object.keys(STATUSES)) holds(view.includes(name), `no ${name}: ${view}`)
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('all three agree', { exact: true }).last().waitFor()
    unharmed(watched)
  },
  'chat: two tabs show the same, offline and back too': async (given) => {
    const one = await signedIn(given)
    await composer(one.page).fill('@slow 3000\n@say from one tab')
    await one.page.keyboard.press('Enter')
    await one.page.waitForURL(/\/chat\/ses_/)
    const two = await one.page.context().newPage()
    await two.goto(one.page.url())
    await one.page.context().setOffline(true)
    await one.page.waitForTimeout(1_000)
    await one.page.context().setOffline(false)
    await one.page.getByText('from one tab', { exact: true }).last().waitFor({ timeout: 60_000 })
    await two.getByText('from one tab', { exact: true }).last().waitFor({ timeout: 60_000 })
    unharmed(one)
  },
  'a page whose program is not loaded yet waits for the connection, and the app stays': async (
    given,
  ) => {
    const watched = await signedIn(given)
    const { page } = watched
    await page.evaluate(() => Object.assign(globalThis, { __first: true }))
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.waitForTimeout(2_000)
    holds(await page.getByRole('link', { name: 'Usage' }).isVisible(), 'the app is gone')
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    holds(await page.evaluate(() => '__first' in globalThis), 'the app was loaded anew')
    unharmed(watched)
  },
}
