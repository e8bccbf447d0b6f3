/** Archived conversations: found by a filter of the list, read, and restored. */

import type { Page } from 'playwright-core'
import { runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { answer, composer, openConsole, panel, send, transcript } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'
import { spawn } from './together.ts'

const listNamed = (page: Page, name: string) => page.getByRole('navigation', { name, exact: true })

/** Returns the id of a conversation that has ended and is archived. */
async function archivedSession(stage: Stage, title: string, input: string): Promise<string> {
  const run = await runToEnd(stage.server, { input })
  const json = { title, archived: true }
  await stage.server.get(`/v1/sessions/${run.session_id}`, { method: 'PATCH', json })
  return run.session_id ?? ''
}

export const ARCHIVED: Scenarios = {
  async 'an archived conversation is listed, read, takes no message, and is restored'(stage) {
    const id = await archivedSession(stage, 'Okapi', `${spawn('one', '@say a')}\n@await\n@say old`)
    const page = await openConsole(stage)
    await listNamed(page, 'Conversations').waitFor()
    await page.getByRole('link', { name: 'Archived conversations' }).click()
    await page.waitForURL(/archived=true/)
    const away = listNamed(page, 'Archived conversations')
    await away.getByRole('link', { name: 'Okapi' }).click()
    await answer(page, 'old').waitFor()
    await transcript(page).locator('[data-subagent]').click()
    await panel(page).waitFor()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await page.reload()
    await away.getByRole('link', { name: 'Okapi' }).waitFor()
    await page.getByText('This conversation is archived').waitFor()
    check(stage, (await composer(page).count()) === 0, 'an archived conversation has a composer')
    const retries = await page.getByRole('button', { name: 'Retry' }).count()
    check(stage, retries === 0, 'a turn that the server refuses is offered')
    await page.getByRole('button', { name: 'Restore from the archive' }).click()
    await composer(page).waitFor()
    await away.getByRole('link', { name: 'Okapi' }).waitFor({ state: 'detached' })
    await page.getByText('No archived conversations.').waitFor()
    await page.getByRole('link', { name: 'Back to conversations' }).click()
    await listNamed(page, 'Conversations').getByRole('link', { name: 'Okapi' }).waitFor()
    await send(page, '@say it speaks again')
    await answer(page, 'it speaks again').waitFor()
    check(stage, page.url().includes(id), `the message went to ${page.url()}`)
  },

  async 'a conversation that is archived elsewhere keeps the draft until it is restored'(stage) {
    const run = await runToEnd(stage.server, { input: '@say here' })
    const page = await openConsole(stage, `chat/${run.session_id}`)
    await composer(page).fill('half a thought')
    const path = `/v1/sessions/${run.session_id}`
    await stage.server.get(path, { method: 'PATCH', json: { archived: true } })
    await composer(page).press('Enter')
    await page.getByText('This conversation is archived').waitFor()
    await page.getByText('Your draft is kept.').waitFor()
    await page.getByRole('button', { name: 'Restore from the archive' }).click()
    await until('the draft is back', async () =>
      (await composer(page).inputValue()) === 'half a thought' ? 'so' : false,
    )
  },
}
