/** The command palette, by the keyboard alone. */

import type { Page } from 'playwright-core'
import { runToEnd } from '../support/launch.ts'
import { answer, openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

/** Types into the palette, waits until the command is the chosen one, and runs it. */
async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.insertText(text)
  await page.getByRole('option', { selected: true }).filter({ hasText: text }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

export const PALETTE: Scenarios = {
  async 'the palette opens conversations and settings by the keyboard alone'(stage) {
    const run = await runToEnd(stage.server, { input: '@say by name' })
    const json = { title: 'Quagga' }
    await stage.server.get(`/v1/sessions/${run.session_id}`, { method: 'PATCH', json })
    const page = await openConsole(stage)
    await command(page, 'Quagga')
    await page.waitForURL(/\/chat\/ses_/)
    await answer(page, 'by name').waitFor()
    await command(page, 'Theme: Dark')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('Control+k')
    const first = await page.getByRole('option', { selected: true }).innerText()
    await page.keyboard.press('ArrowDown')
    const second = await page.getByRole('option', { selected: true }).innerText()
    check(stage, first !== second, `the arrow keeps the choice at ${first}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await command(page, 'New conversation')
    await page.waitForURL(/\/console\/?$/)
    await command(page, 'Language: 中文')
    await page.getByRole('textbox', { name: '消息' }).waitFor()
    await command(page, '退出登录')
    await page.getByLabel('API 密钥').waitFor()
  },
}
