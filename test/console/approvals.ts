/** The inbox: decisions by keyboard, edited arguments, decisions elsewhere, many at once, phones. */

import type { Locator, Page } from 'playwright-core'
import { createRun, runToEnd, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'
import { askFor } from './together.ts'

interface Approval {
  readonly id: string
  readonly run_id: string
  readonly status: string
  readonly decision: { readonly reason: string | null; readonly arguments: string | null } | null
}

export async function openInbox(stage: Stage, query = '', options = {}): Promise<Page> {
  const page = await openConsole(stage, '', options)
  await page.goto(`${stage.server.url}/console/approvals${query}`)
  await page.getByRole('navigation', { name: 'Approvals by state' }).waitFor({ state: 'attached' })
  return page
}

const writeOf = (path: string): string =>
  `@text I keep ${path}.\n@call file_write {"path": "${path}", "content": "1"}\n@say done`

export const pendingOf = async ({ server }: Stage): Promise<readonly Approval[]> =>
  (await server.get<{ data: readonly Approval[] }>('/v1/approvals?limit=100')).data

/** Decides everything that other scenarios have left. */
export async function empty(stage: Stage): Promise<void> {
  for (const { run_id } of await pendingOf(stage))
    await stage.server.ask(`/v1/runs/${run_id}/cancel`, { method: 'POST' })
  await until('approvals still wait', async () => (await pendingOf(stage)).length === 0)
}

/** Starts runs that wait for a decision each, and returns them as created. */
export async function fill(stage: Stage, name: string, count: number) {
  await askFor(stage, 'file_write')
  await empty(stage)
  const runs: { readonly id: string }[] = []
  for (let n = 0; n < count; n += 1)
    runs.push(await createRun(stage.server, { input: writeOf(`${name}-${n}.txt`) }))
  await until('not all approvals wait', async () => (await pendingOf(stage)).length === count)
  return runs
}

export const approvalOf = ({ server }: Stage, id: string): Promise<Approval> =>
  server.get<Approval>(`/v1/approvals/${id}`)

const list = (page: Page): Locator => page.getByRole('list', { name: 'Pending' })
const rows = (page: Page): Locator => list(page).getByRole('listitem')
export const card = (page: Page): Locator => page.getByRole('article')
export const selectionIn = (page: Page): string => new URL(page.url()).searchParams.get('sel') ?? ''
export const waiting = (page: Page): Locator => card(page).getByRole('button', { name: 'Approve' })

export async function untilSelected(page: Page, previous: string): Promise<string> {
  await page.waitForURL((url) => (url.searchParams.get('sel') ?? '') !== previous)
  return selectionIn(page)
}

export const APPROVALS: Scenarios = {
  async 'approvals: an inbox of 20 is emptied by keyboard alone'(stage) {
    const count = 20
    await fill(stage, 'many', count)
    const page = await openInbox(stage)
    await rows(page)
      .nth(count - 1)
      .waitFor()
    const titleIs = (start: string) =>
      until(`the title is ${start}`, async () => (await page.title()).startsWith(start))
    await titleIs('(20) Approvals')
    const ids = new Set<string>()
    for (let n = 0; n < count; n += 1) {
      await waiting(page).waitFor()
      const id = selectionIn(page)
      ids.add(id)
      if (n % 5 === 4) {
        await page.keyboard.press('d')
        await card(page).getByLabel('Reason').waitFor()
        await page.keyboard.type(`not ${n}`)
        await page.keyboard.press('Enter')
      } else await page.keyboard.press('a')
      await untilSelected(page, id)
    }
    await page.getByText('Nothing is waiting for a decision.').waitFor()
    check(stage, ids.size === count, `${ids.size} approvals were selected`)
    const decided = await Promise.all([...ids].map((id) => approvalOf(stage, id)))
    const reasons = decided.flatMap(({ decision }) => decision?.reason ?? [])
    check(stage, `${reasons.toSorted()}` === 'not 14,not 19,not 4,not 9', `reasons ${reasons}`)
    const approved = decided.filter(({ status }) => status === 'approved')
    check(stage, approved.length === 16, `${approved.length} are approved`)
    await titleIs('Approvals')
    await page.getByRole('link', { name: 'Decided' }).click()
    await page.goto(`${stage.server.url}/console/approvals?tab=decided&sel=${[...ids][19]}`)
    await card(page).getByText('not 19').waitFor()
    await page.keyboard.press('k')
    await untilSelected(page, [...ids][19] ?? '')
  },

  async 'approvals: edited arguments are approved, and the reason of the call is shown'(stage) {
    const [run] = await fill(stage, 'edit', 1)
    const page = await openInbox(stage)
    await waiting(page).waitFor()
    const id = selectionIn(page)
    await page.getByText('I keep edit-0.txt.', { exact: true }).waitFor()
    const step = page.getByRole('link', { name: 'Open the run at this step' })
    const href = await step.getAttribute('href')
    check(stage, RegExp(`/runs/${run?.id}\\?sel=${run?.id}\\.\\d+`).test(href ?? ''), `${href}`)
    await page.keyboard.press('e')
    await page.getByLabel('content *').fill('2')
    await page.keyboard.press('Control+Enter')
    await untilSelected(page, id)
    const { status, decision } = await approvalOf(stage, id)
    check(stage, status === 'approved', `the approval is ${status}`)
    check(stage, decision?.arguments?.includes('"2"') === true, `${decision?.arguments}`)
    await untilEnd(stage.server, run?.id ?? '')
    await page.goto(`${stage.server.url}/console/approvals?tab=decided&sel=${id}`)
    await page.getByText('Approved with these arguments instead').waitFor()
  },

  async 'approvals: a decision made elsewhere meanwhile turns the card into who, when, and what'(
    stage,
  ) {
    await fill(stage, 'elsewhere', 1)
    const page = await openInbox(stage)
    await waiting(page).waitFor()
    const id = selectionIn(page)
    await page.keyboard.press('e')
    await page.getByLabel('content *').fill('mine')
    const json = { decision: 'deny', reason: 'not today' }
    await stage.server.get(`/v1/approvals/${id}/decision`, { method: 'POST', json })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Another decision was made first').waitFor()
    for (const text of [
      'Decided by',
      'not today',
      'Your arguments, which were not applied',
      'mine',
    ])
      await card(page).getByText(text).first().waitFor()
    check(stage, selectionIn(page) === id, 'another approval is selected')
  },

  async 'approvals: a decision after the end of the run is told as too late'(stage) {
    const [run] = await fill(stage, 'late', 1)
    const page = await openInbox(stage)
    await waiting(page).waitFor()
    await page.keyboard.press('d')
    await card(page).getByLabel('Reason').fill('no')
    await stage.server.ask(`/v1/runs/${run?.id}/cancel`, { method: 'POST' })
    await page.keyboard.press('Enter')
    await page.getByText('Your decision came too late').waitFor()
    await card(page).getByText('Closed because the run ended').waitFor()
  },

  async 'approvals: marked ones are approved at once, with the outcome of each'(stage) {
    await fill(stage, 'marked', 4)
    const page = await openInbox(stage)
    await waiting(page).waitFor()
    const first = selectionIn(page)
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    const second = await untilSelected(page, first)
    await page.keyboard.press('j')
    await untilSelected(page, second)
    await page.keyboard.press('Shift+X')
    await page.getByText('3 marked').waitFor()
    await page.keyboard.press('Shift+A')
    const dialog = page.getByRole('dialog', { name: 'Approve 3 calls' })
    await dialog.waitFor()
    const json = { decision: 'deny' }
    await stage.server.get(`/v1/approvals/${second}/decision`, { method: 'POST', json })
    await page.keyboard.press('Enter')
    await dialog.getByText('already decided').waitFor()
    const outcomes = await dialog.getByRole('listitem').allInnerTexts()
    const approved = outcomes.filter((text) => text.includes('Approved'))
    check(stage, approved.length === 2, `the outcomes are ${outcomes.join(' | ')}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await waiting(page).waitFor()
    check(stage, (await rows(page).count()) === 1, 'other approvals still wait')
    await empty(stage)
  },

  async 'approvals: on a phone, the detail covers the list, and a link decides one call'(stage) {
    await fill(stage, 'phone', 2)
    const viewport = { width: 360, height: 740 }
    const page = await openInbox(stage, '', { viewport, hasTouch: true, isMobile: true })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await rows(page).nth(1).waitFor()
    check(stage, selectionIn(page) === '', 'a narrow page selects by itself')
    await rows(page).first().getByRole('button').click()
    await waiting(page).waitFor()
    check(stage, !(await list(page).isVisible()), 'the list is visible behind the detail')
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await rows(page).first().getByRole('button').click()
    await page.getByRole('button', { name: 'Copy a link for this decision' }).click()
    await page.getByText('Anyone with the link can decide this call').waitFor()
    const id = selectionIn(page)
    const url = await page.evaluate<string>('navigator.clipboard.readText()')
    const phone = await openBlank(stage.browser, stage, { viewport, hasTouch: true })
    await phone.goto(url)
    for (const control of await phone.locator('button, textarea').all()) {
      const { height = 0 } = (await control.boundingBox()) ?? {}
      check(stage, height >= 44, `a control of the link is ${height} px high`)
    }
    const overflow = await phone.evaluate<number>('document.documentElement.scrollWidth')
    check(stage, overflow <= viewport.width, `the page of the link is ${overflow} px wide`)
    await phone.getByRole('button', { name: 'Approve' }).click()
    await phone.getByText('was approved').first().waitFor()
    await card(page).getByText('Decided by').waitFor()
    const { status } = await approvalOf(stage, id)
    check(stage, status === 'approved', `the approval is ${status}`)
    await empty(stage)
  },

  async 'approvals: questions that wait stand below and are answered there'(stage) {
    await empty(stage)
    const question = { question: 'Red or blue?', choices: [{ label: 'Red' }, { label: 'Blue' }] }
    const input = `@call ask_user ${JSON.stringify(question)}\n@say {last}`
    const runs = [
      await createRun(stage.server, { input }),
      await createRun(stage.server, { input }),
    ]
    const page = await openInbox(stage)
    const questions = page.getByRole('list', { name: 'Questions' })
    for (const [at, run] of runs.entries()) {
      await questions.locator(`#row-${run.id}`).getByRole('button').click()
      await page.waitForURL((url) => url.searchParams.get('sel') === run.id)
      if (at === 0) await page.getByRole('button', { name: 'Blue', exact: true }).click()
      else {
        await page.getByLabel('Answer in your words').fill('Green')
        await page.keyboard.press('Enter')
      }
      await untilSelected(page, run.id)
      const { output } = await untilEnd(stage.server, run.id)
      check(stage, output?.text.includes(at === 0 ? 'Blue' : 'Green') === true, `${output?.text}`)
    }
  },

  async 'approvals: a key without the scope is told which one is missing'(stage) {
    const json = { name: 'reader', scopes: ['sessions:read', 'runs:read'] }
    const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    await runToEnd(stage.server, { input: '@say x' })
    const page = await openBlank(stage.browser, stage)
    await page.goto(`${stage.server.url}/console`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.locator('#main').waitFor()
    await page.goto(`${stage.server.url}/console/approvals`)
    await page.getByText('does not have the scope approvals:read').waitFor()
  },

  async 'approvals: axe finds no violation in the inbox, its details, and the batch'(stage) {
    await fill(stage, 'axe', 2)
    const question = '@call ask_user {"question": "Red or blue?", "choices": [{"label": "Red"}]}'
    const run = await createRun(stage.server, { input: `${question}\n@say x` })
    const page = await openInbox(stage)
    await waiting(page).waitFor()
    await page
      .getByText('I keep axe-1.txt.', { exact: true })
      .or(page.getByText('I keep axe-0.txt.', { exact: true }))
      .waitFor()
    await judge(stage, page, 'selected approval')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+A')
    await page.getByRole('dialog').waitFor()
    await judge(stage, page, 'batch')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Approved').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${stage.server.url}/console/approvals?sel=${run.id}`)
    await page.getByRole('button', { name: 'Red', exact: true }).waitFor()
    await judge(stage, page, 'question in the inbox')
    await page.goto(`${stage.server.url}/console/approvals?tab=decided`)
    await page.getByRole('list', { name: 'Decided' }).getByRole('listitem').first().waitFor()
    await judge(stage, page, 'decided approvals')
    await stage.server.ask(`/v1/runs/${run.id}/cancel`, { method: 'POST' })
    await empty(stage)
  },
}
