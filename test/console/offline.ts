/** The console without a server, and after a later release. */

import type { Page } from 'playwright-core'
import type { Open } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { answer, composer, openConsole, send } from './console-page.ts'
import { type Front, openFront } from './front.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

/** Opens the console behind a front, which `act` can stop. */
export async function behindFront(
  stage: Stage,
  act: (front: Front, page: Page) => Promise<void>,
): Promise<void> {
  const open: Open = []
  try {
    const front = await openFront(stage.server, open)
    await act(front, await openConsole({ ...stage, server: front }))
  } finally {
    for (const close of open.reverse()) await close()
  }
}

/** Waits until the browser keeps a release whose files have `part` in their names. */
const untilKept = (page: Page, part = ''): Promise<unknown> =>
  until('the files are kept', () =>
    page.evaluate<boolean>(`(async () => {
      const found = await navigator.serviceWorker.getRegistration()
      const names = await caches.keys()
      const isSettled = found && !found.installing && !found.waiting
      return isSettled && found.active?.state === 'activated' && names.at(-1).includes('${part}')
    })()`),
  )

/** The address of everything that the browser keeps for the page. */
const keptBy = (page: Page): Promise<string[]> =>
  page.evaluate(`caches.keys().then((names) => Promise.all(names.map((name) =>
    caches.open(name).then((cache) => cache.keys())))).then((all) =>
      all.flat().map(({ url }) => new URL(url).pathname))`)

const scriptOf = (page: Page): Promise<string | null> =>
  page.locator('script[type=module]').getAttribute('src')

export const OFFLINE: Scenarios = {
  'without a server a reload opens the shell and says what it cannot know': (stage) =>
    behindFront(stage, async (front, page) => {
      await send(page, '@say kept by the server')
      await answer(page, 'kept by the server').waitFor()
      await untilKept(page)
      await composer(page).fill('a draft')
      await front.stop()
      await page.reload()
      await page.getByText('Disconnected since').waitFor()
      await page.getByText('cannot check whether you are signed in').waitFor()
      const shown = await page.locator('body').innerText()
      check(stage, !shown.includes('kept by the server'), 'the page kept data of the tenant')
      const kept = await keptBy(page)
      const wrong = kept.filter((path) => !/^\/console\/(?:assets\/[^/]+)?$/.test(path))
      check(stage, kept.length > 3 && wrong.length === 0, `the browser keeps ${kept}`)
      await front.start()
      await answer(page, 'kept by the server').waitFor()
      check(stage, (await composer(page).inputValue()) === 'a draft', 'the draft is lost')
      await composer(page).fill('@say usable again')
      await composer(page).press('Enter')
      await answer(page, 'usable again').waitFor()
    }),

  'a later release is announced, and an open page keeps to its own files': (stage) =>
    behindFront(stage, async (front, page) => {
      await untilKept(page)
      const before = await scriptOf(page)
      front.release('Later')
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      await page.getByText('A newer version of the console is available').waitFor()
      // A part that this page has not loaded yet.
      await page.getByRole('button', { name: 'Browser settings' }).click()
      await page.getByRole('menuitemradio', { name: '中文' }).click()
      await page.getByText('有更新版本的控制台').waitFor()
      await page.getByRole('button', { name: '重新加载' }).click()
      await page.getByText('有更新版本的控制台').waitFor({ state: 'detached' })
      await page.getByRole('textbox', { name: '消息' }).waitFor()
      const after = await scriptOf(page)
      check(stage, before !== after && /Later\.js$/.test(after ?? ''), `the page has ${after}`)
      await untilKept(page, 'Later')
      await front.stop()
      await page.reload()
      await page.getByText('没有服务器').waitFor()
      const kept = await scriptOf(page)
      check(stage, kept === after, `without a server the page has ${kept}`)
    }),

  'a part of the console that is gone is announced as a later release': (stage) =>
    behindFront(stage, async (front) => {
      const about = { serviceWorkers: 'block' } as const
      const page = await openConsole({ ...stage, server: front }, '', about)
      front.release('Later')
      await page.getByRole('button', { name: 'Browser settings' }).click()
      await page.getByRole('menuitemradio', { name: '中文' }).click()
      await page.getByText('A newer version of the console is available').waitFor()
    }),
}
