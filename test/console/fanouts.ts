/** The pages of fan-outs: progress, the matrix and its keys, the list by status, cancel and seal. */

import type { Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { behindFront } from './offline.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const SLOW = '@slow 600000\n@say late'

const clientOf = ({ server }: Stage) => createClient({ url: server.url, apiKey: server.key })

async function openFanouts(stage: Stage, path: string): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/fanouts${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** A fan-out of which one task fails and two run, while all others have ended. */
async function makeFanout(stage: Stage, label: string, count: number): Promise<string> {
  const { fanouts } = clientOf(stage)
  const tasks = Array.from({ length: count }, (_, n) => {
    if (n === 1) return { task: '@fail 400', label: 'broken' }
    return n < 4 && n > 1 ? { task: SLOW, label: `slow ${n}` } : { task: `@say ${n}` }
  })
  const limits = { max_model_calls: 1_000 }
  const join = { deadline_seconds: 3_600 }
  const { id } = await fanouts.create({ tasks, label, limits, join })
  await until('the other tasks run', async () => {
    const { children } = await fanouts.get(id)
    return children.live + children.queued === 2
  })
  return id
}

const selectionIn = (page: Page): string => new URL(page.url()).searchParams.get('sel') ?? ''
const matrix = (page: Page) => page.getByRole('grid', { name: 'Tasks by status' })

export const FANOUTS: Scenarios = {
  async 'fan-outs: the matrix shows each task, arrows move, and Enter opens a run'(stage) {
    const id = await makeFanout(stage, 'Tickets of the night', 130)
    const page = await openFanouts(stage, '')
    await page.getByText('128 of 130 ended').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.endsWith(`/fanouts/${id}`))
    await matrix(page).getByRole('gridcell').nth(129).waitFor()
    check(stage, (await matrix(page).getByRole('row').count()) === 2, 'not 100 tasks a row')
    for (const text of ['Model calls', 'Deadline', 'waits for all'])
      await page.getByText(text, { exact: true }).waitFor()
    await matrix(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.searchParams.get('sel') === '1')
    await page.getByRole('status').filter({ hasText: 'broken' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL((url) => url.searchParams.get('sel') === '101')
    await page.keyboard.press('End')
    await page.waitForURL((url) => url.searchParams.get('sel') === '129')
    check(stage, selectionIn(page) === '129', page.url())
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/runs\/run_/)
    await page.goBack()
    await page.getByRole('button', { name: /^Failed/ }).click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'failed')
    const list = page.getByRole('list', { name: 'Tasks' })
    await list.getByText('broken').waitFor()
    check(stage, (await list.getByRole('listitem').count()) === 1, 'the filter shows other tasks')
    await judge(stage, page, 'fan-out')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText('2 tasks have not ended').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the fan-out' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('130 of 130 ended').waitFor()
    await page.goto(`${stage.server.url}/console/fanouts`)
    await page.getByText('3 unsuccessful').waitFor()
    await judge(stage, page, 'list of fan-outs')
  },

  async 'fan-outs: results of two marked tasks stand side by side, by keyboard alone'(stage) {
    const { fanouts } = clientOf(stage)
    const schema = { type: 'object', properties: { total: {}, city: {} } }
    const task = (city: string) => ({
      task: `@say ${JSON.stringify({ total: 42, city })}`,
      output_schema: schema,
    })
    const tasks = [task('Oslo'), task('Rome'), { task: '@say words' }, { task: '@say more words' }]
    const { id } = await fanouts.create({ tasks, label: 'Compared' })
    const page = await openFanouts(stage, `/${id}`)
    await page.getByText('4 of 4 ended').waitFor()
    const compare = page.getByRole('button', { name: 'Compare', exact: true })
    await matrix(page).focus()
    for (const key of ['Home', 'x', 'ArrowRight', 'x', 'v']) await page.keyboard.press(key)
    const results = page.getByRole('region', { name: 'Results side by side' })
    await results.getByRole('rowheader', { name: /city.*differs/ }).waitFor()
    const rows = (await results.getByRole('row').allInnerTexts()).map((row) =>
      row.replace(/\s+/g, ' ').trim(),
    )
    check(stage, rows.includes('total 42 42'), rows.join(' | '))
    check(stage, rows.includes('city ≠ differs Oslo Rome'), rows.join(' | '))
    await judge(stage, page, 'compared results')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.reload()
    await results.waitFor()
    await page.keyboard.press('v')
    await results.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove the marks' }).click()
    await compare.waitFor({ state: 'detached' })
    for (const n of [2, 3]) await page.getByRole('checkbox', { name: `Mark task ${n}` }).check()
    await compare.click()
    await results.getByText('more words', { exact: true }).first().waitFor()
    const differences = results.getByRole('group', { name: 'Task 2 and task 3' })
    await differences.getByText('more').first().waitFor()
    check(stage, (await results.getByRole('table').count()) === 0, 'texts are in a table')
    await page.goto(`${stage.server.url}/console/fanouts/${id}?marked=0.99.&view=compare`)
    await results.getByText('Not loaded: #99').waitFor()
  },

  async 'fan-outs: more than 1,000 tasks are drawn on a canvas'(stage) {
    const { fanouts } = clientOf(stage)
    const { id } = await fanouts.create({ open: true, label: 'Large' })
    const tasks = Array.from({ length: 200 }, () => ({ task: SLOW }))
    for (let n = 0; n < 6; n += 1) await fanouts.addTasks(id, { page: n, tasks })
    const page = await openFanouts(stage, `/${id}`)
    await page.getByText('1000 of 1200 tasks loaded').waitFor()
    await matrix(page).getByRole('gridcell').nth(999).waitFor()
    await page.getByRole('button', { name: 'Load more tasks' }).click()
    const canvas = page.getByRole('img', { name: '1200 tasks by status' })
    await canvas.waitFor()
    await canvas.click({ position: { x: 4, y: 4 } })
    await page.waitForURL((url) => url.searchParams.get('sel') === '0')
    const color = `(() => {
      const canvas = document.querySelector('canvas')
      return [...canvas.getContext('2d').getImageData(2, 2, 1, 1).data].join(' ')
    })()`
    const light = await page.evaluate<string>(color)
    await page.emulateMedia({ colorScheme: 'dark' })
    await until('the canvas keeps its colors in the other theme', async () => {
      return (await page.evaluate<string>(color)) !== light
    })
    await fanouts.cancel(id, {})
  },

  async 'fan-outs: a long name and an unknown status change nothing on the page'(stage) {
    const id = await makeFanout(stage, 'x'.repeat(180), 4)
    const page = await openFanouts(stage, `/${id}?status=nope&sel=nope`)
    await page.getByRole('list', { name: 'Tasks' }).getByText('broken').waitFor()
    const button = page.getByRole('button', { name: 'Cancel', exact: true })
    for (const width of [1_440, 360]) {
      await page.setViewportSize({ width, height: 800 })
      const box = await button.boundingBox()
      const end = (box?.x ?? width) + (box?.width ?? 1)
      check(stage, end <= width, `Cancel ends at ${end} of ${width} px`)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth')
      check(stage, overflow <= width, `the page is ${overflow} of ${width} px wide`)
    }
    await clientOf(stage).fanouts.cancel(id, {})
    await page.getByText('4 of 4 ended').waitFor()
    const head = await page.locator('header', { hasText: 'All fan-outs' }).innerText()
    check(stage, /\d (?:ms|s)\b/.test(head), `no duration in ${head}`)
  },

  async 'fan-outs: an unreachable server is told once'(stage) {
    const id = await makeFanout(stage, 'Far away', 4)
    await behindFront(stage, async (front, page) => {
      await page.goto(`${front.url}/console/fanouts/${id}`)
      await page.getByRole('list', { name: 'Tasks' }).getByText('broken').waitFor()
      const failures = new Map<string, number>()
      page.on('requestfailed', (request) => {
        const { pathname, search } = new URL(request.url())
        failures.set(pathname + search, (failures.get(pathname + search) ?? 0) + 1)
      })
      await front.stop()
      const line = page.getByRole('status').filter({ hasText: 'The server is not responding' })
      await line.waitFor()
      // The fan-out, its matrix, and its list: the client tries each three times.
      const failed = () => [...failures].filter(([url, n]) => url.includes(id) && n >= 3)
      await until('not all parts are read again', () => failed().length >= 3)
      const alerts = await page.getByRole('alert').allInnerTexts()
      check(stage, alerts.length === 0, `the page also says ${alerts.join(' | ')}`)
      check(stage, (await line.count()) === 1, 'the line is repeated')
      await front.start()
      await line.waitFor({ state: 'detached' })
    })
    await clientOf(stage).fanouts.cancel(id, {})
  },

  async 'fan-outs: an open one shows its pages, and sealing names a missing page'(stage) {
    const { fanouts } = clientOf(stage)
    const { id } = await fanouts.create({ open: true, label: 'Open one' })
    await fanouts.addTasks(id, { page: 0, tasks: [{ task: '@say a' }, { task: '@say b' }] })
    const page = await openFanouts(stage, `/${id}`)
    await page.getByText('Open: 1 page received').waitFor()
    await page.getByText('2 of 2 ended').waitFor()
    await page.getByRole('button', { name: 'Seal' }).click()
    const dialog = page.getByRole('dialog', { name: 'Seal the fan-out' })
    await dialog.getByLabel('Number of pages').fill('2')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Number of pages').fill('1')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await until('the fan-out has not ended', async () => {
      return (await fanouts.get(id)).status === 'completed'
    })
    await page.getByText('Completed').first().waitFor()
  },
}
