/** The page of API keys: created, used, rotated, and revoked while another browser uses the key. */

import type { Page } from 'playwright-core'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }

/** Signs in another browser with a key. */
export async function signInWith(stage: Stage, key: string): Promise<Page> {
  const page = await openBlank(stage.browser, stage)
  await page.goto(`${stage.server.url}/console`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('#main').waitFor()
  return page
}

async function openKeys(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/keys${query}`)
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  return page
}

const statusOf = async ({ server }: Stage, key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${server.url}/v1/runs?limit=1`, { headers })).status
}

/** Reads the text of a new key, and closes the dialog. */
async function takeText(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Text of the key' })
  const text = await dialog.getByText(/^strata_/).innerText()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return text
}

const storageOf = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')

/** Drops the next response to a new key, so that the client repeats the request. */
async function loseResponse(page: Page): Promise<void> {
  let isLost = false
  const isKeys = ({ pathname }: URL): boolean => pathname === '/v1/keys'
  await page.route(isKeys, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue()
    isLost = true
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' }
    await route.fetch({ headers })
    return route.abort()
  })
}

export const KEYS: Scenarios = {
  async 'keys: a key is created, used, rotated, and revoked under use; its text is shown once'(
    stage,
  ) {
    const page = await openConsole(stage)
    await page.keyboard.press('Escape')
    await page.locator('#main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('Desk of tickets')
    await form.getByRole('checkbox', { name: 'runs:*' }).check()
    await form.getByRole('checkbox', { name: 'sessions:read' }).check()
    const layers = form.getByLabel('Layers that it may change')
    await layers.fill('roles/d?sk/')
    await form.getByRole('alert').getByText('roles/support/').waitFor()
    check(stage, await form.getByRole('button', { name: 'Create' }).isDisabled(), 'a wrong prefix')
    await layers.fill('roles/desk')
    await judge(stage, page, 'form of a key')
    await page.setViewportSize(WIDE)
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog', { name: 'Text of the key' }).waitFor()
    await judge(stage, page, 'text of a key')
    await page.setViewportSize(WIDE)
    const first = await takeText(page)
    const detail = page.getByRole('article', { name: 'Desk of tickets' })
    await detail.getByText('Never used').waitFor()
    await detail.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit' })
    const editedLayers = edit.getByLabel('Layers that it may change')
    check(stage, (await editedLayers.inputValue()) === 'roles/desk/', 'the grant is not shown')
    await editedLayers.fill('roles/desk/ roles/inbox/')
    await edit.getByLabel('Addresses').fill('127.0.0.0/8, ::1')
    await edit.getByLabel('Requests per second').fill('500')
    await judge(stage, page, 'change of a key')
    await page.setViewportSize(WIDE)
    await edit.getByRole('button', { name: 'Save' }).click()
    await detail.getByText('127.0.0.0/8, ::1').waitFor()
    await detail.getByText('{"requests_per_second":500}').waitFor()
    const row = (family: string) => detail.getByRole('row', { name: family })
    check(stage, (await row('runs').getByText('Granted', { exact: true }).count()) === 2, 'runs')
    await row('layers').getByText('roles/desk/, roles/inbox/').waitFor()
    check(stage, !page.url().includes(first), 'the URL contains the key')
    check(stage, !(await storageOf(page)).includes(first), 'the storage contains the key')
    const second = await signInWith(stage, first)
    check(stage, (await statusOf(stage, first)) === 200, 'the key is not accepted')
    await page.reload()
    await detail.getByText('(rounded to the hour)').waitFor()
    check(stage, !(await page.content()).includes(first), 'the key is shown twice')
    await judge(stage, page, 'key')
    await page.setViewportSize(WIDE)
    const previous = page.url()
    await detail.getByRole('button', { name: 'Rotate' }).click()
    const rotation = page.getByRole('dialog', { name: 'Rotate' })
    await rotation.getByLabel('The previous key stays valid').selectOption('3600')
    await rotation.getByRole('button', { name: 'Rotate' }).click()
    const rotated = await takeText(page)
    check(stage, rotated !== first && page.url() !== previous, 'the key is the same')
    for (const key of [first, rotated])
      check(stage, (await statusOf(stage, key)) === 200, 'a key is not valid in the overlap')
    await page.goto(previous)
    await detail.getByText('Expires soon').waitFor()
    await detail.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await detail.waitFor({ state: 'detached' })
    await until('the revoked key is accepted', async () => (await statusOf(stage, first)) === 401)
    await second.getByText('Your session has ended.').waitFor()
    check(stage, (await statusOf(stage, rotated)) === 200, 'the new key is not valid')
    await page.goto(previous)
    await page.getByText('This key has been revoked, or it never existed.').waitFor()
  },

  async 'keys: the own key stays, a refused form keeps its values, and a lost text is reported'(
    stage,
  ) {
    const page = await openKeys(stage)
    await page.getByRole('listitem').filter({ hasText: 'This session' }).first().click()
    const detail = page.getByRole('article')
    await detail.getByText('which cannot revoke itself').waitFor()
    const revoke = detail.getByRole('button', { name: 'Revoke' })
    check(stage, await revoke.isDisabled(), 'the key of this session can be revoked')
    await detail.getByRole('button', { name: 'Rotate' }).click()
    await page.getByText('Sign in with the new key first.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('Late key')
    await form.getByRole('checkbox', { name: 'All scopes (*)' }).check()
    check(stage, await form.getByRole('checkbox', { name: 'audit:read' }).isChecked(), 'all')
    await form.getByLabel('Expires', { exact: true }).selectOption('date')
    await form.getByLabel('Expires at').fill('2020-01-01T00:00')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').waitFor()
    check(stage, (await form.getByLabel('Name').inputValue()) === 'Late key', 'the name is lost')
    check(stage, (await page.getByText('Late key').count()) === 0, 'the key was created')
    await form.getByLabel('Expires', { exact: true }).selectOption('7')
    await page.context().setOffline(true)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').getByText('The server is not responding.').waitFor()
    await page.context().setOffline(false)
    await form.getByRole('button', { name: 'Create' }).click()
    await takeText(page)
    const keys = page.getByRole('list', { name: 'API keys' }).getByRole('listitem')
    await keys.filter({ hasText: 'Late key' }).waitFor()
    await loseResponse(page)
    await page.getByRole('button', { name: 'New key' }).click()
    await form.getByRole('checkbox', { name: 'audit:read' }).check()
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByText('the response with its text was lost').waitFor()
  },
}
