/** Notifications of the browser, and the navigation of medium and narrow pages. */

import type { Page } from 'playwright-core'
import { until } from '../support/patience.ts'
import { empty, fill, openInbox, selectionIn } from './approvals.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

/** Replaces the browser's notifications, which no headless browser shows, by a list. */
const RECORDED = `
  window.notified = []
  window.Notification = class {
    static permission = 'default'
    static async requestPermission() {
      return (window.Notification.permission = "granted")
    }
    constructor(title, options) {
      window.notified.push({ title, notification: this, ...options })
    }
    close() {}
  }
  Object.defineProperty(document, 'visibilityState', { get: () => window.isHidden ? 'hidden' : 'visible' })
`

const titles = (page: Page) =>
  page.evaluate<readonly string[]>('window.notified.map(({ title }) => title)')

async function chooseNotifications(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Browser settings' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Notify me of approvals' }).click()
  await page.keyboard.press('Escape')
}

export const NOTIFICATIONS: Scenarios = {
  async 'notifications: a hidden page tells of a new approval, and a click opens it'(stage) {
    const page = await openConsole(stage)
    await page.addInitScript(RECORDED)
    await page.reload()
    await page.locator('#main').waitFor()
    await chooseNotifications(page)
    await page.evaluate('window.isHidden = true')
    await fill(stage, 'told', 1)
    await until('no notification', async () => (await titles(page)).length > 0)
    const told = await titles(page)
    check(stage, told[0] === 'file_write waits for a decision', told.join(' | '))
    check(stage, (await page.title()).startsWith('(1) '), await page.title())
    await page.evaluate('window.isHidden = false; window.notified[0].notification.onclick()')
    await page.waitForURL((url) => url.pathname === '/console/approvals')
    check(stage, selectionIn(page).startsWith('apr_'), page.url())
    await fill(stage, 'seen', 2)
    await until('the title is late', async () => (await page.title()).startsWith('(2) '))
    check(stage, (await titles(page)).length === 1, 'a visible page notifies')
    await chooseNotifications(page)
    await page.reload()
    await page.getByRole('button', { name: 'Browser settings' }).click()
    const entry = page.getByRole('menuitemcheckbox', { name: 'Notify me of approvals' })
    await entry.and(page.locator('[aria-checked=false]')).waitFor()
    await empty(stage)
  },

  async 'notifications: a browser that blocks them is told so'(stage) {
    const page = await openConsole(stage)
    await page.addInitScript('window.Notification = { permission: "denied" }')
    await page.reload()
    await page.locator('#main').waitFor()
    await page.getByRole('button', { name: 'Browser settings' }).click()
    await page.getByText('This browser blocks notifications of this page.').waitFor()
  },

  async 'navigation: a rail on medium pages and a bar on narrow ones lead to each page'(stage) {
    await fill(stage, 'beside', 1)
    for (const width of [800, 360]) {
      const page = await openInbox(stage)
      await page.setViewportSize({ width, height: 800 })
      const pages = page.getByRole('navigation', { name: 'Pages' })
      await pages.getByRole('link', { name: /Approvals.*1/ }).waitFor()
      await pages.getByRole('link', { name: /^Runs/ }).click()
      await page.waitForURL((url) => url.pathname === '/console/runs')
      await pages.locator('[aria-current=page]', { hasText: 'Runs' }).waitFor()
      await judge(stage, page, `navigation at ${width} px`)
      await page.setViewportSize({ width, height: 800 })
      const opener = width === 360 ? 'More' : 'Conversations and settings'
      await pages.getByRole('button', { name: opener }).click()
      await page.getByRole('dialog', { name: 'Conversations and settings' }).waitFor()
      await page.context().close()
    }
    await empty(stage)
  },
}
