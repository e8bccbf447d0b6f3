/**
 * `npm run shots -- [FOLDER] [--only=NAME,NAME] [--language=zh]`: a picture of every page of the
 * console with data in it, light and dark, wide and narrow, into .shots (or FOLDER).
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchServer, type Open } from '../support/launch.ts'
import { openPage, startBrowser } from './browser.ts'
import { clientAt } from './host.ts'
import { startStoryModel, tellStory } from './story.ts'

const VIEWS = [
  { name: 'wide-light', viewport: { width: 1_280, height: 800 }, colorScheme: 'light' },
  { name: 'wide-dark', viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const

const SETTLED_MS = 500

/** Nothing is on its way any more; a stream that stays open counts for nothing. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page
    .waitForFunction(() => document.querySelector('#main [aria-busy="true"]') === null)
    .catch(() => {})
  await page.waitForTimeout(SETTLED_MS)
}

async function main(args: readonly string[]): Promise<void> {
  const folder = args.find((one) => !one.startsWith('--')) ?? '.shots'
  const option = (name: string) =>
    args.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3)
  const only = option('only')?.split(',')
  const locale = option('language') ?? 'en'
  const open: Open = []
  mkdirSync(folder, { recursive: true })
  let count = 0
  try {
    const model = await startStoryModel()
    open.push(model.close)
    const env = {
      OPENAI_BASE_URL: model.url,
      STRATA_MODEL: 'openai/scripted',
      OPENAI_API_KEY: 'none',
    }
    const host = clientAt(await launchServer({ open, env }))
    const pages = Object.entries(await tellStory(host))
    const browser = await startBrowser(open)
    for (const { name, ...options } of VIEWS) {
      const { page, faults } = await openPage(browser, host.url, { ...options, locale })
      const shoot = async (title: string): Promise<void> => {
        await page.screenshot({ path: join(folder, `${title}-${name}.png`) })
        count += 1
      }
      await page.goto(`${host.url}/console`)
      await page.locator('form').waitFor()
      await shoot('sign-in')
      // A link works once: nothing may load the page again while it signs in.
      await page.goto('about:blank')
      const { token } = await host.api.browserSessions.createLink()
      await page.goto(`${host.url}/console/#link=${token}`)
      await page.locator('#main').waitFor()
      for (const [title, path] of pages) {
        if (only && !only.includes(title)) continue
        await page.goto(`${host.url}/console/${path}`)
        await settled(page)
        await shoot(title)
      }
      for (const fault of faults) console.log(`${name}: ${fault}`)
      await page.context().close()
    }
    console.log(`${count} pictures in ${folder}`)
  } finally {
    for (const close of open.reverse()) await close()
  }
}

await main(process.argv.slice(2))
