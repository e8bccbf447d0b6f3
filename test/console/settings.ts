/** Keys, sign-ins, quotas and memory; and what is typed anywhere stays when one leaves. */

import type { Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { type Check, holds, signedIn, unharmed } from './checks.ts'
import { until } from './host.ts'

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).last().click()

/** Elsewhere in the console and back, as the reader goes: by links, and by a reload. */
async function awayAndBack(page: Page, link: string): Promise<void> {
  const here = page.url()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: link, exact: true }).first().click()
  await page.getByRole('heading', { name: link, exact: true }).waitFor()
  await page.goBack()
  await page.waitForURL(here)
}

export const SETTINGS: Record<string, Check> = {
  'a key is rotated with an overlap: both are good, then the old one ends': async (given) => {
    const { host } = given
    const old = await host.api.keys.create({ name: 'to rotate', scopes: ['runs:read'] })
    const watched = await signedIn(given, {}, '/console/settings/keys')
    const { page } = watched
    await page
      .getByRole('row', { name: /to rotate/ })
      .getByRole('button', { name: 'Rotate' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Overlap').selectOption('One hour')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const shown = dialog.getByText(/^strata_/).first()
    await shown.waitFor()
    const next = (await shown.innerText()).trim()
    const good = async (apiKey: string) => {
      await createClient({ url: host.url, apiKey }).runs.list({ limit: 1 })
    }
    await good(next)
    await good(old.key ?? '')
    const { data } = await host.api.keys.list({ limit: 100 })
    const ends = Date.parse(data.find(({ id }) => id === old.id)?.expires_at ?? '') - Date.now()
    holds(ends > 3_000_000 && ends <= 3_600_000, `the old key ends in ${ends} ms`)
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
    holds(!kept.includes(next), 'the key is kept in the browser')
    unharmed(watched)
  },
  'browsers that are signed in are listed, and another one is signed out': async (given) => {
    const one = await signedIn(given, {}, '/console/settings/browser')
    const other = await signedIn(given, {}, '/console/runs')
    const { page } = one
    const id = await other.page.evaluate(async () => {
      const headers = { 'x-strata-console': '1' }
      const answer = await fetch('/v1/browser-sessions/current', { headers })
      return ((await answer.json()) as { id: string }).id
    })
    await page.reload()
    const row = page.getByRole('row', { name: new RegExp(id) })
    await row.getByRole('button', { name: 'Sign it out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign it out' }).click()
    await row.waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByLabel('API key').waitFor({ timeout: 60_000 })
    await page.getByRole('region', { name: 'Signed-in browsers' }).first().waitFor()
    unharmed(one)
    unharmed(other)
  },
  'quotas of the tenant are shown with what is used of them': async (given) => {
    const { api } = given.host
    const watched = await signedIn(given, {}, '/console/settings/quotas')
    const { page } = watched
    await page.getByRole('heading', { name: 'No quotas' }).waitFor()
    unharmed(watched)
    const limits = { schedules: 50, dollars_per_day: 20 }
    const made = await api.tenants.create({ id: 'of-quotas', limits } as never)
    const key = (made as unknown as { readonly key: { readonly text: string } }).key.text
    const theirs = createClient({ url: given.host.url, apiKey: key })
    await theirs.schedules.create({ name: 'counted', every: '6h', input: '@say x' })
    const host = { ...given.host, key }
    const limited = await signedIn({ ...given, host }, {}, '/console/settings/quotas')
    const row = limited.page.getByRole('row', { name: /^Schedules/ })
    await row.getByText('50', { exact: true }).waitFor()
    holds(/Schedules\s+1\b/.test(await row.innerText()), await row.innerText())
    await limited.page
      .getByRole('row', { name: /US dollars a day/ })
      .getByText('$20.00')
      .waitFor()
    unharmed(limited)
  },
  'memory: a new file, and none in the place of one that is there': async (given) => {
    const { api } = given.host
    await api.memory.put('shared/there.md', { content: '- before\n' })
    const watched = await signedIn(given, {}, '/console/memory')
    const { page } = watched
    const dialog = page.getByRole('dialog')
    await press(page, 'New file')
    await dialog.getByLabel('Path').fill('shared/there.md')
    await dialog.getByLabel('Text').fill('- made here\n')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Path').fill('shared/made.md')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('made here').waitFor()
    holds((await api.memory.get('shared/there.md')).text === '- before', 'it was replaced')
    holds((await api.memory.get('shared/made.md')).text === '- made here', 'it is not there')
    unharmed(watched)
  },
}

/** A form in a dialog, by its page, its button and its fields. */
const FORMS = [
  ['schedules', 'New schedule', { Name: 'later', Input: 'Typed in a schedule.' }],
  ['webhooks', 'New endpoint', { URL: 'https://later.example/', Events: 'run.*' }],
  ['webhooks/hooks', 'New hook', { Template: 'Typed {{a}}', Agent: 'later' }],
  ['settings/keys', 'New key', { Name: 'later', Scopes: 'runs:read' }],
  ['memory', 'New file', { Path: 'shared/later.md', Text: 'Typed.' }],
] as const

export const DRAFTS: Record<string, Check> = {
  'what is typed into a form stays when one leaves; a secret does not': async (given) => {
    const watched = await signedIn(given)
    const { page } = watched
    const dialog = page.getByRole('dialog')
    const values = async (fields: Readonly<Record<string, string>>) => {
      const found = Object.keys(fields).map((label) =>
        dialog.getByLabel(label, { exact: true }).inputValue(),
      )
      return (await Promise.all(found)).join('|')
    }
    for (const [path, opens, fields] of FORMS) {
      await page.goto(`${given.host.url}/console/${path}`)
      await press(page, opens)
      for (const [label, text] of Object.entries(fields))
        await dialog.getByLabel(label, { exact: true }).fill(text)
      if (opens === 'New hook') await dialog.getByLabel('Secret').fill('a secret of a person')
      await awayAndBack(page, 'Usage')
      await press(page, opens)
      await dialog.getByText('As you left it.').waitFor()
      const typed = Object.values(fields).join('|')
      holds((await values(fields)) === typed, `${opens}: ${await values(fields)}`)
      await page.reload()
      await press(page, opens)
      holds((await values(fields)) === typed, `${opens} after a reload: ${await values(fields)}`)
      await dialog.getByRole('button', { name: 'Begin anew' }).click()
      holds((await values(fields)) !== typed, `${opens}: it did not begin anew`)
      const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
      holds(!kept.includes('a secret of a person'), 'a secret is kept')
      await page.keyboard.press('Escape')
    }
    await page.goto(`${given.host.url}/console/schedules`)
    await press(page, 'New schedule')
    await dialog.getByLabel('Input').fill('of one who signs out')
    await page.goto(`${given.host.url}/console/settings/browser`)
    await press(page, 'Sign out')
    await page.getByLabel('API key').waitFor()
    const left = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    holds(!left.includes('of one who signs out'), 'a draft stays after the sign-out')
    unharmed(watched)
  },
  'memory and the policy keep what was typed when one leaves': async (given) => {
    const { api } = given.host
    await api.memory.put('shared/left.md', { content: 'As it was.\n' })
    const watched = await signedIn(given, {}, '/console/memory')
    const { page } = watched
    await page.getByRole('button', { name: /shared\/left\.md/ }).click()
    await press(page, 'Edit')
    await page.getByLabel('shared/left.md', { exact: true }).fill('Typed in memory.')
    await awayAndBack(page, 'Usage')
    const file = page.getByRole('button', { name: /shared\/left\.md/ }).first()
    await file.getByText('Not saved').waitFor()
    await file.click()
    const text = page.getByLabel('shared/left.md', { exact: true })
    holds((await text.inputValue()) === 'Typed in memory.', 'the text of memory is lost')
    await api.memory.put('shared/left.md', { content: 'Theirs.\n' })
    await press(page, 'Save')
    await page.getByText('Somebody has changed it meanwhile').waitFor()
    await press(page, 'Keep mine, over theirs')
    await press(page, 'Save')
    await until('it is saved', async () =>
      (await api.memory.get('shared/left.md')).text.startsWith('Typed'),
    )
    await page.goto(`${given.host.url}/console/settings/policy`)
    const policy = page.getByLabel('Policy', { exact: true }).last()
    await policy.fill('{"typed": true')
    await awayAndBack(page, 'Usage')
    await page.getByText('As you left it.').waitFor()
    holds((await policy.inputValue()) === '{"typed": true', 'the policy as typed is lost')
    await press(page, 'Begin anew')
    unharmed(watched)
  },
}
