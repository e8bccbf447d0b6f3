/** The page of runs: filters in the address, a live list, every status, keys, and marked runs. */

import type { Locator, Page } from 'playwright-core'
import { createRun, runToEnd, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

async function openRuns(stage: Stage, query = '', options = {}): Promise<Page> {
  const page = await openConsole(stage, '', options)
  await page.goto(`${stage.server.url}/console/runs${query}`)
  await page.getByRole('searchbox', { name: 'Search runs' }).waitFor()
  return page
}

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Runs' })
const row = (page: Page, text: string): Locator =>
  grid(page).getByRole('row').filter({ hasText: text })
const current = (page: Page): Promise<string> =>
  page.evaluate(`{
    const grid = document.querySelector('[role=grid]')
    document.getElementById(grid?.getAttribute('aria-activedescendant'))?.innerText ?? ''
  }`)
const queryOf = (page: Page): Record<string, string> =>
  Object.fromEntries(new URL(page.url()).searchParams)

const QUESTION = '@call ask_user {"question": "Shall we?"}'
const MOST = 10_000
const SLOW = '@slow 600000\n@say late'

/** Scrolls the list up by 120 px a frame; returns the time of each frame. */
const FRAMES = `new Promise((resolve) => {
  const grid = document.querySelector('[role=grid]')
  const times = []
  let last = performance.now()
  const step = (now) => {
    times.push(now - last)
    last = now
    grid.scrollTop -= 120
    if (times.length < 180) requestAnimationFrame(step)
    else resolve(times)
  }
  requestAnimationFrame(step)
})`

/** Creates ended runs, so many that the list scrolls. */
async function fill(stage: Stage, label: string, count: number): Promise<void> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1)
    ids.push((await createRun(stage.server, { input: '@say x', label: `${label} ${n}` })).id)
  for (const id of ids) await untilEnd(stage.server, id)
}

const cancelAll = async ({ server }: Stage, ...runs: { readonly id: string }[]): Promise<void> => {
  for (const { id } of runs) await server.ask(`/v1/runs/${id}/cancel`, { method: 'POST' })
}

export const RUNS: Scenarios = {
  async 'runs: filters stand in the address, are shared by it, and Back undoes them'(stage) {
    const { server } = stage
    const metadata = { ticket: 'T-77' }
    await runToEnd(server, { input: '@say heron', label: 'Heron one', metadata })
    await runToEnd(server, { input: '@say heron', label: 'Heron two' })
    const failed = await runToEnd(server, { input: '@fail 400', label: 'Heron three', metadata })
    const page = await openRuns(stage)
    await row(page, 'Heron two').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('HERON')
    await page.waitForURL(/q=HERON/)
    await row(page, 'Heron three').waitFor()
    check(stage, (await grid(page).getByRole('row').count()) === 4, 'q shows other runs')
    await page.getByTitle('Status', { exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Completed' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click()
    await page.keyboard.press('Escape')
    await page.waitForURL(/status=completed%2Cfailed/)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Metadata').fill('ticket')
    await page.getByText('Each line must have the form key=value.').waitFor()
    await page.getByLabel('Metadata').fill('ticket=T-77')
    await page.getByRole('textbox', { name: 'Agent' }).fill('general')
    await page.getByRole('button', { name: 'Apply' }).click()
    await row(page, 'Heron two').waitFor({ state: 'detached' })
    const expected = { q: 'HERON', status: 'completed,failed', agent: 'general' }
    const query = queryOf(page)
    check(
      stage,
      JSON.stringify(query) === JSON.stringify({ ...expected, 'metadata.ticket': 'T-77' }),
      `the address has ${JSON.stringify(query)}`,
    )
    const other = await page.context().newPage()
    await other.goto(page.url())
    await row(other, 'Heron one').waitFor()
    await row(other, 'Heron three').waitFor()
    check(stage, (await row(other, 'Heron two').count()) === 0, 'the shared address shows more')
    await other.close()
    await page.goBack()
    await row(page, 'Heron two').waitFor()
    await page.goBack()
    await page.waitForURL((url) => url.searchParams.get('status') === 'completed')
    await row(page, 'Heron three').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL(/runs$/)
    await page.goto(`${server.url}/console/runs?waiting_on=input&model=openai%2Fscripted&q=heron`)
    await page.getByText('No matching runs.').waitFor()
    await page.goto(`${server.url}/console/runs?status=done`)
    await page.getByRole('alert').filter({ hasText: 'invalid_query' }).waitFor()
    await page.goto(`${server.url}/console/runs?since=hour&q=${failed.id}`)
    await row(page, 'Heron three').waitFor()
  },

  async 'runs: rows change in place, and new rows wait while the list is scrolled'(stage) {
    const { server } = stage
    await fill(stage, 'Stork', 40)
    const live = await createRun(server, { input: QUESTION, label: 'Stork asks' })
    const page = await openRuns(stage, '?q=stork')
    await row(page, 'Stork asks').getByText('Needs you').waitFor()
    await grid(page).evaluate((element) => element.scrollTo({ top: 400 }))
    const before = await row(page, 'Stork 20').boundingBox()
    const added = await createRun(server, { input: SLOW, label: 'Stork new' })
    const note = page.getByRole('button', { name: '1 new run' })
    await note.waitFor()
    check(stage, (await row(page, 'Stork new').count()) === 0, 'the new run is shown at once')
    const after = await row(page, 'Stork 20').boundingBox()
    const moved = Math.abs((after?.y ?? 0) - (before?.y ?? 0))
    check(stage, moved < 1, `the rows moved by ${moved} px`)
    await note.click()
    await row(page, 'Stork new').getByText('Running').waitFor()
    await note.waitFor({ state: 'detached' })
    await cancelAll(stage, live, added)
    await row(page, 'Stork new').getByText('Cancelled').waitFor()
    await row(page, 'Stork asks').getByText('Cancelled').waitFor()
    const atTop = await runToEnd(server, { input: '@say x', label: 'Stork last' })
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await row(page, 'Stork last').waitFor()
    const [first] = await grid(page).getByRole('row').nth(1).allInnerTexts()
    check(stage, first?.includes('Stork last') === true, `${atTop.id} is not first: ${first}`)
  },

  async 'runs: each status is shown by an icon and a word, with steps, tokens, and children'(
    stage,
  ) {
    const { server } = stage
    const of = (input: string, more = {}) => ({ input, label: 'Ibis', ...more })
    const spawn = `@spawn 2 ${JSON.stringify({ task: '@say found' })}\n@await\n@say done`
    await runToEnd(server, of(spawn))
    await runToEnd(server, of('@fail 400'))
    await runToEnd(server, of(SLOW, { limits: { timeout_seconds: 1 } }))
    const start_at = new Date(Date.now() + 3_600_000).toISOString()
    const queued = await createRun(server, of('@say x', { start_at }))
    const asks = await createRun(server, of(QUESTION))
    const below = `@spawn 1 ${JSON.stringify({ task: SLOW })}\n@await\n@say done`
    const waiting = await createRun(server, of(below))
    const running = await createRun(server, of(SLOW))
    const cancelled = await createRun(server, of(SLOW))
    await cancelAll(stage, cancelled)
    const page = await openRuns(stage, '?q=ibis')
    const words = [
      ...['Completed', 'Failed', 'Timed out', 'Queued', 'Needs you'],
      ...['Waiting', 'Running', 'Cancelled'],
    ]
    for (const word of words) {
      const status = row(page, word).getByRole('gridcell').nth(1)
      await status.locator('svg').waitFor()
      await status.getByText(word, { exact: true }).waitFor()
    }
    const cells = await row(page, 'Completed').getByRole('gridcell').allInnerTexts()
    const [, , agent, text, , , steps, children] = cells
    check(stage, agent === 'general' && text?.includes('Ibis') === true, `${agent}, ${text}`)
    check(stage, Number(steps) >= 2 && children === '2', `${steps} steps, ${children} subagents`)
    check(stage, cells.at(-1) === '–', `an unpriced run costs ${cells.at(-1)}`)
    await row(page, 'Waiting').getByText('1 live').waitFor()
    await row(page, 'model_rejected').waitFor()
    await judge(stage, page, 'runs')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByRole('button', { name: 'More filters' }).click()
    await judge(stage, page, 'filters of runs')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.keyboard.press('Escape')
    const height = (await row(page, 'Completed').boundingBox())?.height
    check(stage, height === 60, `a narrow row is ${height} px high`)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    check(stage, Number(width) <= 360, `the page is ${width} wide`)
    await cancelAll(stage, queued, asks, waiting, running)
  },

  async 'runs: the list is used by keys alone, and marked runs are cancelled and deleted'(stage) {
    const { server } = stage
    await fill(stage, 'Crane', 4)
    const live = await createRun(server, { input: SLOW, label: 'Crane live' })
    const page = await openConsole(stage)
    await page
      .getByRole('link', { name: /Runs/ })
      .getByText('live run')
      .waitFor({ state: 'attached' })
    await page.locator('#main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL(/console\/runs$/)
    await row(page, 'Crane live').waitFor()
    await page.keyboard.press('j')
    check(stage, (await current(page)).includes('Crane live'), await current(page))
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('X')
    await page.getByText('3 marked').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('k')
    check(stage, (await current(page)).includes('Crane live'), await current(page))
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 marked run is live and kept.').waitFor()
    await dialog.getByRole('button', { name: 'Delete 2 runs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row(page, 'Crane 3').waitFor({ state: 'detached' })
    await row(page, 'Crane 1').waitFor()
    await grid(page).focus()
    await page.keyboard.press('x')
    await page.getByText('1 marked').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('button', { name: 'Cancel 1 run' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row(page, 'Crane live').getByText('Cancelled').waitFor()
    const { status } = await untilEnd(server, live.id)
    check(stage, status === 'cancelled', `the run is ${status}`)
    await grid(page).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/runs\/run_/)
    await page.goBack()
    await row(page, 'Crane 1').waitFor()
    check(stage, (await current(page)).includes('Crane 1'), 'the current row is lost by Back')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Runs' }).waitFor()
  },

  async 'runs: ten thousand loaded runs render a bounded number of rows'(stage) {
    const base = await runToEnd(stage.server, { input: '@say x' })
    const run = await stage.server.get<object>(`/v1/runs/${base.id}`)
    const page = await openConsole(stage)
    await page.route(/\/v1\/runs\?(?!.*status=)/, async (route) => {
      const { searchParams } = new URL(route.request().url())
      const from = Number(searchParams.get('cursor') ?? 0)
      const limit = Number(searchParams.get('limit'))
      const data = Array.from({ length: Math.min(limit, MOST - from) }, (_, at) => ({
        ...{ ...run, id: `run_${String(from + at).padStart(26, '0')}`, label: `No. ${from + at}` },
        created_at: new Date(1_800_000_000_000 - (from + at) * 1_000).toISOString(),
      }))
      const end = Math.min(MOST, from + limit)
      const next_cursor = end === MOST ? null : String(end)
      await route.fulfill({ json: { data, has_more: next_cursor !== null, next_cursor } })
    })
    await page.goto(`${stage.server.url}/console/runs`)
    await row(page, 'No. 0').first().waitFor()
    await grid(page).focus()
    await until('all pages are loaded', async () => {
      await page.keyboard.press('End')
      const count = await grid(page).getByRole('row').count()
      check(stage, count < 80, `${count} rows exist`)
      return Number(await grid(page).getAttribute('aria-rowcount')) > MOST
    })
    await page.keyboard.press('End')
    await row(page, `No. ${MOST - 1} `).waitFor()
    const frames = await page.evaluate<number[]>(FRAMES)
    const sorted = frames.toSorted((a, b) => a - b).map((ms) => Math.round(ms))
    const p95 = sorted[Math.floor(sorted.length * 0.95)]
    console.log(`    frames while scrolling: p95 ${p95} ms, longest ${sorted.at(-1)} ms`)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },

  async 'runs: a key without runs:read has no such place, and the address names the scope'(stage) {
    const { server } = stage
    const json = { name: 'talker', scopes: ['sessions:*', 'layers:read'] }
    const { key } = await server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    const page = await openConsole(stage)
    await page.getByRole('link', { name: /^Runs/ }).waitFor()
    await page.context().clearCookies()
    await page.goto(`${server.url}/console/runs`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByText('does not have the scope runs:read').waitFor()
    await page.getByText('strata keys --create').waitFor()
    check(stage, (await page.getByRole('link', { name: /^Runs/ }).count()) === 0, 'a link is shown')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'New conversation' }).waitFor()
    check(stage, (await page.getByRole('option', { name: 'Runs' }).count()) === 0, 'it is offered')
  },
}
