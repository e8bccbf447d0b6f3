/** Conversations: what is shown follows from the log, whatever happens to the page. */

import { createRun, runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { PNG } from '../support/pictures.ts'
import {
  answer,
  composer,
  openConsole,
  panel,
  send,
  sessionIn,
  transcript,
} from './console-page.ts'
import { shown, untilSame } from './same.ts'
import { check, type Scenarios } from './stage.ts'
import { askFor, spawn, watchesSubagents } from './together.ts'

const TREE = [
  ...['@reason I think.', '@text I look.', '@call file_read {"path": "a.md"}', '@then'],
  spawn('slow one', '@slow 2500', '@say found'),
  ...['@await', '@slow 2500', `@say the end ${'word '.repeat(60)}`],
].join('\n')

const CUTS = 5
const CUT_MS = 700
const OFFLINE_MS = 300
const MANY = 300

export const CHAT: Scenarios = {
  'three subagents and an approval two levels down are watched and decided': watchesSubagents,

  async 'a reload or a lost connection at any moment changes nothing'(stage) {
    const page = await openConsole(stage)
    await send(page, TREE)
    for (let cut = 0; cut < CUTS; cut += 1) {
      await page.waitForTimeout(CUT_MS)
      if (cut % 2 === 0) await page.reload()
      else {
        await page.context().setOffline(true)
        await page.waitForTimeout(OFFLINE_MS)
        await page.context().setOffline(false)
      }
    }
    await answer(page, 'the end').waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await untilSame(page, other, 'after five cuts')
    const count = await transcript(page).locator('.prose-strata', { hasText: 'the end' }).count()
    check(stage, count === 1, `the answer is shown ${count} times`)
  },

  async 'a message steers a live run; Escape twice stops it; retry sends the input again'(stage) {
    const page = await openConsole(stage)
    await send(page, `@slow 1500\n@call todo {"todos": []}\n@then\n@slow 20000\n@say late`)
    await page.getByPlaceholder('Steer').waitFor()
    await composer(page).fill('look here first')
    await composer(page).press('Enter')
    await transcript(page).getByText('look here first').waitFor()
    await composer(page).press('Escape')
    await composer(page).press('Escape')
    await transcript(page).getByText('Cancelled').first().waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByPlaceholder('Steer').waitFor()
    const path = `/v1/sessions/${sessionIn(page)}/runs`
    const { data } = await stage.server.get<{ data: { status: string }[] }>(path)
    check(stage, data.length === 2, `the session has ${data.length} runs`)
  },

  async 'a fork ends with an answer or before a message; conversations are renamed and deleted'(
    stage,
  ) {
    const page = await openConsole(stage)
    await send(page, '@say the first')
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    await send(page, '@say the second')
    await answer(page, 'the second').waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    const before = sessionIn(page)
    await answer(page, 'the first').hover()
    const first = page.locator('.prose-strata', { hasText: 'the first' })
    const row = transcript(page).locator('[data-index]', { has: first })
    await row.getByRole('button', { name: 'Fork after this message' }).click()
    await page.waitForURL((url) => !url.href.includes(before))
    await answer(page, 'the first').waitFor()
    await answer(page, 'the second').waitFor({ state: 'detached' })
    const list = page.getByRole('navigation', { name: 'Conversations' })
    const fork = list.getByRole('listitem').filter({
      has: page.locator(`a[href*="${sessionIn(page)}"]`),
    })
    await fork.hover()
    await fork.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('Zebra')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Zebra' }).waitFor()
    await page.getByLabel('Search conversations').fill('zebra')
    await list.getByRole('link', { name: 'Zebra' }).hover()
    await fork.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/console\/?$/)
  },

  async 'a fork after an answer with calls has their results; the last active one stands above'(
    stage,
  ) {
    const page = await openConsole(stage)
    await send(page, `@text Written.\n@call todo {"todos": []}\n@then\n@say done`)
    await answer(page, 'done').waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    const before = sessionIn(page)
    await answer(page, 'Written.').hover()
    const first = page.locator('.prose-strata', { hasText: 'Written.' })
    const row = transcript(page).locator('[data-index]', { has: first })
    await row.getByRole('button', { name: 'Fork after this message' }).click()
    await page.waitForURL((url) => !url.href.includes(before))
    const fork = sessionIn(page)
    await answer(page, 'Written.').waitFor()
    const path = `/v1/sessions/${fork}/messages?limit=10`
    const { data } = await stage.server.get<{ data: { role: string }[] }>(path)
    const roles = data.map(({ role }) => role).join(' ')
    check(stage, roles === 'user assistant tool', `the fork has ${roles}`)
    const list = page.getByRole('navigation', { name: 'Conversations' })
    const above = list.locator(`a[href*="${before}"], a[href*="${fork}"]`).first()
    await list.locator(`a[href*="${before}"]`).click()
    await send(page, '@say more')
    await answer(page, 'more').waitFor()
    // A run that an earlier scenario has cancelled may end only now, and its conversation with it.
    await until('the conversation with the last turn stands above its fork', async () =>
      (await above.getAttribute('href'))?.includes(before),
    )
  },

  async 'a question is answered by a choice, or by a message'(stage) {
    const page = await openConsole(stage)
    const ask =
      '@call ask_user {"question": "Red or blue?", "choices": [{"label": "Red"}, {"label": "Blue"}]}'
    await send(page, `${ask}\n@then\n@say {last}`)
    await page.getByRole('button', { name: 'Blue' }).click()
    await answer(page, 'Blue').waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    await send(page, `${ask}\n@then\n@say {last}`)
    await page.getByPlaceholder('Answer the question').waitFor()
    await composer(page).fill('green instead')
    await composer(page).press('Enter')
    await answer(page, 'green instead').waitFor()
  },

  async 'an approval is given with edited arguments, and another one is denied'(stage) {
    await askFor(stage, 'file_write')
    const page = await openConsole(stage)
    const write = '@call file_write {"path": "chat.txt", "content": "1"}'
    await send(page, `${write}\n@then\n@say written`)
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('content *').fill('by hand')
    await page.getByRole('button', { name: 'Approve with these arguments' }).click()
    await answer(page, 'written').waitFor()
    await transcript(page)
      .getByRole('button', { name: /file_write/ })
      .click()
    await transcript(page).getByText('by hand').first().waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    await send(page, `${write}\n@then\n@say {last}`)
    await page.getByRole('article').getByRole('button', { name: 'Deny' }).click()
    await page.getByLabel('Reason').fill('not today')
    await page.keyboard.press('Control+Enter')
    await answer(page, 'not today').waitFor()
  },

  async 'a message whose answer is lost stays in the draft, and is taken once'(stage) {
    const page = await openConsole(stage)
    await composer(page).fill('@say once only')
    await page.reload()
    await composer(page).waitFor()
    const draft = await composer(page).inputValue()
    check(stage, draft === '@say once only', `a reload leaves "${draft}"`)
    await page.route('**/v1/runs', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await composer(page).press('Enter')
    await page.getByText('Not sent.').waitFor()
    await page.unroute('**/v1/runs')
    await composer(page).press('Enter')
    await answer(page, 'once only').waitFor()
    const { data } = await stage.server.get<{ data: { input: string }[] }>('/v1/runs?limit=100')
    const count = data.filter(({ input }) => input === '@say once only').length
    check(stage, count === 1, `the message was taken ${count} times`)
  },

  async 'pictures and text files are sent, shown, and sent again by a retry'(stage) {
    const page = await openConsole(stage)
    await page.locator('input[type=file]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') },
    ])
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    await send(page, 'What is this?')
    await answer(page, 'What is this?').waitFor()
    await transcript(page).getByRole('img', { name: 'dot.png' }).waitFor()
    await transcript(page).getByText('notes.txt', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await until('two turns have the picture', async () => {
      return (await transcript(page).getByRole('img', { name: 'dot.png' }).count()) === 2
    })
  },

  async '300 subagents fold into one row with counts, and unfold by state'(stage) {
    const spawned = `@spawn ${MANY / 3} ${JSON.stringify({ label: 'part {i}', task: '@say ok' })}`
    const spawns = [spawned, spawned, spawned].join('\n@then\n')
    const run = await runToEnd(stage.server, { input: `${spawns}\n@await\n@say all done` })
    const page = await openConsole(stage, `chat/${run.session_id}`)
    await answer(page, 'all done').waitFor()
    const more = transcript(page).getByRole('button', { name: `${MANY - 6} more subagents` })
    await more.waitFor()
    const cards = await transcript(page).locator('[data-subagent]').count()
    check(stage, cards <= 6, `${cards} cards stand open`)
    await more.click()
    await transcript(page).getByRole('button', { name: 'Show fewer subagents' }).waitFor()
    const rendered = await transcript(page).locator('[data-index]').count()
    check(stage, rendered < MANY / 3, `${rendered} rows are rendered`)
  },

  async 'the warnings of a run stand above its answer'(stage) {
    const { server } = stage
    const path = '/v1/files/base/.agents/skills/torn/SKILL.md'
    await server.ask(path, { method: 'PUT', body: '---\nname: [\n---\n' })
    const run = await runToEnd(server, { input: '@say without it' })
    await server.ask(path, { method: 'DELETE' })
    const page = await openConsole(stage, `chat/${run.session_id}`)
    const warnings = transcript(page).getByRole('button', { name: /\d warnings?/ })
    await warnings.click()
    await transcript(page).getByText('skills/torn/SKILL.md').first().waitFor()
  },

  async 'nothing scrolls sideways at 360 px, and the panel covers the page'(stage) {
    const input = [spawn('one', '@say found'), '@await', `@say ${'long'.repeat(90)}`].join('\n')
    const run = await runToEnd(stage.server, { input })
    const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true }
    const page = await openConsole(stage, `chat/${run.session_id}`, narrow)
    const width = 'document.documentElement.scrollWidth'
    await answer(page, 'longlong').waitFor()
    check(stage, (await page.evaluate(width)) === 360, 'the conversation is wider than the page')
    await transcript(page).locator('[data-subagent]').click()
    await panel(page).waitFor()
    const box = await panel(page).boundingBox()
    check(stage, box?.width === 360, `the panel is ${box?.width} px wide`)
    await page.goBack()
    await panel(page).waitFor({ state: 'detached' })
  },

  async 'the page speaks Chinese when the reader chooses it'(stage) {
    const run = await createRun(stage.server, { input: '@say 你好' })
    const page = await openConsole(stage, `chat/${run.session_id}`)
    await page.getByRole('button', { name: 'Browser settings' }).click()
    await page.getByRole('menuitemradio', { name: '中文' }).click()
    await page.getByRole('navigation', { name: '对话列表' }).waitFor()
    await page.reload()
    await page.getByRole('textbox', { name: '消息' }).waitFor()
    check(stage, !/\bYou\b|Retry/.test(await shown(page)), 'English is left')
  },
}
