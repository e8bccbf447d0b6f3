/** The page of tenants: created with a key, paused, suspended, resumed, and deleted by its ID. */

import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

interface Tenant {
  readonly status: string
}

export const TENANTS: Scenarios = {
  async 'tenants: one is created, its key is shown once, and its states follow each other'(stage) {
    const { server } = stage
    const page = await openConsole(stage)
    await page.goto(`${server.url}/console/tenants`)
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    await page.getByRole('button', { name: 'New tenant' }).click()
    const form = page.getByRole('dialog', { name: 'New tenant' })
    const id = form.getByLabel('ID')
    await id.fill('Not valid')
    await page.getByRole('alert').getByText('starting with a letter').waitFor()
    await id.fill('default')
    await form.getByLabel('Name').fill('Umbrella')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByText('conflict').first().waitFor()
    await judge(stage, page, 'form of a tenant')
    await id.fill('umbrella')
    await form.getByRole('button', { name: 'Create' }).click()
    const text = page.getByRole('dialog', { name: 'Text of the key' })
    await text.getByText(/strata_[0-9a-z]{16}_/).waitFor()
    await text.getByRole('button', { name: 'I have stored it' }).click()
    const tenant = page.getByRole('article', { name: 'Umbrella' })
    const act = async (name: string, state: string): Promise<void> => {
      await tenant.getByRole('button', { name }).click()
      await page.getByRole('dialog', { name }).getByRole('button', { name }).click()
      await tenant.getByText(state, { exact: true }).waitFor()
    }
    await act('Pause', 'Paused')
    await judge(stage, page, 'a paused tenant')
    await act('Suspend', 'Suspended')
    const { status } = await server.get<Tenant>('/v1/tenants/umbrella')
    check(stage, status === 'suspended', `the tenant is ${status}`)
    await act('Resume', 'Active')
    await tenant.getByRole('link', { name: 'Export' }).waitFor()
    await tenant.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete' })
    const confirm = dialog.getByRole('button', { name: 'Delete' })
    await dialog.getByLabel('Enter umbrella to confirm').fill('umbrell')
    check(stage, await confirm.isDisabled(), 'a part of the ID confirms the deletion')
    await judge(stage, page, 'deletion of a tenant')
    await dialog.getByLabel('Enter umbrella to confirm').fill('umbrella')
    await confirm.click()
    await tenant
      .getByText(/^Deleting$|^Deleted$/)
      .first()
      .waitFor()
  },

  async 'tenants: a key of another tenant sees why the page is empty'(stage) {
    const { server } = stage
    const json = { id: 'plain-tenant' }
    const made = await server.get<{ key: { text: string } }>('/v1/tenants', {
      ...{ method: 'POST', json },
    })
    const headers = { authorization: `Bearer ${made.key.text}` }
    const link = await server.get<{ url: string }>('/v1/sign-in-links', {
      ...{ method: 'POST', headers },
    })
    const page = await openBlank(stage.browser, stage)
    await page.goto(link.url)
    await page.locator('#main').waitFor()
    await page.goto(`${server.url}/console/tenants`)
    await page.getByText('insufficient_scope').first().waitFor()
    await page.goto(`${server.url}/console/tenants?sel=../x`)
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    await server.ask('/v1/tenants/plain-tenant', { method: 'DELETE' })
  },
}
