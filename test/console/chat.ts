/** Checks of the chat: what is seen is a reading of the log, whatever happens to the page. */

import type { Page } from 'playwright-core'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { askFor, spawn, until } from './host.ts'

const written = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const lines = (page: Page) => page.getByRole('log').first()
const answer = (page: Page, text: string) => page.locator('.prose-strata', { hasText: text })

async function say(page: Page, text: string): Promise<void> {
  await written(page).fill(text)
  await written(page).press('Enter')
  await page.waitForURL(/\/chat\/ses_/)
}

const TREE = [
  ...['@reason I think.', '@text I look.', '@call file_read {"path": "a.md"}', '@then'],
  spawn('slow one', '@slow 2500', '@say found'),
  ...['@await', '@slow 2500', `@say the end ${'word '.repeat(60)}`],
].join('\n')

/** Everything in the conversation once it is over and read anew. */
async function settled(page: Page): Promise<string> {
  await answer(page, 'the end').waitFor()
  // Errors of the lost connection offer the same until it is back.
  const again = page.getByRole('button', { name: 'Try again' })
  await until('one is left', async () => (await again.count()) === 1)
  return lines(page).innerText()
}

export const CHATS: Record<string, Check> = {
  'a conversation shows the same after a reload and a break at any moment': async (given) => {
    const watched = await signedIn(given, {})
    const { page } = watched
    await say(page, TREE)
    for (let moment = 0; moment < 5; moment += 1) {
      await page.waitForTimeout(700)
      if (moment % 2 === 0) await page.reload()
      else {
        await page.context().setOffline(true)
        await page.waitForTimeout(300)
        await page.context().setOffline(false)
      }
    }
    const live = await settled(page)
    await page.reload()
    const anew = await settled(page)
    holds(live === anew, `live:\n${live}\nanew:\n${anew}`)
    holds(/slow one[\s\S]*Completed[\s\S]*1 step/.test(anew), anew)
    await page.getByRole('button', { name: /slow one/ }).click()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByText('found', { exact: true }).waitFor()
    await page.reload()
    await panel.getByText('found', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  },
  'an approval is given in the conversation, with arguments from a form': async (given) => {
    await askFor(given.host, 'file_write')
    const watched = await signedIn(given)
    const { page } = watched
    await say(page, '@call file_write {"path": "chat.txt", "content": "1"}\n@then\n@say written')
    await page.getByRole('button', { name: 'Edit arguments' }).click()
    await page.getByLabel('content *').fill('by hand')
    await page.getByRole('button', { name: 'Approve with these' }).click()
    await answer(page, 'written').waitFor()
    await page.getByRole('button', { name: /file_write/ }).click()
    await page.getByText(/approved with changed arguments/).waitFor()
    await page
      .getByText(/by hand/)
      .first()
      .waitFor()
    unharmed(watched)
  },
  'a message that cannot be sent stays, and is sent once': async (given) => {
    const { page } = await signedIn(given)
    await written(page).fill('@say once only')
    await page.reload()
    holds((await written(page).inputValue()) === '@say once only', 'a reload loses the draft')
    // It is taken, and the answer is lost: the same key is the same run.
    await page.route('**/v1/runs', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await written(page).press('Enter')
    await page.getByText('It is not sent yet').waitFor()
    holds((await written(page).inputValue()) === '@say once only', 'the text is lost')
    await page.unroute('**/v1/runs')
    await written(page).press('Enter')
    await answer(page, 'once only').waitFor()
    const runs = await given.host.api.runs.list({ limit: 50 })
    holds(runs.data.filter(({ input }) => input === '@say once only').length === 1, 'sent twice')
  },
  'a fork goes on from an answer; conversations are found, renamed and deleted': forks,
}

async function forks(given: Given): Promise<void> {
  const watched = await signedIn(given)
  const { page } = watched
  await say(page, '@say the first')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await say(page, '@say the second')
  await answer(page, 'the second').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  const before = page.url()
  await answer(page, 'the first').hover()
  const line = page.locator('[data-index]', { has: answer(page, 'the first') })
  await line.getByRole('button', { name: 'Go on from here' }).click()
  await page.waitForURL((url) => url.href !== before)
  await answer(page, 'the first').waitFor()
  // The address is ahead of the page.
  await answer(page, 'the second').waitFor({ state: 'detached' })
  const id = page.url().split('/').at(-1)
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const forked = list.getByRole('listitem').filter({ has: page.locator(`a[href$="${id}"]`) })
  await forked.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('Zebra')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Zebra' }).waitFor()
  await page.getByLabel('Search conversations').fill('zebra')
  await forked.getByRole('link', { name: 'Zebra' }).waitFor()
  await forked.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/\/console\/?$/)
  unharmed(watched)
}
