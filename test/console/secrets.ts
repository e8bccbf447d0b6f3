/** The page of secrets: created, replaced, and deleted, without a value anywhere in the browser. */

import type { Page } from 'playwright-core'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { signInWith } from './keys.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }
const VALUE = 'canary-value-of-the-desk'

interface Secret {
  readonly version: number
  readonly hosts: readonly string[]
}

const secretOf = ({ server }: Stage, name: string): Promise<Secret> =>
  server.get(`/v1/secrets/${name}`)

const put = ({ server }: Stage, name: string, json: object): Promise<Secret> =>
  server.get(`/v1/secrets/${name}`, { method: 'PUT', json })

async function openSecrets(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/secrets${query}`)
  await page.getByRole('heading', { level: 1, name: 'Secrets' }).waitFor()
  return page
}

const storageOf = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])')

export const SECRETS: Scenarios = {
  async 'secrets: one is created, replaced, and deleted, and its value is nowhere in the browser'(
    stage,
  ) {
    const page = await openConsole(stage)
    await page.keyboard.press('Escape')
    await page.locator('#main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await page.getByText('strata secrets set SHOP_TOKEN').waitFor()
    await judge(stage, page, 'no secret')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'New secret' }).click()
    const form = page.getByRole('dialog', { name: 'New secret' })
    const create = form.getByRole('button', { name: 'Create' })
    await form.getByLabel('Name').fill('desk-token')
    await form.getByRole('alert').getByText('Start with a letter').waitFor()
    await form.getByLabel('Name').fill('DESK_TOKEN')
    await form.getByLabel('Value', { exact: true }).fill(VALUE)
    check(stage, await create.isDisabled(), 'a secret without a host can be created')
    await form.getByLabel('Hosts').fill('https://mcp.desk.example/')
    await create.click()
    await form.getByRole('alert').getByText('invalid_request').waitFor()
    await form.getByLabel('Hosts').fill('mcp.desk.example, *.desk.example')
    await form.getByRole('checkbox', { name: 'Web search' }).check()
    await judge(stage, page, 'form of a secret')
    await page.setViewportSize(WIDE)
    await create.click()
    const detail = page.getByRole('article', { name: 'DESK_TOKEN' })
    await detail.getByText('mcp.desk.example, *.desk.example').waitFor()
    await detail.getByRole('status', { name: 'Warnings' }).getByText('has this name').waitFor()
    await judge(stage, page, 'secret')
    await page.setViewportSize(WIDE)
    const { version } = await secretOf(stage, 'DESK_TOKEN')
    await detail.getByRole('button', { name: 'Replace' }).click()
    const replacement = page.getByRole('dialog', { name: 'Replace DESK_TOKEN' })
    const value = replacement.getByLabel('Value', { exact: true })
    check(stage, (await value.inputValue()) === '', 'the form has a value')
    await replacement.getByRole('checkbox', { name: 'Several lines' }).check()
    await value.fill(`-----BEGIN KEY-----\n${VALUE}\n-----END KEY-----`)
    await replacement.getByRole('button', { name: 'Replace' }).click()
    await replacement.waitFor({ state: 'detached' })
    await detail.getByText(String(version + 1), { exact: true }).waitFor()
    check(stage, !(await page.content()).includes('canary'), 'the page contains the value')
    check(stage, !(await storageOf(page)).includes('canary'), 'the storage contains the value')
    await detail.getByRole('button', { name: 'Delete' }).click()
    const confirm = page.getByRole('dialog', { name: 'Delete' })
    await confirm.getByRole('button', { name: 'Delete' }).click()
    await detail.waitFor({ state: 'detached' })
    check(stage, (await stage.server.ask('/v1/secrets/DESK_TOKEN')).status === 404, 'it remains')
  },

  async 'secrets: what another person created or changed meanwhile is not overwritten'(stage) {
    await put(stage, 'SHARED', { value: 'first-value', any_host: true })
    const page = await openSecrets(stage, '?sel=SHARED')
    const detail = page.getByRole('article', { name: 'SHARED' })
    await detail.getByRole('button', { name: 'Replace' }).click()
    const replacement = page.getByRole('dialog', { name: 'Replace SHARED' })
    const every = replacement.getByRole('checkbox', { name: 'Every host may receive it' })
    check(stage, await every.isChecked(), 'the hosts are not those of the secret')
    const other = await put(stage, 'SHARED', { value: 'other-value', hosts: ['a.example'] })
    await replacement.getByLabel('Value', { exact: true }).fill('late-value')
    await replacement.getByRole('button', { name: 'Replace' }).click()
    await replacement.getByRole('alert').getByText('has changed').waitFor()
    check(stage, (await secretOf(stage, 'SHARED')).version === other.version, 'it was replaced')
    await page.keyboard.press('Escape')
    await replacement.getByText('Press Escape again to discard your input.').waitFor()
    await page.keyboard.press('Escape')
    await replacement.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New secret' }).click()
    const form = page.getByRole('dialog', { name: 'New secret' })
    await form.getByLabel('Name').fill('SHARED')
    await form.getByLabel('Value', { exact: true }).fill('late-value')
    await form.getByLabel('Hosts').fill('b.example')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').getByText('already exists').waitFor()
    check(stage, (await secretOf(stage, 'SHARED')).hosts[0] === 'a.example', 'it was replaced')
    await stage.server.ask('/v1/secrets/SHARED', { method: 'DELETE' })
  },

  async 'secrets: a key without the scope is told which one, and a reader changes nothing'(stage) {
    await put(stage, 'READ_ONLY', { value: 'some-value', hosts: ['a.example'] })
    const keyWith = (scopes: readonly string[]) =>
      stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json: { scopes } })
    const path = `${stage.server.url}/console/secrets?sel=READ_ONLY`
    const without = await signInWith(stage, (await keyWith(['runs:read'])).key)
    await without.goto(path)
    await without.getByText('secrets:read').first().waitFor()
    const reader = await signInWith(stage, (await keyWith(['secrets:read'])).key)
    await reader.goto(path)
    await reader.getByRole('article', { name: 'READ_ONLY' }).getByText('a.example').waitFor()
    for (const name of ['New secret', 'Replace', 'Delete'])
      check(stage, (await reader.getByRole('button', { name }).count()) === 0, name)
    await reader.goto(`${stage.server.url}/console/secrets?sel=NONE`)
    await reader.getByText('This secret has been deleted, or it never existed.').waitFor()
    await stage.server.ask('/v1/secrets/READ_ONLY', { method: 'DELETE' })
  },
}
