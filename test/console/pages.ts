/** Pages of one task each: usage by what it was for, a hook tried, memory kept, keys, sign-ins. */

import type { Locator } from 'playwright-core'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { askFor, spawn, until } from './host.ts'

/** Ends the session of this browser, as another one does it. */
async function revoked(
  { host }: Given,
  page: Awaited<ReturnType<typeof signedIn>>['page'],
): Promise<void> {
  const { id } = (await page.evaluate(async () => {
    const headers = { 'x-strata-console': '1' }
    return (await fetch('/v1/browser-sessions/current', { headers })).json()
  })) as { readonly id: string }
  await host.api.browserSessions.revoke(id)
}

export const PAGE_TASKS: Record<string, Check> = {
  'usage: by agent and by model, in the figures of the days': async (given) => {
    await given.host.api.runs.createAndWait({
      input: `${spawn('below', '@say 1')}\n@await\n@say 2`,
    })
    const watched = await signedIn(given, {}, '/console/usage')
    const { page } = watched
    const table = page.getByRole('region', { name: 'Usage' })
    await table.getByText('Day (UTC)').waitFor()
    await page.getByLabel('Group by').selectOption('By agent')
    await table.getByText('general', { exact: true }).waitFor()
    await page.getByLabel('Measure').selectOption('Model calls')
    await page.getByLabel('Group by').selectOption('By model')
    await table.getByText('openai/scripted').first().waitFor()
    const { groups, total } = await given.host.api.usage.get({ by: 'model' })
    const calls = groups?.reduce((sum, one) => sum + one.usage.model_calls, 0)
    holds(calls === total.usage.model_calls, `${calls} of ${total.usage.model_calls} calls`)
    unharmed(watched)
  },
  'a hook is tried on a pasted payload: its input, what is missing, what is wrong': async (
    given,
  ) => {
    const template = 'Triage {{issue.title}} by {{issue.author}}'
    const before = (await given.host.api.runs.list({})).data[0]?.id
    const { id } = await given.host.api.hooks.create({
      ...{ scheme: 'github', secret: 'a secret of a test', events: ['issues'], template },
    })
    const watched = await signedIn(given, {}, '/console/webhooks/hooks')
    const { page } = watched
    await page
      .getByRole('region', { name: `/v1/hooks/${id}` })
      .getByText('Try on a payload')
      .click()
    const dialog = page.getByRole('dialog')
    const press = () => dialog.getByRole('button', { name: 'Try on a payload' }).click()
    await dialog.getByLabel('Payload').fill('{"issue":')
    await press()
    await dialog.getByText(/This is no JSON/).waitFor()
    await dialog.getByLabel('Payload').fill('{"issue":{"title":"<b>It hangs</b>"}}')
    await press()
    await dialog.getByText('It would start no run.').waitFor()
    await dialog.getByLabel('X-GitHub-Event').fill('issues')
    await press()
    await dialog.getByText('It would start general.').waitFor()
    await dialog.getByText('The payload has nothing at issue.author.').waitFor()
    await dialog.getByText(/Triage .*<b>It hangs<\/b>/).waitFor()
    await dialog.getByLabel('Template').fill('{{issue title}}')
    await press()
    await dialog
      .getByText(/is not a path like/)
      .first()
      .waitFor()
    holds((await given.host.api.runs.list({})).data[0]?.id === before, 'a run was started')
    await given.host.api.hooks.delete(id)
    unharmed(watched)
  },
  'memory: what one writes is kept, and what others wrote meanwhile is not written over': async (
    given,
  ) => {
    const { memory } = given.host.api
    const path = 'shared/kept.md'
    await memory.put(path, { content: 'First.\n' }, { ifNoneMatch: '*' })
    const watched = await signedIn(given, {}, '/console/memory')
    const { page } = watched
    const write = async (text: string) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('textbox', { name: path }).fill(text)
    }
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByText(path, { exact: true }).first().click()
    await write('Second.\n')
    await save.click()
    await save.waitFor({ state: 'detached' })
    const kept = await memory.get(path)
    holds(kept.text.trim() === 'Second.', `kept: ${kept.text}`)
    await write('Third.\n')
    const { etag } = await memory.get(path)
    await memory.put(path, { content: 'Of others.\n' }, { ifMatch: `"${etag}"` })
    await save.click()
    await page.getByRole('alert').first().waitFor()
    holds((await memory.get(path)).text.trim() === 'Of others.', 'it was written over')
    const typed = await page.getByRole('textbox', { name: path }).inputValue()
    holds(typed === 'Third.\n', 'what was typed is gone')
    await memory.delete(path)
  },
  'memory: an edit that begins before the saved text is read anew is no conflict': async (
    given,
  ) => {
    const { memory } = given.host.api
    const path = 'shared/quick.md'
    await memory.put(path, { content: 'First.' }, { ifNoneMatch: '*' })
    const { page, ...watched } = await signedIn(given, {}, '/console/memory')
    const field = page.getByRole('textbox', { name: path })
    const [edit, save] = ['Edit', 'Save'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    ) as [Locator, Locator]
    await page.getByText(path, { exact: true }).first().click()
    await edit.click()
    // From here on nothing is read: the page knows only what the save has answered.
    const isRead = (url: URL) => url.pathname === `/v1/memory/${path}`
    await page.route(isRead, async (route) => {
      if (route.request().method() === 'GET') return
      const response = await route.fetch()
      // Somebody types while it is on its way.
      if (route.request().postData()?.includes('Second')) await field.fill('Third.')
      await route.fulfill({ response })
    })
    await field.fill('Second.')
    await save.click()
    await until('it is saved', async () => (await memory.get(path)).text === 'Second.')
    await until('what was typed meanwhile is left', async () => !(await save.isDisabled()))
    holds((await field.inputValue()) === 'Third.', 'what was typed meanwhile is gone')
    await save.click()
    await save.waitFor({ state: 'detached' })
    await edit.click()
    holds((await field.inputValue()) === 'Third.', 'it begins with an older text')
    await field.fill('Fourth.')
    await save.click()
    await save.waitFor({ state: 'detached' })
    holds((await memory.get(path)).text === 'Fourth.', 'it is not saved')
    await page.unroute(isRead)
    await page.reload()
    await page.getByText(path, { exact: true }).first().click()
    await page.getByRole('button', { name: 'Versions' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^3/ }).click()
    await dialog.getByText('Third.').waitFor()
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await until('it is rolled back', async () => (await memory.get(path)).text === 'Third.')
    await dialog.getByText('The same as it stands now.').waitFor()
    await memory.delete(path)
    unharmed({ page, ...watched })
  },
  'approvals: a key that leads to a page, or is held, decides nothing more': async (given) => {
    await askFor(given.host, 'file_list')
    const { api } = given.host
    const ask = () => api.runs.create({ input: '@call file_list {"path": "."}\n@say listed' })
    const ids = [(await ask()).id, (await ask()).id]
    const isPending = async (): Promise<number> => {
      const { data } = await api.approvals.list({ status: 'pending' })
      return data.filter(({ run_id }) => ids.includes(run_id)).length
    }
    await until('both ask', async () => (await isPending()) === 2)
    const watched = await signedIn(given, {}, '/console/approvals')
    const { page } = watched
    await page.getByText('file_list', { exact: true }).first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.waitForTimeout(1_500)
    holds((await isPending()) === 2, 'a key that leads to a page has decided')
    // A second `down` without an `up` is a key that is held.
    for (let held = 0; held < 8; held += 1) {
      await page.keyboard.down('a')
      await page.waitForTimeout(150)
    }
    await page.keyboard.up('a')
    await until('one is decided', async () => (await isPending()) === 1)
    for (const id of ids) await api.runs.cancel(id)
    unharmed(watched)
  },
  'the sign-in stays until somebody has signed in, whatever is pressed': async (given) => {
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await revoked(given, page)
    const key = page.getByRole('dialog').getByLabel('API key')
    await key.waitFor({ timeout: 100_000 })
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Escape')
    holds(await key.isVisible(), 'the dialog is gone')
    await key.fill(given.host.key)
    await page.keyboard.press('Enter')
    await key.waitFor({ state: 'detached' })
  },
  'chat: what the end of the session broke off goes on by itself after the sign-in': async (
    given,
  ) => {
    const { api } = given.host
    const run = await api.runs.create({ input: '@slow 90000\n@say it went on' })
    const watched = await signedIn(given, {}, `/console/chat/${run.session_id}`)
    const { page } = watched
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await revoked(given, page)
    const key = page.getByRole('dialog').getByLabel('API key')
    await key.waitFor({ timeout: 100_000 })
    // The server closes the open stream within a minute; then it is refused, behind the dialog.
    // Lists that are refused too offer the same, so there may be several.
    const offered = page.getByText('Try again')
    await offered.first().waitFor({ state: 'attached', timeout: 100_000 })
    await key.fill(given.host.key)
    await page.keyboard.press('Enter')
    await key.waitFor({ state: 'detached' })
    await until('all is asked again', async () => (await offered.count()) === 0)
    await page.getByText('it went on', { exact: true }).first().waitFor({ timeout: 120_000 })
    unharmed(watched)
  },
}
