/** The page of settings: the policy, tables, browser sessions, and keys of single characters. */

import type { Page } from 'playwright-core'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { signInWith } from './keys.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }
const SCOPES = { keys: 'keys:read', usage: 'runs:read', audit: 'audit:read' } as const

interface Policy {
  readonly strict: boolean
  readonly deny: Readonly<Record<string, readonly string[]>>
  readonly prices: Readonly<Record<string, object>>
}

async function openSettings(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/settings${query}`)
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  return page
}

/** Changes the policy like another person. */
async function changePolicy({ server }: Stage, changes: Partial<Policy>): Promise<Policy> {
  const response = await server.ask('/v1/policy')
  const policy = { ...((await response.json()) as Policy), ...changes }
  const headers = { 'if-match': response.headers.get('etag') ?? '' }
  await server.get('/v1/policy', { method: 'PUT', headers, json: policy })
  return policy
}

const KEY_SCOPES = ['sessions:read']

export const SETTINGS: Scenarios = {
  async 'settings: a policy that another person changed loses nothing, and has both changes'(
    stage,
  ) {
    const { server } = stage
    const { strict, deny, prices } = await changePolicy(stage, {})
    const page = await openSettings(stage)
    await page.getByRole('checkbox', { name: 'Reject requests with warnings' }).setChecked(!strict)
    const tools = page.getByRole('group', { name: 'Denied to all runs' }).getByLabel('Tools')
    await tools.fill('not a glob')
    const review = page.getByRole('button', { name: 'Review the changes' })
    const dialog = page.getByRole('dialog', { name: 'Review the changes' })
    await review.click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('invalid_request').waitFor()
    await page.keyboard.press('Escape')
    await tools.fill('mcp__old__*\n\nweb_fetch')
    await judge(stage, page, 'policy')
    await page.setViewportSize(WIDE)
    const price = { 'test/model': { input_per_million: 1, output_per_million: 2 } }
    const theirs = { ...deny, skills: ['denied'] }
    await changePolicy(stage, { prices: { ...prices, ...price }, deny: theirs })
    await review.click()
    await judge(stage, page, 'difference of the policy')
    await page.setViewportSize(WIDE)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const newer = page.getByRole('region', { name: 'The policy has changed since you read it.' })
    await newer.getByText('test/model').first().waitFor()
    await newer.getByText('mcp__old__*').waitFor()
    await judge(stage, page, 'newer policy')
    await page.setViewportSize(WIDE)
    await page.reload()
    await newer.waitFor()
    check(stage, (await tools.inputValue()) === 'mcp__old__*\nweb_fetch', 'the draft is lost')
    await newer.getByRole('button', { name: 'Apply my changes' }).click()
    await newer.waitFor({ state: 'detached' })
    await review.click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await review.waitFor({ state: 'detached' })
    const saved = await server.get<Policy>('/v1/policy')
    check(stage, saved.strict !== strict && 'test/model' in saved.prices, 'a change is lost')
    check(stage, `${saved.deny.tools}` === 'mcp__old__*,web_fetch', `${saved.deny.tools}`)
    check(stage, `${saved.deny.skills}` === 'denied', `${saved.deny.skills}`)
    await tools.fill('mcp__new__*')
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    check(stage, (await tools.inputValue()) === 'mcp__old__*\nweb_fetch', 'the list is the draft')
    const json = page.getByLabel('Further members as JSON')
    await json.fill('{}')
    await review.click()
    await dialog.getByText('test/model').first().waitFor()
    await page.keyboard.press('Escape')
    await json.fill('{"prices":')
    await page.getByText('This text is not valid JSON.').waitFor()
    check(stage, await review.isDisabled(), 'a broken text can be saved')
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await review.waitFor({ state: 'detached' })
    check(stage, (await json.inputValue()).includes('test/model'), 'the text is not the stored one')
    await changePolicy(stage, { strict, deny, prices })
  },

  async 'settings: a limit is found by its words, and each table and check is readable'(stage) {
    const page = await openSettings(stage, '?tab=limits')
    await page.getByRole('row', { name: 'steps_max' }).waitFor()
    await page.locator('#main').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('children backlog')
    await page.waitForURL((url) => url.searchParams.get('q') === 'children backlog')
    const rows = page.getByRole('table', { name: 'Limits' }).getByRole('row')
    await page.getByRole('status').getByText(/^1 of/).waitFor()
    check(stage, (await rows.count()) === 2, `${await rows.count()} rows`)
    await rows.nth(1).getByText('live_children').waitFor()
    await judge(stage, page, 'limits')
    const tabs = page.getByRole('navigation', { name: 'Parts of the settings' })
    const current = await tabs.locator('[aria-current]').allInnerTexts()
    check(stage, `${current}` === 'Limits', `current tabs: ${current}`)
    for (const [tab, text] of [
      ['models', 'openai/scripted'],
      ['tools', 'file_read'],
      ['readiness', 'Responds'],
      ['sessions', 'This session'],
      ['browser', 'Single-key shortcuts'],
    ]) {
      await page.setViewportSize(WIDE)
      await page.goto(`${stage.server.url}/console/settings?tab=${tab}`)
      await page
        .getByText(text ?? '')
        .first()
        .waitFor()
      await judge(stage, page, `settings, ${tab}`)
    }
  },

  async 'settings: another browser is signed out, and this one is marked'(stage) {
    const { server } = stage
    const json = { name: 'Other browser', scopes: KEY_SCOPES }
    const { key } = await server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    const other = await signInWith(stage, key)
    const page = await openSettings(stage, '?tab=sessions')
    const row = page.getByRole('row').filter({ hasText: 'Other browser' })
    const own = page.getByRole('row').filter({ hasText: 'This session' })
    await own.waitFor()
    check(stage, (await own.getByRole('button').count()) === 0, 'this session can be ended')
    await row.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await row.waitFor({ state: 'detached' })
    await other.getByText('Your session has ended.').waitFor()
  },

  async 'settings: single-key shortcuts can be turned off and on'(stage) {
    const page = await openSettings(stage, '?tab=browser')
    const box = page.getByRole('checkbox', { name: 'Single-key shortcuts' })
    const press = async (): Promise<void> => {
      await page.locator('#main').focus()
      for (const key of ['g', 'u']) await page.keyboard.press(key)
    }
    await box.uncheck()
    await page.reload()
    check(stage, !(await box.isChecked()), 'the browser does not keep the setting')
    await press()
    await page.keyboard.press('n')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search commands' }).waitFor()
    await page.keyboard.press('Escape')
    check(stage, page.url().includes('/settings'), 'a single character opened another page')
    await box.check()
    await press()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
  },

  async 'settings: without scopes, each of the pages names the missing one'(stage) {
    const { server } = stage
    const json = { name: 'narrow', scopes: KEY_SCOPES }
    const { key } = await server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    const page = await signInWith(stage, key)
    for (const [path, scope] of [
      ...Object.entries(SCOPES),
      ['settings', 'policy:read'],
      ['settings?tab=limits', 'layers:read'],
      ['settings?tab=sessions', 'keys:read'],
    ]) {
      await page.goto(`${server.url}/console/${path}`)
      await page.getByText(`does not have the scope ${scope}.`).waitFor()
    }
    await page.goto(`${server.url}/console/settings?tab=browser`)
    await page.getByLabel('Theme').waitFor()
    for (const name of ['API keys', 'Usage', 'Audit log'])
      check(stage, (await page.getByRole('link', { name }).count()) === 0, `a link to ${name}`)
  },
}
