/** The inbox while the server is away, under unknown addresses, and with long arguments. */

import { createRun } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import {
  approvalOf,
  card,
  empty,
  fill,
  openInbox,
  pendingOf,
  selectionIn,
  untilSelected,
  waiting,
} from './approvals.ts'
import { behindFront } from './offline.ts'
import { check, type Scenarios } from './stage.ts'

export const INBOX: Scenarios = {
  async 'approvals: an unreachable server leaves the form as it is, and is told once'(stage) {
    await fill(stage, 'away', 1)
    await behindFront(stage, async (front, page) => {
      await page.goto(`${front.url}/console/approvals`)
      await waiting(page).waitFor()
      const id = selectionIn(page)
      await page.keyboard.press('d')
      const reason = card(page).getByLabel('Reason')
      await reason.fill('kept')
      let failures = 0
      page.on('requestfailed', (request) => {
        if (request.url().endsWith(`/approvals/${id}`)) failures += 1
      })
      await front.stop()
      const line = page.getByRole('status').filter({ hasText: 'The server is not responding' })
      await line.waitFor()
      // The client tries three times.
      await until('the selected approval is not read', () => failures >= 3)
      check(stage, (await reason.inputValue()) === 'kept', 'the reason is lost')
      const alerts = await page.getByRole('alert').allInnerTexts()
      check(stage, alerts.length === 0, `the page also says ${alerts.join(' | ')}`)
      check(stage, (await line.count()) === 1, 'the line is repeated')
      await front.start()
      await line.waitFor({ state: 'detached' })
      await reason.press('Enter')
      await untilSelected(page, id)
      const { decision } = await approvalOf(stage, id)
      check(stage, decision?.reason === 'kept', `the reason is ${decision?.reason}`)
    })
  },

  async 'approvals: an unknown tab or selection in the address is ignored'(stage) {
    await fill(stage, 'address', 1)
    for (const query of ['?tab=nope', '?sel=garbage']) {
      const page = await openInbox(stage, query)
      await waiting(page).waitFor()
      const address = new URL(page.url()).search
      check(stage, selectionIn(page).startsWith('apr_'), `${query} became ${address}`)
      await page.context().close()
    }
    await empty(stage)
  },

  async 'approvals: the batch says how much of the arguments it hides, and shows it'(stage) {
    await fill(stage, 'short', 1)
    const content = 'x'.repeat(3_000)
    const input = `@call file_write ${JSON.stringify({ path: 'long.txt', content })}\n@say done`
    await createRun(stage.server, { input })
    await until('both wait', async () => (await pendingOf(stage)).length === 2)
    const question = '@call ask_user {"question": "Red or blue?", "choices": [{"label": "Red"}]}'
    const asking = await createRun(stage.server, { input: `${question}\n@say x` })
    const page = await openInbox(stage)
    await page.getByRole('heading', { name: 'Questions 1' }).waitFor()
    await page.getByRole('link', { name: 'Pending 2' }).waitFor()
    await waiting(page).waitFor()
    const first = selectionIn(page)
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await untilSelected(page, first)
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+A')
    const dialog = page.getByRole('dialog', { name: 'Approve 2 calls' })
    const more = dialog.getByRole('button', { name: /more character/ })
    const name = (await more.allInnerTexts()).join()
    check(stage, name === '… 2,811 more characters', `the button says ${name}`)
    await more.click()
    await dialog.getByText(content).waitFor()
    await page.keyboard.press('Escape')
    await stage.server.ask(`/v1/runs/${asking.id}/cancel`, { method: 'POST' })
    await empty(stage)
  },
}
