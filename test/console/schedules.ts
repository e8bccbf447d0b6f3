/** The page of schedules: slots across a change of clocks, actions, past slots, files, and scopes. */

import type { Locator, Page } from 'playwright-core'
import { runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

interface Preview {
  readonly upcoming: readonly { readonly at: string; readonly local: string }[]
  readonly findings: readonly { readonly message: string }[]
}

interface Schedule {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly run: { readonly label?: string }
}

const WIDE = { width: 1_440, height: 900 }

/** 02:30 on each Sunday of March: clocks in Berlin skip this time on the last one. */
const SKIPPED = { cron: '30 2 * 3 0', timezone: 'Europe/Berlin' }

const write = <T>({ server }: Stage, path: string, method: string, json: object): Promise<T> =>
  server.get<T>(path, { method, json })

async function openSchedules(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage, '', { timezoneId: 'America/New_York' })
  await page.goto(`${stage.server.url}/console/schedules${query}`)
  await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  return page
}

/** Times in the attributes of a table of slots, by the columns of the zone and of the browser. */
const timesIn = (within: Locator): Promise<readonly string[]> =>
  within
    .locator('td time')
    .evaluateAll((times) => times.map((time) => `${time.getAttribute('datetime')}`))

const past = (day: number, outcome: string, reason: string | null, run: boolean) => ({
  ...{ slot: `2026-11-0${day}T07:00:00.000Z`, at: `2026-11-0${day}T07:00:09.000Z`, outcome },
  ...{ manual: false, more: false, count: outcome === 'missed' ? 3 : 1, reason },
  run_id: run ? `run_7m3w9zyxqb8ag7g8f99bmf67k${day}` : null,
})

/** Slots that only a server with a past can have, the newest first. */
const PAST = [
  past(4, 'missed', 'The server was down.', false),
  past(3, 'skipped', 'An earlier run was active.', false),
  past(2, 'failed', 'model_rejected: refused', true),
  past(1, 'completed', null, true),
]

const slotsOf = ({ upcoming }: Preview): string =>
  upcoming.flatMap(({ at, local }) => [local, at]).join(' ')

export const SCHEDULES: Scenarios = {
  async 'schedules: slots across a change of clocks are those of the server, and its sentence is at the field'(
    stage,
  ) {
    const page = await openSchedules(stage)
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'New schedule' }).click()
    const form = page.getByRole('dialog', { name: 'New schedule' })
    const cron = form.getByLabel('Cron expression')
    await cron.fill('61 9 * * *')
    const refused = await stage.server.ask('/v1/schedules/preview', {
      ...{ method: 'POST', json: { cron: '61 9 * * *' } },
    })
    const { errors } = (await refused.json()) as { errors: readonly { message: string }[] }
    await form
      .getByRole('alert')
      .getByText(errors[0]?.message ?? '?')
      .waitFor()
    await cron.fill(SKIPPED.cron)
    await form.getByLabel('Time zone').fill('Mars/Base')
    await form
      .getByRole('alert')
      .getByText(/unknown IANA time zone/i)
      .waitFor()
    await judge(stage, page, 'form of a schedule with an error')
    await page.setViewportSize(WIDE)
    await form.getByLabel('Time zone').fill(SKIPPED.timezone)
    const slots = form.getByRole('region', { name: 'Slots that these times give' })
    const preview = await write<Preview>(stage, '/v1/schedules/preview', 'POST', SKIPPED)
    const [finding] = preview.findings
    await slots.getByText(finding?.message ?? '?').waitFor()
    const previewed = (await timesIn(slots)).join(' ')
    check(stage, previewed === slotsOf(preview), `${previewed}, not ${slotsOf(preview)}`)
    check(stage, previewed.includes('03:00:00+02:00'), 'no slot is after the skipped time')
    const moved = slots.getByRole('row').filter({ hasText: '+02:00' }).first()
    check(stage, (await moved.innerText()).includes('03:00'), await moved.innerText())
    await form.getByLabel('Name').fill('clocks')
    await form.getByLabel('Input').fill('@say {{slot.local}}')
    await form.getByRole('button', { name: 'Create' }).click()
    const detail = page.getByRole('article', { name: 'clocks' })
    const next = detail.getByRole('region', { name: 'Next slots' })
    await next.getByText(finding?.message ?? '?').waitFor()
    const stored = (await timesIn(next)).join(' ')
    check(stage, stored === previewed, `${stored} after creation, not ${previewed}`)
    await detail.getByText('No slot has been due yet.').waitFor()
    await detail.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the schedule' }).click()
    await detail.waitFor({ state: 'detached' })
  },

  async 'schedules: one is paused with a reason, resumed, and run now, which leads to the run'(
    stage,
  ) {
    const json = { name: 'desk', every: '1d', input: '@slow 60000', overlap: 'skip' }
    const { id } = await write<Schedule>(stage, '/v1/schedules', 'POST', json)
    const page = await openSchedules(stage, `?sel=desk`)
    const detail = page.getByRole('article', { name: 'desk' })
    await detail.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('The desk moves.')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await detail.getByText('The desk moves.').waitFor()
    await detail.getByText('No slot is due while the schedule is paused.').waitFor()
    await detail.getByRole('button', { name: 'Resume' }).click()
    await detail.getByText('The desk moves.').waitFor({ state: 'detached' })
    await detail.getByRole('button', { name: 'Run now' }).click()
    const started = detail.getByRole('status').getByRole('link', { name: 'Open the run' })
    await started.waitFor()
    const strip = detail.getByRole('list', { name: 'Past slots, newest last' })
    await strip.getByRole('link', { name: /Running · started manually/ }).waitFor()
    await detail.getByRole('button', { name: 'Run now' }).click()
    await detail.getByRole('alert').waitFor()
    await started.waitFor({ state: 'detached' })
    await strip.getByRole('link').click()
    await page.waitForURL(/\/runs\/run_/)
    const run = /run_\w+/.exec(page.url())?.[0]
    await stage.server.get(`/v1/runs/${run}/cancel`, { method: 'POST' })
    await page.goBack()
    await strip.getByRole('link', { name: /Cancelled/ }).waitFor()
    await detail.getByRole('list', { name: 'Slots without a completed run' }).waitFor()
    await judge(stage, page, 'schedule')
    await stage.server.ask(`/v1/schedules/${id}`, { method: 'DELETE' })
  },

  async 'schedules: a list that arrives late leaves an open form and its text alone'(stage) {
    const json = { name: 'late', every: '1d', input: '@say x' }
    const { id } = await write<Schedule>(stage, '/v1/schedules', 'POST', json)
    const page = await openConsole(stage)
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/v1/schedules?*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${stage.server.url}/console/schedules?sel=late`)
    await page.getByRole('article').getByRole('button', { name: 'Pause' }).click()
    const reason = page.getByRole('dialog').getByLabel('Reason')
    await reason.fill('Kept.')
    release()
    // The dialog covers the list.
    await page.locator('li', { hasText: 'late' }).first().waitFor()
    check(stage, (await reason.inputValue()) === 'Kept.', 'the reason is lost')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('article').getByText('Kept.').waitFor()
    await stage.server.ask(`/v1/schedules/${id}`, { method: 'DELETE' })
  },

  async 'schedules: a wake-up of a model leads to its conversation and its run'(stage) {
    const call = { message: '@say awake', delay_seconds: 86_400 }
    const input = `@call schedule_wakeup ${JSON.stringify(call)}\n@then\n@say later`
    const run = await runToEnd(stage.server, { input })
    const page = await openSchedules(stage)
    await page.getByRole('link', { name: 'Wake-ups' }).click()
    await page.getByRole('list', { name: 'Wake-ups' }).getByRole('button').first().click()
    const detail = page.getByRole('article')
    await detail.getByRole('link', { name: run.session_id }).waitFor()
    await detail.getByRole('link', { name: run.id }).waitFor()
    check(stage, (await detail.getByRole('button', { name: 'Edit' }).count()) === 0, 'an edit')
    await judge(stage, page, 'wake-up')
    await page.setViewportSize(WIDE)
    await detail.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the schedule' }).click()
    await page.getByText('There is no wake-up.').waitFor()
    await judge(stage, page, 'no wake-ups')
    await page.goto(`${stage.server.url}/console/schedules?sel=nowhere`)
    await page.getByText('The schedule nowhere does not exist').waitFor()
  },

  async 'schedules: each outcome of a slot has its square, its words, and its reason'(stage) {
    const json = { name: 'past', cron: '0 7 * * *', input: '@say x' }
    const { id } = await write<Schedule>(stage, '/v1/schedules', 'POST', json)
    const page = await openSchedules(stage)
    let isDown = true
    await page.route(`**/v1/schedules/${id}/runs*`, (route) =>
      isDown
        ? route.fulfill({ status: 500, json: { code: 'internal', detail: 'The list is lost.' } })
        : route.fulfill({ json: { data: PAST, next_cursor: null, has_more: false } }),
    )
    await page.getByRole('list', { name: 'Schedules' }).getByText('past').click()
    const detail = page.getByRole('article', { name: 'past' })
    await detail.getByText('The list is lost.').waitFor()
    isDown = false
    await detail.getByRole('button', { name: 'Retry' }).click()
    const strip = detail.getByRole('list', { name: 'Past slots, newest last' })
    await strip.getByRole('img', { name: /3 missed slots/ }).waitFor()
    await strip.getByRole('img', { name: /Skipped/ }).waitFor()
    await strip.getByRole('link', { name: /Failed/ }).waitFor()
    const reasons = detail.getByRole('list', { name: 'Slots without a completed run' })
    const rows = await reasons.getByRole('listitem').allInnerTexts()
    check(stage, rows.length === 3, `${rows.length} rows: ${rows}`)
    check(stage, /The server was down/.test(rows[0] ?? ''), `${rows[0]}`)
    await judge(stage, page, 'past slots')
    await stage.server.ask(`/v1/schedules/${id}`, { method: 'DELETE' })
  },

  async 'schedules: an edit keeps what another person changed meanwhile'(stage) {
    const json = { name: 'shared', cron: '0 7 * * *', input: '@say x', label: 'old' }
    const { id } = await write<Schedule>(stage, '/v1/schedules', 'POST', json)
    const page = await openSchedules(stage, `?sel=${id}`)
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit the schedule' })
    await form.getByLabel('Description').fill('Of the page')
    await write(stage, `/v1/schedules/${id}`, 'PATCH', { label: 'of another' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('The schedule was changed meanwhile.').waitFor()
    await form.getByText('Further settings').click()
    check(stage, (await form.getByLabel('Label').inputValue()) === 'of another', 'an old label')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('article').getByText('Of the page').waitFor()
    const stored = await stage.server.get<Schedule>(`/v1/schedules/${id}`)
    check(stage, stored.run.label === 'of another', `the label is ${stored.run.label}`)
    check(stage, stored.description === 'Of the page', `${stored.description}`)
    await stage.server.ask(`/v1/schedules/${id}`, { method: 'DELETE' })
  },

  async 'schedules: one of a file names its file and offers no form; keys see what their scopes allow'(
    stage,
  ) {
    const path = 'base/.agents/schedules/nightly.md'
    const body = '---\ncron: "0 2 * * *"\n---\n@say night\n'
    const stored = await stage.server.ask(`/v1/files/${path}`, { method: 'PUT', body })
    check(stage, stored.ok, `the file was answered with ${stored.status}`)
    await until('the schedule of the file is enabled', async () => {
      const path = '/v1/schedules/nightly/source'
      return (await stage.server.ask(path, { method: 'PUT', json: {} })).ok
    })
    const page = await openSchedules(stage, '?sel=nightly')
    const detail = page.getByRole('article', { name: 'nightly' })
    const link = detail.getByRole('link', { name: path })
    const href = await link.getAttribute('href')
    check(stage, href === `/console/layers?file=${encodeURIComponent(path)}`, `${href}`)
    check(stage, (await detail.getByRole('button', { name: 'Edit' }).count()) === 0, 'an edit')
    await detail.getByRole('button', { name: 'Pause' }).waitFor()
    await judge(stage, page, 'schedule of a file')
    for (const scopes of [['sessions:read', 'schedules:read'], ['sessions:read']]) {
      const json = { name: 'reader', scopes }
      const { key } = await write<{ key: string }>(stage, '/v1/keys', 'POST', json)
      const reader = await openBlank(stage.browser, stage)
      await reader.goto(`${stage.server.url}/console`)
      await reader.getByLabel('API key').fill(key)
      await reader.keyboard.press('Enter')
      await reader.locator('#main').waitFor()
      await reader.goto(`${stage.server.url}/console/schedules?sel=nightly`)
      const missing = scopes.includes('schedules:read') ? 'schedules:write' : 'schedules:read'
      await reader.getByText(`does not have the scope ${missing}`).waitFor()
      await judge(stage, reader, `schedules with ${scopes}`)
      await reader.setViewportSize(WIDE)
      const buttons = await reader.getByRole('button', { name: /Pause|Delete|New/ }).count()
      check(stage, buttons === 0, `${buttons} buttons with ${scopes}`)
    }
    await stage.server.ask('/v1/schedules/nightly', { method: 'DELETE' })
    await stage.server.ask(`/v1/files/${path}`, { method: 'DELETE' })
  },
}
