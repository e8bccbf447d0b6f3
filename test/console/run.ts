/** The page of a run: timeline, transcript, events, configuration, usage, and running it again. */

import type { Page } from 'playwright-core'
import { createRun, runToEnd, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'
import { spawn } from './together.ts'

const TREE = [
  ...['@text I look.', '@call file_search {"pattern": "x"}', '@then'],
  ...[
    spawn('one', '@say found'),
    spawn('two', '@call file_search {"pattern": "x"}\n@then\n@say found'),
  ],
  ...['@await', '@say the end'],
].join('\n')
const MANY = 300
/** Calls of an answer and answers of a run with more than 5,000 events. */
const CALLS = 100
const STEPS = 25

interface Frames {
  readonly longest: number
  readonly p95: number
  /** The longest task of more than 50 ms, as the browser reports it; 0 without one. */
  readonly tasks: number
}

/** Scrolls a list down by 120 px a frame. */
const scrolled = (role: string): string => `new Promise((resolve) => {
  const box = document.querySelector('[role=${role}]')
  let tasks = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks = Math.max(tasks, duration)
  }).observe({ type: 'longtask' })
  const times = []
  let last = performance.now()
  const step = (now) => {
    times.push(now - last)
    last = now
    box.scrollTop += 120
    if (times.length < 180) return requestAnimationFrame(step)
    times.sort((a, b) => a - b)
    resolve({ longest: times.at(-1), p95: times[Math.floor(times.length * 0.95)], tasks })
  }
  requestAnimationFrame(step)
})`
/** Rows of 28 pixels on a page of 900, and those above and below. */
const MOST_ROWS = 80

async function openRun(stage: Stage, path: string, options = {}): Promise<Page> {
  const page = await openConsole(stage, '', options)
  await page.goto(`${stage.server.url}/console/runs/${path}`)
  await page.getByRole('tablist').waitFor()
  return page
}

const events = (page: Page) => page.getByRole('listbox', { name: 'Events' }).getByRole('option')
const rows = (page: Page) => page.getByRole('treegrid').getByRole('row')

export const RUN: Scenarios = {
  async 'the timeline shows the tree by keyboard; the address keeps the tab and the selection'(
    stage,
  ) {
    const { id } = await runToEnd(stage.server, { input: TREE })
    const page = await openRun(stage, id)
    await rows(page).filter({ hasText: 'Model, step 1' }).waitFor()
    await page
      .getByText(/^Where .* went$/)
      .first()
      .waitFor()
    const folded = await rows(page).count()
    await rows(page).filter({ hasText: 'two' }).click()
    await page.getByRole('treegrid').focus()
    await page.keyboard.press('ArrowRight')
    await until('the subagent is expanded', async () => (await rows(page).count()) > folded)
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/sel=run_\w+\.\d+/)
    const details = page.getByRole('complementary', { name: 'Selected event' })
    await details.waitFor()
    await page.keyboard.press('e')
    await page.getByRole('listbox', { name: 'Events' }).waitFor()
    await page.locator('[role=option][aria-selected=true]').waitFor()
    await page.reload()
    await page.locator('[role=option][aria-selected=true]').waitFor()
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    for (const [key, tab] of Object.entries({
      2: 'Transcript',
      4: 'Given',
      5: 'Usage',
      6: 'Compare',
      7: 'Raw',
    })) {
      await page.keyboard.press(key)
      await page.getByRole('tabpanel', { name: tab }).waitFor()
    }
    await page.goBack()
    await page.goBack()
    await page.getByRole('tabpanel', { name: 'Usage' }).waitFor()
    await page.getByRole('rowheader', { name: 'two' }).waitFor()
  },

  async 'events are filtered by type and text; a subagent opens its own page and back'(stage) {
    const { id } = await runToEnd(stage.server, { input: TREE })
    const page = await openRun(stage, `${id}?tab=events`)
    const options = events(page)
    await options.first().waitFor()
    await page.getByLabel('Type of event').selectOption('tool.result')
    await until('only results are shown', async () =>
      (await options.allInnerTexts()).every((text) => text.includes('tool.result')),
    )
    await page.getByLabel('Type of event').selectOption('')
    await page.getByLabel('Filter events by text').fill('subagent.spawned')
    await until('two events match', async () => (await options.count()) === 2)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await rows(page).getByRole('link', { name: 'two', exact: true }).click()
    await page.getByRole('link', { name: 'Parent run' }).waitFor()
    await page.locator('#main').click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('p')
    await page.waitForURL(new RegExp(id))
  },

  async 'a run is created again from its request, edited; a live run is stopped'(stage) {
    const { id } = await runToEnd(stage.server, { input: '@say one', label: 'first' })
    const page = await openRun(stage, id)
    await page.getByRole('button', { name: 'Run again' }).click()
    const request = page.getByRole('textbox', { name: 'Request' })
    await request.fill('not json')
    await page.getByText('Enter a JSON object.').waitFor()
    await request.fill(JSON.stringify({ input: '@slow 60000\n@say late', label: 'second' }))
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL((url) => !url.href.includes(id))
    await page.getByRole('heading', { name: 'second' }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Cancelled').first().waitFor()
  },

  async 'a timeline of 300 subagents renders few rows, and follows the run'(stage) {
    const part = JSON.stringify({ task: '@say part', label: 'part {i}' })
    const spawns = Array.from({ length: 3 }, () => `@spawn ${MANY / 3} ${part}`).join('\n@then\n')
    const { id } = await createRun(stage.server, { input: `${spawns}\n@await\n@say all` })
    const page = await openRun(stage, id)
    await untilEnd(stage.server, id)
    await page.getByText('Completed').first().waitFor()
    const grid = page.getByRole('treegrid')
    await until('all subagents are in the timeline', async () => {
      return Number(await grid.getAttribute('aria-rowcount')) > MANY
    })
    const count = await rows(page).count()
    check(stage, count <= MOST_ROWS, `${count} rows are rendered`)
    await grid.focus()
    await page.keyboard.press('End')
    const last = rows(page).and(page.locator('[aria-selected=true]'))
    await last.waitFor()
    check(stage, (await rows(page).count()) <= MOST_ROWS, 'the end renders too many rows')
    await page.keyboard.press('3')
    await events(page).first().waitFor()
    check(stage, (await events(page).count()) <= MOST_ROWS, 'too many events')
  },

  async 'a long label, an unknown tab, and a run that is deleted while it is open'(stage) {
    const { id } = await runToEnd(stage.server, { input: '@say x', label: 'w'.repeat(190) })
    const page = await openRun(stage, `${id}?tab=nope&sel=garbage`)
    await page.getByRole('treegrid').waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    check(stage, width <= 1_440, `the page is ${width} px wide`)
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/sel=run_/)
    const live = await createRun(stage.server, { input: '@slow 60000\n@say x' })
    await page.goto(`${stage.server.url}/console/runs/${live.id}`)
    await rows(page).filter({ hasText: 'Model, step 1' }).waitFor()
    await stage.server.ask(`/v1/runs/${live.id}/cancel`, { method: 'POST' })
    await untilEnd(stage.server, live.id)
    await stage.server.ask(`/v1/runs/${live.id}`, { method: 'DELETE' })
    await page.reload()
    await page.getByRole('alert').getByText('Run not found').waitFor()
  },

  async 'a run of 5,000 events renders few rows, and its tasks are short'(stage) {
    // Equal calls would end the run as a loop.
    const call = (step: number, at: number): string =>
      `@call file_search {"pattern": "${step}-${at}"}`
    const steps = Array.from({ length: STEPS }, (_, step) =>
      Array.from({ length: CALLS }, (__, at) => call(step, at)).join('\n'),
    )
    const input = `${steps.join('\n@then\n')}\n@then\n@say all`
    const { id } = await runToEnd(stage.server, { input })
    const page = await openRun(stage, `${id}?tab=events`)
    await until('all events are loaded', async () => {
      const text = await page.getByRole('tab', { name: /^Events/ }).innerText()
      return Number(text.replaceAll(/\D/g, '')) >= 5_000
    })
    for (const [key, role] of Object.entries({ 3: 'listbox', 1: 'treegrid' })) {
      await page.keyboard.press(key)
      await page.locator(`[role=${role}]`).waitFor()
      const { longest, p95, tasks } = await page.evaluate<Frames>(scrolled(role))
      const rendered = page.locator(`[role=${role}] :is([role=row], [role=option])`)
      check(stage, (await rendered.count()) <= MOST_ROWS, `${role}: too many rows`)
      const ms = [p95, longest, tasks].map(Math.round).join(', ')
      console.log(`    ${role}, ms while scrolling: frame p95, longest frame, longest task: ${ms}`)
    }
  },

  async 'the page of a run fits a phone, and a run that does not exist is named'(stage) {
    const { id } = await runToEnd(stage.server, { input: TREE })
    const viewport = { width: 360, height: 740 }
    const page = await openRun(stage, id, { viewport, hasTouch: true })
    await rows(page).first().waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    check(stage, width <= viewport.width, `the page is ${width} px wide`)
    await rows(page).nth(1).click()
    const details = page.getByRole('complementary', { name: 'Selected event' })
    await details.getByRole('button', { name: 'Close' }).click()
    await page.goto(`${stage.server.url}/console/runs/run_${'a'.repeat(26)}`)
    await page.getByRole('alert').getByText('Run not found').waitFor()
  },
}
