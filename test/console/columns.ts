/** The columns of the run list: chosen, widened by keys and pointer, kept, and reset. */

import type { Page } from 'playwright-core'
import { runToEnd } from '../support/launch.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const KEY = 'strata.runs.columns'

async function openRuns(stage: Stage): Promise<Page> {
  await runToEnd(stage.server, { input: '@say wide', label: 'Plover' })
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/runs?q=plover`)
  await page.getByRole('row').filter({ hasText: 'Plover' }).first().waitFor()
  return page
}

const heads = (page: Page): Promise<string[]> => page.getByRole('columnheader').allInnerTexts()
const edge = (page: Page, name: string) =>
  page.getByRole('separator', { name: `Width of ${name}`, exact: true })
const widthOf = async (page: Page, name: string): Promise<number> =>
  Number(await edge(page, name).getAttribute('aria-valuenow'))
/** Width of a cell of the first run, which the head must equal. */
const cellWidth = async (page: Page, at: number): Promise<number | undefined> =>
  (await page.getByRole('row').nth(1).getByRole('gridcell').nth(at).boundingBox())?.width

export const COLUMNS: Scenarios = {
  async 'runs: columns are chosen and widened, survive a reload, and are reset'(stage) {
    const page = await openRuns(stage)
    const before = await heads(page)
    check(stage, before.includes('Tokens'), `the list shows ${before}`)
    await page.getByTitle('Choose columns').click()
    for (const name of ['Tokens', 'Steps', 'Subagents'])
      await page.getByRole('menuitemcheckbox', { name }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Tokens' }).waitFor({ state: 'detached' })
    const agent = await widthOf(page, 'Agent')
    await edge(page, 'Agent').focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight'])
      await page.keyboard.press(key)
    check(stage, (await widthOf(page, 'Agent')) === agent + 16, 'the arrow keys move no edge')
    check(stage, (await cellWidth(page, 2)) === agent + 16, 'the rows have another width')
    const took = await widthOf(page, 'Took')
    const box = await edge(page, 'Took').boundingBox()
    const [x, y] = [(box?.x ?? 0) + 6, (box?.y ?? 0) + 10]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 30, y, { steps: 5 })
    await page.mouse.up()
    check(stage, (await widthOf(page, 'Took')) === took + 30, 'the pointer moves no edge')
    await judge(stage, page, 'columns of runs')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'Plover' }).first().waitFor()
    const after = await heads(page)
    check(stage, !after.includes('Tokens') && after.includes('Cost'), `after a reload: ${after}`)
    check(stage, (await widthOf(page, 'Agent')) === agent + 16, 'a width by keys is lost')
    check(stage, (await widthOf(page, 'Took')) === took + 30, 'a width by the pointer is lost')
    await edge(page, 'Agent').press('Enter')
    check(stage, (await widthOf(page, 'Agent')) === agent, 'Enter does not reset a width')
    await page.getByTitle('Choose columns').click()
    await page.getByRole('menuitem', { name: 'Reset columns and widths' }).click()
    await page.getByRole('columnheader', { name: 'Tokens' }).waitFor()
    check(stage, (await widthOf(page, 'Took')) === took, 'the widths are not reset')
    const stored = await page.evaluate(`localStorage.getItem('${KEY}')`)
    check(stage, stored === null, `${stored} is still stored`)
  },

  async 'runs: damaged stored columns have their defaults, and wide ones scroll the list alone'(
    stage,
  ) {
    const page = await openRuns(stage)
    const before = await heads(page)
    for (const text of ['{"widths": {"agent": "x"}, "visible": 7}', '{', 'null']) {
      await page.evaluate(`localStorage.setItem('${KEY}', ${JSON.stringify(text)})`)
      await page.reload()
      await page.getByRole('row').filter({ hasText: 'Plover' }).first().waitFor()
      check(stage, `${await heads(page)}` === `${before}`, `${text} changes the columns`)
    }
    for (const name of ['Status', 'Agent', 'Started', 'Took']) await edge(page, name).press('End')
    const sizes = await page.evaluate<number[]>(`{
      const grid = document.querySelector('[role=grid]')
      const root = document.documentElement
      ;[grid.scrollWidth - grid.clientWidth, root.scrollWidth - root.clientWidth]
    }`)
    check(stage, sizes[0]! > 0 && sizes[1] === 0, `list and page scroll by ${sizes} px`)
    await page.setViewportSize({ width: 360, height: 740 })
    const row = page.getByRole('row').filter({ hasText: 'Plover' }).first()
    await row.waitFor()
    check(stage, (await row.boundingBox())?.width === 360, 'a narrow row is cut')
  },
}
