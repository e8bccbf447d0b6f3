/**
 * `npm run shots [-- --out FOLDER --only NAME,NAME --language zh]`: a picture of every page of the
 * console, filled by the story, light and dark, wide and narrow.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchServer, type Open } from '../support/launch.ts'
import { command, given } from '../support/options.ts'
import { openBrowser } from './browser.ts'
import { startStoryModel, tellStory } from './story.ts'
import { tellAdmin } from './story-admin.ts'
import { tellLayers } from './story-layers.ts'
import { tellMemory } from './story-memory.ts'
import { tellSchedules } from './story-schedules.ts'
import { tellWebhooks } from './story-webhooks.ts'

const USAGE = 'npm run shots [-- --out FOLDER --only NAME,NAME --language zh]'

const WIDE = { width: 1_440, height: 900 }
const NARROW = { width: 360, height: 740 }
const VIEWS = [
  { name: 'wide-light', viewport: WIDE, colorScheme: 'light' },
  { name: 'wide-dark', viewport: WIDE, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: NARROW, colorScheme: 'light', hasTouch: true },
  { name: 'narrow-dark', viewport: NARROW, colorScheme: 'dark', hasTouch: true },
] as const

/** Further pictures of a page, after an action. */
const ACTIONS: Readonly<Record<string, readonly [page: string, act: (page: Page) => unknown]>> = {
  choice: ['new', (page) => page.locator('button[aria-haspopup=dialog]').click()],
  menu: ['digest', openMenu],
  'conversation-menu': [
    'digest',
    (page) => page.locator('main header button[aria-haspopup=menu]').click(),
  ],
  'turn-menu': ['digest', (page) => page.getByRole('log').locator(MENU).first().click()],
  'archived-list': ['archived', openDrawer],
  files: ['new', attachFiles],
  'runs-filters': ['runs', (page) => page.locator('main header > button').first().click()],
  'runs-marked': ['runs', markRuns],
  'run-compare-steps': ['run-compare', (page) => page.locator('a[href^="#step"]').click()],
  'deliveries-list': ['deliveries', openDeliveries],
  'layers-conflict': ['layers-packer', conflictFile],
  'hook-preview': ['hook', previewHook],
  'key-form': ['keys', (page) => page.locator('main header button').click()],
  'tenant-form': ['tenants', (page) => page.locator('main header button').click()],
  'tenant-edit': [
    'tenant',
    (page) => page.getByRole('article').getByRole('button').first().click(),
  ],
  'tenant-delete': [
    'tenant',
    (page) => page.getByRole('article').getByRole('button').last().click(),
  ],
  'policy-review': ['settings', reviewPolicy],
  'memory-conflict': ['memory-file', changeMemory],
  'schedule-form': ['schedule', editSchedule],
  palette: ['digest', (page) => page.keyboard.press('Control+k')],
  'edited-arguments': [
    'chat',
    (page) => page.getByRole('article').getByRole('button').nth(2).click(),
  ],
}

async function markRuns(page: Page): Promise<void> {
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('checkbox').nth(3).check()
}

/** Narrow pages show the list without the selected delivery. */
async function openDeliveries(page: Page): Promise<void> {
  const back = page.locator('main section button').first()
  if (await back.isVisible()) await back.click()
  const filters = page.locator('main button[aria-expanded]').first()
  if (await filters.isVisible()) await filters.click()
  await page.getByRole('checkbox').nth(1).check()
}

/** Types a text that is not saved, while another person saves the file. */
async function conflictFile(page: Page): Promise<void> {
  const editor = page.getByRole('textbox').last()
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Never stack two crates.')
  const path = new URL(page.url()).searchParams.get('file') ?? ''
  const text = await page.evaluate(
    (url) => fetch(url).then((response) => response.text()),
    `/v1/files/${path}`,
  )
  await page.evaluate(
    ([url = '', body = '']) =>
      fetch(url, { method: 'PUT', body, headers: { 'strata-console': '1' } }),
    [`/v1/files/${path}`, text.replace('one parcel', 'at most two parcels')],
  )
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').waitFor()
}

async function previewHook(page: Page): Promise<void> {
  const issue = { action: 'opened', issue: { title: 'The cart shows a wrong price.' } }
  await page.locator('article textarea').fill(JSON.stringify(issue, null, 2))
  await page.locator('article input').fill('issues')
  await page.locator('article form button[type=submit]').click()
  await page.locator('article [role=status]').waitFor()
  await page.locator('article [role=status]').scrollIntoViewIfNeeded()
}

/** Changes the policy, and opens the difference. */
async function reviewPolicy(page: Page): Promise<void> {
  await page.locator('main input[type=checkbox]').first().check()
  await page.locator('main textarea').first().fill('old-*')
  // The bar below narrow pages returns when the field loses the focus.
  await page.locator('main textarea').first().blur()
  await page.locator('main .sticky button').first().click()
  await page.getByRole('dialog').waitFor()
}

/** The draft began with a text that the server no longer has. */
async function changeMemory(page: Page): Promise<void> {
  const draft = { text: '# Desk\n\n- Order 48213: call the customer.', etag: 'earlier' }
  await page.evaluate(
    ([key, value]) => sessionStorage.setItem(`${key}`, `${value}`),
    ['strata.memory.shared/desk.md', JSON.stringify(draft)],
  )
  await page.reload()
  await page.getByRole('alert').waitFor()
}

async function editSchedule(page: Page): Promise<void> {
  await page.locator('article button').nth(2).click()
  await page.locator('dialog table').waitFor()
}

const MENU = 'button[aria-haspopup=menu]'

/** Narrow pages have the conversations in a drawer. */
async function openDrawer(page: Page): Promise<void> {
  const drawer = page.locator('header button[aria-expanded]').first()
  if (await drawer.isVisible()) await drawer.click()
}

/** One of the files is too large to be kept through the reload. */
async function attachFiles(page: Page): Promise<void> {
  const file = (name: string, size: number) => ({
    ...{ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'x') },
  })
  const files = [file('order 48213.txt', 100), file('photos of the parcel.zip', 3_200_000)]
  await page.locator('input[type=file]').setInputFiles(files)
  await page.locator('main li button').first().waitFor()
  await page.reload()
  await page.getByRole('alert').waitFor()
  await page.locator('input[type=file]').setInputFiles([{ ...files[1]!, name: 'a video.mp4' }])
  await page.locator('main li button').nth(1).waitFor()
}

async function openMenu(page: Page): Promise<void> {
  await openDrawer(page)
  await page.locator(MENU).filter({ visible: true }).first().click()
}

/** Streams stay open, so a page is settled when its requests have had this time. */
const SETTLED_MS = 700

async function settled(page: Page): Promise<void> {
  await page.locator('textarea, h1').filter({ visible: true }).first().waitFor()
  await page.waitForTimeout(SETTLED_MS)
}

async function run(): Promise<boolean> {
  const text = { type: 'string' } as const
  const { values } = given(process.argv.slice(2), { out: text, only: text, language: text })
  const option = (name: keyof typeof values): string | undefined =>
    typeof values[name] === 'string' ? values[name] : undefined
  const folder = option('out') ?? '.shots'
  const only = option('only')?.split(',')
  const open: Open = []
  mkdirSync(folder, { recursive: true })
  let count = 0
  try {
    const model = await startStoryModel()
    open.push(() => model.close())
    const env = {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
      STRATA_MODEL: 'openai/scripted',
    }
    const server = await launchServer({ open, env })
    const pages = {
      ...(await tellStory(server)),
      ...(await tellLayers(server)),
      ...(await tellWebhooks(server, open)),
      ...(await tellSchedules(server)),
      ...(await tellMemory(server)),
      ...(await tellAdmin(server)),
    }
    const browser = await openBrowser(open)
    for (const { name, ...view } of VIEWS) {
      const context = await browser.newContext({ ...view, locale: option('language') ?? 'en' })
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && console.log(message.text()))
      const shoot = async (title: string): Promise<void> => {
        await settled(page)
        await page.screenshot({ path: join(folder, `${title}-${name}.png`) })
        count += 1
      }
      await page.goto(`${server.url}/console`)
      await shoot('sign-in')
      const link = await server.get<{ url: string }>('/v1/sign-in-links', { method: 'POST' })
      await page.goto('about:blank')
      await page.goto(link.url)
      await page.locator('#main').waitFor()
      for (const [title, path] of Object.entries(pages)) {
        if (only && !only.includes(title)) continue
        await page.goto(`${server.url}/console/${path}`)
        await shoot(title)
      }
      for (const [title, [base, act]] of Object.entries(ACTIONS)) {
        if (only && !only.includes(title)) continue
        await page.goto(`${server.url}/console/${pages[base] ?? ''}`)
        await settled(page)
        await act(page)
        await shoot(title)
      }
      await context.close()
    }
    console.log(`${count} pictures in ${folder}`)
    return true
  } finally {
    for (const close of open.reverse()) await close()
  }
}

await command(USAGE, run)
