/** The menu of a conversation, by its words: each entry does what it says. */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const openMenu = (page: Page) => page.getByRole('button', { name: 'Conversation actions' }).click()

const entry = (page: Page, name: string) => page.getByRole('menuitem', { name })

async function choose(page: Page, name: string): Promise<void> {
  await openMenu(page)
  await entry(page, name).click()
}

interface Session {
  readonly archived: boolean
  readonly title: string | null
}

const untilSession = (stage: Stage, id: string, what: string, is: (one: Session) => boolean) =>
  until(what, async () => is(await stage.server.get<Session>(`/v1/sessions/${id}`)) && 'so')

/** Returns the text of the file and its name. */
async function download(page: Page, name: string): Promise<[text: string, file: string]> {
  const file = page.waitForEvent('download')
  await choose(page, name)
  const got = await file
  return [readFileSync(await got.path(), 'utf8'), got.suggestedFilename()]
}

export const MENU: Scenarios = {
  async 'the menu renames, archives, restores, exports and deletes a conversation'(stage) {
    const run = await runToEnd(stage.server, { input: '@say the answer' })
    const id = run.session_id ?? ''
    const page = await openConsole(stage, `chat/${id}`)
    await choose(page, 'Rename')
    await page.getByLabel('Title').fill('Walrus')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Walrus' }).waitFor()
    await choose(page, 'Archive')
    await page.getByText('This conversation is archived').waitFor()
    await untilSession(stage, id, 'it is archived', ({ archived }) => archived)
    const list = page.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('link', { name: 'Walrus' }).waitFor({ state: 'detached' })
    await choose(page, 'Restore from the archive')
    await list.getByRole('link', { name: 'Walrus' }).waitFor()
    const [lines, jsonl] = await download(page, 'Export as JSON Lines')
    const texts = lines.trim().split('\n')
    for (const line of texts) JSON.parse(line)
    check(stage, texts.length === 2, `the export has ${texts.length} lines`)
    check(stage, jsonl === `${id}.jsonl`, `the file is named ${jsonl}`)
    const [markdown, md] = await download(page, 'Export as Markdown')
    check(stage, markdown.includes('the answer'), `the export lacks the answer: ${markdown}`)
    check(stage, md === `${id}.md`, `the file is named ${md}`)
    await choose(page, 'Delete conversation')
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/console\/?$/)
    const { status } = await stage.server.ask(`/v1/sessions/${id}`)
    check(stage, status === 404, `the deleted session answers ${status}`)
  },

  async 'the menu opens within a page of 360 px, and a reader may only export'(stage) {
    const run = await runToEnd(stage.server, { input: '@say here' })
    const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true }
    const page = await openConsole(stage, `chat/${run.session_id}`, narrow)
    await openMenu(page)
    const box = await page.getByRole('menu').boundingBox()
    const isInside = box !== null && box.x >= 0 && box.x + box.width <= 360
    check(stage, isInside, `the menu stands at ${JSON.stringify(box)}`)
    await entry(page, 'Archive').waitFor()
    const json = { name: 'reader', scopes: ['runs:read', 'sessions:read', 'layers:read'] }
    const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    await page.context().clearCookies()
    await page.reload()
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await openMenu(page)
    await entry(page, 'Export as Markdown').waitFor()
    check(stage, (await entry(page, 'Archive').count()) === 0, 'a reader is offered to archive')
  },
}
