/**
 * The palette: every action that begins anywhere, and what is found by a name; and a whole story
 * that no pointer takes part in.
 */

import type { Page } from 'playwright-core'
import { openPage } from './browser.ts'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { askFor, spawn, until } from './host.ts'
import { card, focused, hasFocus } from './keyboard.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function command(page: Page, text: string, option: RegExp = new RegExp(text)): Promise<void> {
  await page.keyboard.press('Control+k')
  await hasFocus(page, /input Go to/)
  await page.keyboard.insertText(text)
  const found = page.getByRole('listbox').getByRole('option')
  await found.filter({ hasText: option }).first().waitFor()
  // Down to it: others may match too.
  for (let step = 0; step < 40; step += 1) {
    const chosen = await page
      .getByRole('listbox')
      .getByRole('option', { selected: true })
      .innerText()
    if (option.test(chosen)) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the commands have no ${option} for ${text}`)
}

/** All that begins anywhere, by its words, and how one sees that it has begun. */
const ACTIONS: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['New conversation', (page) => heading(page, 'What shall be done?').waitFor()],
  ...(
    [
      ['New schedule', 'Name'],
      ['New endpoint', 'URL'],
      ['New hook', 'Template'],
      ['New key', 'Name'],
      ['Write a secret', 'Name'],
      ['New file', 'Path'],
    ] as const
  ).map(
    ([name, field]) =>
      [
        name,
        async (page: Page) => {
          const dialog = page.getByRole('dialog', { name, exact: true })
          await dialog.getByLabel(field, { exact: true }).waitFor()
          await page.keyboard.press('Escape')
          await dialog.waitFor({ state: 'detached' })
        },
      ] as const,
  ),
  ...['Runs', 'Approvals', 'Layers', 'Webhooks', 'Schedules', 'Memory', 'Usage', 'Settings'].map(
    (name) => [name, (page: Page) => heading(page, name).waitFor()] as const,
  ),
  ['Effective configuration', (page) => page.getByRole('button', { name: 'Show' }).waitFor()],
  ['Import', (page) => page.getByText('Drop a folder here').waitFor()],
  ['Migration', (page) => page.getByRole('button', { name: 'Show the plan' }).waitFor()],
  ['Deliveries', (page) => page.waitForURL(/webhooks\/deliveries/)],
  ['Policy', (page) => page.waitForURL(/settings\/policy/)],
  ['Audit', (page) => page.waitForURL(/settings\/audit/)],
  ['Limits', (page) => page.waitForURL(/settings\/limits/)],
  [
    'Theme: Dark',
    (page) => page.waitForFunction(() => document.documentElement.dataset.theme === 'dark'),
  ],
  [
    'Theme: Light',
    (page) => page.waitForFunction(() => document.documentElement.dataset.theme === 'light'),
  ],
  ['Language: 中文', (page) => page.getByRole('link', { name: '审批' }).waitFor()],
]

async function palette(given: Given): Promise<void> {
  const watched = await signedIn(given)
  const { page } = watched
  for (const [name, begun] of ACTIONS) {
    await command(page, name, new RegExp(`^${name}`))
    await begun(page).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
    })
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.insertText('English')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Approvals' }).waitFor()
  await command(page, 'Sign out')
  await page.getByLabel('API key').waitFor()
  unharmed(watched)
}

async function jumps(given: Given): Promise<void> {
  const { api } = given.host
  const run = await api.runs.createAndWait({ input: '@say over', label: 'Zeppelin over the sea' })
  const tasks = [{ task: '@say one', label: 'one' }]
  const fanout = await api.fanouts.create({ label: 'Zephyr of many', tasks } as never)
  await api.sessions.update(run.session_id, { title: 'Zenith of talks' })
  const watched = await signedIn(given, {}, '/console/usage')
  const { page } = watched
  await command(page, 'zeppelin ov', /Run Zeppelin over the sea/)
  await page.waitForURL((url) => url.pathname.endsWith(run.id))
  await page.waitForFunction(() => document.title.endsWith('Zeppelin over the sea · Run · Strata'))
  await command(page, 'timeline', /Run: Timeline/)
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  await command(page, 'zenith', /Conversation Zenith of talks/)
  await page.waitForURL((url) => url.pathname.endsWith(run.session_id))
  await page.waitForFunction(() => document.title.endsWith('Zenith of talks · Strata'))
  await command(page, 'zephyr', /Fan-out Zephyr of many/)
  await page.waitForURL((url) => url.pathname.endsWith(fanout.id))
  await command(page, run.id.slice(0, -3), /Run Zeppelin over the sea/)
  await page.waitForURL((url) => url.pathname.endsWith(run.id))
  await command(page, fanout.id, new RegExp(fanout.id))
  await page.waitForURL((url) => url.pathname.endsWith(fanout.id))
  unharmed(watched)
}

/** Titles of pages, as a tab shows them. */
const TITLES: readonly (readonly [string, string])[] = [
  ['', 'Chat · Strata'],
  ['runs', 'Runs · Strata'],
  ['fanouts', 'Fan-outs · Strata'],
  ['approvals', 'Approvals · Strata'],
  ['layers', 'Layers · Strata'],
  ['webhooks', 'Webhooks · Strata'],
  ['schedules', 'Schedules · Strata'],
  ['memory', 'Memory · Strata'],
  ['usage', 'Usage · Strata'],
  ['settings', 'Settings · Strata'],
  ['decide', 'A decision is asked of you · Strata'],
]

async function titles(given: Given): Promise<void> {
  const stranger = await openPage(given.browser, given.host.url)
  await stranger.page.goto(`${given.host.url}/console`)
  await stranger.page.waitForFunction(() => document.title === 'Sign in · Strata')
  const watched = await signedIn(given)
  const { page } = watched
  for (const [path, title] of TITLES) {
    await page.goto(`${given.host.url}/console/${path}`)
    await page
      .waitForFunction((wanted) => document.title.replace(/^\(\d+\+?\) /, '') === wanted, title)
      .catch(async () => {
        throw new Error(`/${path}: ${await page.title()}`)
      })
  }
  unharmed(watched)
}

/** Tab, until it stands on what is wanted. */
async function tabTo(page: Page, wanted: RegExp, presses = 80): Promise<void> {
  const seen: string[] = []
  for (let press = 0; press < presses; press += 1) {
    const now = await focused(page)
    if (wanted.test(now)) return
    seen.push(now)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${wanted}: ${seen.join(', ')}`)
}

const FILE = 'base/.agents/agents/by-keys.md'

async function story(given: Given): Promise<void> {
  const { host, browser } = given
  await askFor(host, 'file_list')
  await host.api.files.put(FILE, '---\nname: by-keys\ndescription: Typed.\n---\nYou type.\n')
  const watched = await openPage(browser, host.url)
  const { page } = watched
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => Object.assign(globalThis, { __pointed: true }), true)
  })
  await page.goto(`${host.url}/console`)
  await hasFocus(page, /input API key/)
  await page.keyboard.insertText(host.key)
  await page.keyboard.press('Enter')
  await page.locator('#main').waitFor()
  await tabTo(page, /textarea Message/)
  const inner = spawn('inner', '@call file_list {"path": "."}', '@say listed')
  const input = [spawn('outer', inner, '@await', '@say passed on'), '@await', '@say told by keys']
  await page.keyboard.insertText(input.join('\n'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/chat\/ses_/)
  const [, session = ''] = /\/chat\/(ses_\w+)/.exec(page.url()) ?? []
  await page.waitForFunction(() => document.title.startsWith('(1) '), undefined, {
    timeout: 60_000,
  })
  await command(page, 'Next approval', /^Next approval \(1\)/)
  // The conversation has a card of it too.
  await page.waitForURL(/\/approvals\/apr_/)
  await card(page)
    .getByText(/outer › inner/)
    .waitFor()
  // The palette lies over the page until it is gone, and keys count from the picture after that.
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)))
  await page.keyboard.press('a')
  const [run] = (await host.api.sessions.runs(session, {})).data
  await until('the run ends', async () => (await host.api.runs.get(run!.id)).status === 'completed')
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await heading(page, 'Runs').waitFor()
  await page.locator(`a[href$="${run!.id}"]`).first().waitFor()
  await command(page, run!.id)
  await page.getByText('told by keys', { exact: true }).first().waitFor()
  await tabTo(page, /\bOverview$/)
  await page.keyboard.press('ArrowRight')
  await page
    .getByRole('region', { name: 'Timeline' })
    .getByRole('link', { name: 'inner' })
    .waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await heading(page, 'Layers').waitFor()
  await page.getByRole('tree').waitFor()
  await tabTo(page, /input Find a file/)
  await page.keyboard.insertText('by-keys')
  await page.getByRole('treeitem', { name: 'by-keys.md' }).waitFor()
  await tabTo(page, /div Files/)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.locator('.cm-content').first().waitFor()
  await tabTo(page, new RegExp(`div ${FILE}`))
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Nobody pointed.')
  await page.keyboard.press('Control+s')
  await until('the file is saved', async () => {
    const found = await host.api.files.get(FILE)
    return new TextDecoder().decode(found?.bytes).includes('Nobody pointed.')
  })
  await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
  // Tab leaves the editor.
  await page.keyboard.press('Tab')
  holds(!(await focused(page)).includes(FILE), 'the editor keeps the focus')
  const pointed = await page.evaluate(() => '__pointed' in globalThis)
  holds(!pointed, 'a pointer was used')
  unharmed(watched)
}

export const COMMANDS: Record<string, Check> = {
  'the palette begins every action, from any page': palette,
  'the palette finds runs, conversations and fan-outs by the beginning of a name or an id': jumps,
  'each page has its title': titles,
  'keyboard only: signed in, chatted, approved two levels down, timeline read, file saved': story,
}
