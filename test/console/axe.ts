/** Accessibility: axe-core finds no violation on any page and state, light and dark, wide and narrow. */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { createRun, runToEnd } from '../support/launch.ts'
import { openBlank, openConsole, panel, transcript } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'
import { askFor, spawn } from './together.ts'

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Runs every rule; returns a sentence for each element that breaks one. */
const RUN = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, html, failureSummary }) =>
    id + ' at ' + target + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`

const VIEWS = [
  { width: 1_440, height: 900 },
  { width: 360, height: 740 },
]

/** Animations that make things appear must have ended: axe judges the colors of the moment. */
const STILL = 'Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))'

/** Judges the state in both themes and both widths. */
export async function judge(stage: Stage, page: Page, state: string): Promise<void> {
  await page.evaluate(AXE)
  for (const viewport of VIEWS)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
      await page.evaluate(STILL)
      for (const violation of await page.evaluate<string[]>(RUN))
        check(stage, false, `${state}, ${colorScheme}, ${viewport.width} px: ${violation}`)
    }
}

const QUESTION =
  '@call ask_user {"question": "Red or blue?", "choices": [{"label": "Red"}, {"label": "Blue"}]}'
const MARKDOWN = '@say **Two** of `three`: [a link](https://example.com/page).'

export const AXE_SCENARIOS: Scenarios = {
  async 'axe finds no violation on the sign-in page and in an empty chat'(stage) {
    const blank = await openBlank(stage.browser, stage)
    await blank.goto(`${stage.server.url}/console`)
    await blank.getByLabel('API key').waitFor()
    await judge(stage, blank, 'sign-in')
    const page = await openConsole(stage)
    await judge(stage, page, 'empty chat')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByTitle('Agent, role, repository, and model').click()
    await page.getByRole('dialog').waitFor()
    await judge(stage, page, 'choice of the agent')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await judge(stage, page, 'palette')
    await page.goto(`${stage.server.url}/console/nowhere`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await judge(stage, page, 'missing page')
  },

  async 'axe finds no violation in a chat at work, its panel, and an answer'(stage) {
    const { server } = stage
    const lines = ['@text I look.', spawn('one', '@slow 60000', '@say found'), '@await', '@say x']
    const live = await createRun(server, { input: lines.join('\n') })
    const page = await openConsole(stage, `chat/${live.session_id}`)
    await transcript(page).locator('[data-subagent]').waitFor()
    await judge(stage, page, 'chat at work')
    await transcript(page).locator('[data-subagent]').click()
    await panel(page).waitFor()
    await judge(stage, page, 'panel')
    await server.ask(`/v1/runs/${live.id}/cancel`, { method: 'POST' })
    const ended = await runToEnd(server, { input: `@reason I think.\n${MARKDOWN}` })
    await page.goto(`${server.url}/console/chat/${ended.session_id}`)
    await transcript(page).getByRole('link', { name: 'a link' }).waitFor()
    await judge(stage, page, 'answer')
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menu').waitFor()
    await judge(stage, page, 'menu of the conversation')
    const failed = await runToEnd(server, { input: '@fail 400' })
    await page.goto(`${server.url}/console/chat/${failed.session_id}`)
    await transcript(page).getByRole('alert').waitFor()
    await judge(stage, page, 'failed run')
  },

  async 'axe finds no violation where an approval or a question waits'(stage) {
    const { server } = stage
    await askFor(stage, 'file_write')
    const write = '@call file_write {"path": "axe.txt", "content": "1"}\n@say done'
    const approval = await createRun(server, { input: write })
    const page = await openConsole(stage, `chat/${approval.session_id}`)
    await page.getByRole('article').waitFor()
    await judge(stage, page, 'approval')
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('content *').waitFor()
    await judge(stage, page, 'edited arguments')
    const question = await createRun(server, { input: `${QUESTION}\n@say {last}` })
    await page.goto(`${server.url}/console/chat/${question.session_id}`)
    await page.getByRole('button', { name: 'Blue' }).waitFor()
    await judge(stage, page, 'question')
    for (const { id } of [approval, question])
      await server.ask(`/v1/runs/${id}/cancel`, { method: 'POST' })
  },

  async 'axe finds no violation in the archive, the menu of a turn, and a draft with files'(stage) {
    const { server } = stage
    const run = await runToEnd(server, { input: '@say put away' })
    const page = await openConsole(stage, `chat/${run.session_id}`)
    await page.getByRole('button', { name: 'Turn actions' }).click()
    await page.getByRole('menu').waitFor()
    await judge(stage, page, 'menu of a turn')
    await page.keyboard.press('Escape')
    const files = [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(3_200_000) }]
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByText('Reloading the page removes').waitFor()
    await judge(stage, page, 'draft with a file')
    await page.reload()
    await page.getByText('1 file was not kept.').waitFor()
    await judge(stage, page, 'draft that lost a file')
    const json = { archived: true }
    await server.get(`/v1/sessions/${run.session_id}`, { method: 'PATCH', json })
    await page.goto(`${server.url}/console/chat/${run.session_id}?archived=true`)
    await page.getByText('This conversation is archived').waitFor()
    await judge(stage, page, 'archived conversation')
  },

  async 'axe finds no violation on any tab of a run'(stage) {
    const { server } = stage
    const task = `@call file_search {"pattern": "x"}\n@then\n@say found`
    const { id } = await runToEnd(server, { input: `${spawn('one', task)}\n@await\n@say end` })
    const page = await openConsole(stage)
    for (const tab of ['timeline', 'transcript', 'events', 'given', 'usage', 'compare', 'raw']) {
      await page.setViewportSize({ width: 1_440, height: 900 })
      await page.goto(`${server.url}/console/runs/${id}?tab=${tab}&sel=${id}.3`)
      await page
        .getByRole('tabpanel')
        .locator('[role=row], [role=option], h2, pre, p, td')
        .first()
        .waitFor()
      await judge(stage, page, `run, ${tab}`)
    }
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('textbox', { name: 'Request' }).waitFor()
    await judge(stage, page, 'run again')
  },

  async 'axe finds no violation in Chinese'(stage) {
    const { server, browser } = stage
    const blank = await openBlank(browser, stage, { locale: 'zh-CN' })
    await blank.goto(`${server.url}/console`)
    await blank.getByLabel('API 密钥').waitFor()
    await judge(stage, blank, 'Chinese sign-in')
    await askFor(stage, 'file_write')
    const write = '@call file_write {"path": "zh.txt", "content": "1"}\n@say done'
    const approval = await createRun(server, { input: `${spawn('one', write)}\n@await\n@say x` })
    const page = await openConsole(stage, `chat/${approval.session_id}`, { locale: 'zh-CN' })
    await page.getByRole('article').waitFor()
    await judge(stage, page, 'Chinese chat with an approval')
    await page.locator('[data-subagent]').first().click()
    await page.getByRole('complementary', { name: '子智能体' }).waitFor()
    await judge(stage, page, 'Chinese panel')
    await server.ask(`/v1/runs/${approval.id}/cancel`, { method: 'POST' })
    const ended = await runToEnd(server, { input: `@reason I think.\n${MARKDOWN}` })
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.goto(`${server.url}/console/chat/${ended.session_id}?archived=true`)
    await page.getByRole('button', { name: '此轮的操作' }).click()
    await page.getByRole('menu').waitFor()
    await judge(stage, page, 'Chinese menu of a turn')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await judge(stage, page, 'Chinese palette')
  },
}
