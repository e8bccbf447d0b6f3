/** Every check of the console, by the sentence that it shows. */

import type { Browser } from 'playwright-core'
import { BAD } from './bad.ts'
import { openPage, type Watched } from './browser.ts'
import { CHATS } from './chat.ts'
import { COMMANDS } from './commands.ts'
import { DECISIONS } from './decide.ts'
import { DOORS } from './doors.ts'
import { FEEL } from './feel.ts'
import { FINDINGS } from './find.ts'
import { askFor, type Host, spawn, until } from './host.ts'
import { injection } from './injection.ts'
import { KEEPING } from './keep.ts'
import { KEYBOARD } from './keyboard.ts'
import { LOOKS } from './looks.ts'
import { PAGE_TASKS } from './pages.ts'
import { RELOADS } from './reloads.ts'
import { REQUESTS } from './requests.ts'
import { DRAFTS, SETTINGS } from './settings.ts'
import { TOGETHER } from './together.ts'

export interface Given {
  readonly host: Host
  readonly browser: Browser
  readonly onWorkers: boolean
  /** The scripted model, for a server of one's own. */
  readonly env: Readonly<Record<string, string>>
}
export type Check = (given: Given) => Promise<void>

export function holds(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Error(sentence)
}

/** A page behind the sign-in, by the key. */
export async function signedIn(
  { host, browser }: Given,
  options: Parameters<typeof openPage>[2] = {},
  path = '/console',
): Promise<Watched> {
  const watched = await openPage(browser, host.url, options)
  const { page } = watched
  await page.goto(`${host.url}${path}`)
  await page.getByLabel('API key').fill(host.key)
  await page.keyboard.press('Enter')
  await page.locator('#main').waitFor()
  return watched
}

export function unharmed({ faults }: Watched): void {
  holds(faults.length === 0, faults.join('; '))
}

const SIGN_INS: Record<string, Check> = {
  'a link signs in once, and stands in no address afterwards': async ({ host, browser }) => {
    const { token } = await host.api.browserSessions.createLink()
    const fragment = `#link=${token}`
    const first = await openPage(browser, host.url)
    await first.page.goto(`${host.url}/console${fragment}`)
    await first.page.locator('#main').waitFor()
    holds(!first.page.url().includes('link='), 'the link stands in the address')
    const second = await openPage(browser, host.url)
    await second.page.goto(`${host.url}/console${fragment}`)
    await second.page.getByLabel('API key').waitFor()
    unharmed(first)
    unharmed(second)
  },
  'a wrong key is a sentence with the request, and the right one signs in': async (given) => {
    const watched = await openPage(given.browser, given.host.url)
    const { page } = watched
    await page.goto(`${given.host.url}/console`)
    await page.getByLabel('API key').fill('strata_wrong')
    await page.keyboard.press('Enter')
    await page.getByText(/Request req_/).waitFor()
    await page.getByLabel('API key').fill(given.host.key)
    await page.keyboard.press('Enter')
    await page.locator('#main').waitFor()
    await page.reload()
    await page.locator('#main').waitFor()
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    holds(!`${kept} ${page.url()}`.includes('strata_'), 'the key is kept')
    unharmed(watched)
  },
  'a session that was revoked asks for the key, and nothing that was typed is lost': async (
    given,
  ) => {
    const watched = await signedIn(given, {}, '/console/schedules')
    const { page } = watched
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Input').fill('typed before')
    const { id } = (await page.evaluate(async () => {
      const headers = { 'x-strata-console': '1' }
      return (await fetch('/v1/browser-sessions/current', { headers })).json()
    })) as { readonly id: string }
    await given.host.api.browserSessions.revoke(id)
    await page.getByLabel('API key').waitFor({ timeout: 60_000 })
    await page.getByLabel('API key').fill(given.host.key)
    await page.keyboard.press('Enter')
    await page.getByLabel('API key').waitFor({ state: 'detached' })
    holds((await page.getByLabel('Input').inputValue()) === 'typed before', 'the text is lost')
    unharmed(watched)
  },
}

const WORK: Record<string, Check> = {
  'a tree of runs: list, timeline and events; a reload shows the same': async (given) => {
    const input = [spawn('one', '@say 1'), spawn('two', '@say 2'), '@await', '@say both'].join('\n')
    const run = await given.host.api.runs.createAndWait({ input, label: 'console tree' })
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await page.getByRole('link', { name: /console tree/ }).click()
    await page.getByText('both', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByRole('link', { name: 'two' }).waitFor()
    const seen = await timeline.getByRole('listitem').count()
    await page.reload()
    await timeline.getByRole('link', { name: 'two' }).waitFor()
    holds((await timeline.getByRole('listitem').count()) === seen && seen === 3, `${seen} lines`)
    await page.getByRole('tab', { name: 'Events' }).click()
    await page.getByText('run.completed').first().waitFor()
    holds(page.url().includes(run.id), 'the run stands in the address')
    unharmed(watched)
  },
  'an approval two levels down is decided by keyboard': async (given) => {
    await askFor(given.host, 'file_list')
    const inner = spawn('inner', '@call file_list {"path": "."}', '@say listed')
    const input = [spawn('outer', inner, '@await', '@say passed on'), '@await', '@say end'].join(
      '\n',
    )
    const { id } = await given.host.api.runs.create({ input })
    const watched = await signedIn(given, {}, '/console/approvals')
    const { page } = watched
    await page.getByText('file_list', { exact: true }).first().waitFor()
    await page
      .getByText(/outer › inner/)
      .first()
      .waitFor()
    await page.keyboard.press('a')
    await until(
      'the run ends',
      async () => (await given.host.api.runs.get(id)).status === 'completed',
    )
    await page.getByText('Nothing waits for you').waitFor()
    unharmed(watched)
  },
  'an address that leads nowhere says so, and leads on': async (given) => {
    const watched = await signedIn(given)
    const { page } = watched
    await page.goto(`${given.host.url}/console/nowhere/at/all`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    holds((await page.title()).startsWith('No such page'), await page.title())
    await page.locator('#main').getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    unharmed(watched)
  },
  'the palette and keys lead everywhere': async (given) => {
    const watched = await signedIn(given)
    const { page } = watched
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('usage')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('中文')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '审批' }).waitFor()
    unharmed(watched)
  },
}

export const CHECKS: Readonly<Record<string, Check>> = {
  ...SIGN_INS,
  ...WORK,
  ...DECISIONS,
  ...PAGE_TASKS,
  ...KEYBOARD,
  ...COMMANDS,
  ...TOGETHER,
  ...RELOADS,
  ...KEEPING,
  ...DOORS,
  ...SETTINGS,
  ...DRAFTS,
  ...CHATS,
  ...BAD,
  ...FINDINGS,
  'foreign text is text on every page': injection,
  ...LOOKS,
  ...FEEL,
  // The last: of all that were asked before.
  ...REQUESTS,
}
