/** The page of the audit log: filters, sentences with links, and files before and after. */

import { runToEnd } from '../support/launch.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }
const AGENT = '---\nname: audited\ndescription: Is changed.\n---\n'

interface Key {
  readonly id: string
}

export const AUDIT: Scenarios = {
  async 'audit: a filter finds a change, which shows its files before and after and links the agent'(
    stage,
  ) {
    const { server } = stage
    for (const rule of ['brief', 'thorough']) {
      const json = { agent_md: `${AGENT}Answer in ${rule} sentences.\n` }
      await server.get('/v1/agents/audited?layer=base/', { method: 'PUT', json })
    }
    const page = await openConsole(stage)
    await page.goto(`${server.url}/console/audit`)
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('agent')
    await page.waitForURL((url) => url.searchParams.get('kind') === 'agent')
    await page.getByRole('searchbox', { name: 'Name, ID, or path' }).fill('audited')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('name') === 'audited')
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    await rows.nth(1).getByText('saved the agent').waitFor()
    check(stage, (await rows.count()) === 2, `${await rows.count()} changes match`)
    await judge(stage, page, 'audit log')
    await page.setViewportSize(WIDE)
    await page.keyboard.press('j')
    await page.waitForURL(/sel=ver_/)
    const entry = page.getByRole('article', { name: 'Audit entry' })
    const changes = entry.getByRole('region', { name: 'Before and after' })
    await changes.locator('del', { hasText: 'brief' }).waitFor()
    await changes.locator('ins', { hasText: 'thorough' }).waitFor()
    await judge(stage, page, 'audit entry')
    await page.setViewportSize(WIDE)
    await page.keyboard.press('j')
    await changes.getByText('Answer in brief sentences.').waitFor()
    await entry.getByRole('link', { name: 'audited' }).click()
    await page.getByRole('heading', { level: 1, name: 'Effective configuration' }).waitFor()
    await page.getByRole('heading', { name: 'audited' }).waitFor()
    await page.goto(`${server.url}/console/audit?kind=agent&name=absent`)
    // A filter reads 2,000 entries at a time, and earlier scenarios have written more.
    await page.getByText(/No entry matches the filters|None of the entries/).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await rows.first().waitFor()
    await server.ask('/v1/agents/audited?layer=base/', { method: 'DELETE' })
  },

  async 'audit: further pages follow, an entry links its conversation, a wrong filter is refused'(
    stage,
  ) {
    const { server } = stage
    const { session_id: id } = await runToEnd(server, { input: '@say audited' })
    for (let n = 1; n <= 51; n += 1) {
      const json = { title: `Title ${n}` }
      await server.get(`/v1/sessions/${id}`, { method: 'PATCH', json })
    }
    const page = await openConsole(stage)
    await page.goto(`${server.url}/console/audit?name=${id}&action=update`)
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    await rows.nth(49).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(50).waitFor()
    await rows.nth(50).getByRole('button').click()
    const entry = page.getByRole('article', { name: 'Audit entry' })
    await entry.getByRole('heading').getByRole('link').last().click()
    await page.waitForURL(new RegExp(`/chat/${id}`))
    const response = await server.ask('/v1/policy')
    const headers = { 'if-match': response.headers.get('etag') ?? '' }
    await server.get('/v1/policy', { method: 'PUT', headers, json: await response.json() })
    const key = { name: 'Author of changes', scopes: ['runs:read'] }
    const { id: by } = await server.get<Key>('/v1/keys', { method: 'POST', json: key })
    await page.goto(`${server.url}/console/audit?kind=policy&action=put`)
    const action = page.getByRole('combobox', { name: 'Action' })
    check(stage, (await action.innerText()).includes('failed to refresh'), 'an action has no word')
    await rows.first().getByRole('button').click()
    await entry.getByRole('heading').getByRole('link').first().click()
    await page.waitForURL((url) => url.pathname.endsWith('/keys'))
    await page.goBack()
    await entry.getByRole('heading').getByRole('link', { name: 'policy' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.goto(`${server.url}/console/audit`)
    const author = page.getByRole('searchbox', { name: 'Author' })
    await rows.getByText(key.name).first().waitFor()
    await author.fill('author of changes')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('by') === by)
    check(stage, (await author.inputValue()) === key.name, 'the filter shows no name')
    await page.goto(`${server.url}/console/audit?kind=planet`)
    await page.getByRole('alert').getByText('invalid_query').waitFor()
  },

  async 'audit: an entry shows its origin, changed members, and position, and has a link of its own'(
    stage,
  ) {
    const { server } = stage
    const made = await server.get<Key>('/v1/keys', {
      ...{ method: 'POST', json: { name: 'Before', scopes: ['runs:read'] } },
    })
    const json = { name: 'After' }
    await server.get(`/v1/keys/${made.id}`, { method: 'PATCH', json })
    const { data } = await server.get<{ data: { version: string }[] }>(
      `/v1/audit?kind=key&name=${made.id}&action=update`,
    )
    const version = data[0]?.version ?? ''
    const page = await openConsole(stage)
    // The filter excludes the entry, which its link still shows.
    await page.goto(`${server.url}/console/audit?kind=policy&sel=${version}`)
    const entry = page.getByRole('article', { name: 'Audit entry' })
    await entry.getByText('127.0.0.1').waitFor()
    await entry.getByText(/Entry \d+/).waitFor()
    const row = entry.getByRole('row', { name: 'name Before After' })
    await row.waitFor()
    check(stage, (await entry.getByText(/^[0-9a-f]{64}$/).count()) === 3, 'a digest is missing')
    await judge(stage, page, 'audit entry with members')
    await page.setViewportSize(WIDE)
    await entry.getByRole('link', { name: version }).click()
    await page.waitForURL((url) => url.search === `?sel=${version}`)
    await row.waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export (JSON Lines)' }).click()
    check(stage, (await download).suggestedFilename() === 'audit.jsonl', 'the export has no name')
    await page.goto(`${server.url}/console/audit?sel=ver_${'0'.repeat(26)}`)
    await page.getByText('does not exist, or retention has deleted it').waitFor()
    await server.ask(`/v1/keys/${made.id}`, { method: 'DELETE' })
  },
}
