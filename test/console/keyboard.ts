/** Work without a mouse: what has the focus, which keys do what, and what they must not do. */

import type { Page } from 'playwright-core'
import { onItsOwn } from './bad.ts'
import { openPage, type Watched } from './browser.ts'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { linkTo } from './decide.ts'
import { askFor, type Host, spawn, until } from './host.ts'

const TOOL = 'file_list'
const MANY = 130
const RUNS = 5

/** What a person would say has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let { activeElement: one } = document
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
    if (!one || one === document.body) return 'nothing'
    const [label] = (one as HTMLInputElement).labels ?? []
    const name = one.getAttribute('aria-label') ?? label?.textContent ?? one.textContent
    return `${one.tagName.toLowerCase()} ${name?.trim().slice(0, 60)}`
  })

export async function hasFocus(page: Page, wanted: RegExp): Promise<void> {
  let last = ''
  await until(`the focus is on ${wanted}`, async () => {
    last = await focused(page)
    return wanted.test(last)
  }).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error}, and is on ${last}`)
  })
}

/** All that wait, over all pages. */
async function pendingOf({ api }: Host): Promise<number> {
  let count = 0
  for await (const _ of api.approvals.list({ status: 'pending', limit: 100 })) count += 1
  return count
}

/** Runs of which each waits for a person, twice in one step. */
async function asking(host: Host, label: string): Promise<string> {
  await askFor(host, TOOL)
  const calls = [`@call ${TOOL} {"path": "one"}`, `@call ${TOOL} {"path": "two"}`]
  const { id } = await host.api.runs.create({ input: [...calls, '@say {last}'].join('\n'), label })
  const mine = async () =>
    (await host.api.approvals.list({ limit: 100 })).data.filter(({ run_id }) => run_id === id)
  await until('the run asks twice', async () => (await mine()).length === 2)
  return id
}

export const card = (page: Page) => page.getByRole('article')

async function decidedByKeys(given: Given): Promise<void> {
  const { host } = given
  const id = await asking(host, 'keys')
  const watched = await signedIn(given, {}, '/console/approvals')
  const { page } = watched
  await card(page).nth(1).waitFor()
  await page.keyboard.press('e')
  await hasFocus(page, /input path/)
  await page.keyboard.type('ade')
  await page.keyboard.press('Escape')
  await page.getByRole('textbox').waitFor({ state: 'detached' })
  await hasFocus(page, /article Approval of file_list/)
  holds((await pendingOf(host)) === 2, 'something was decided')
  await page.keyboard.press('e')
  await hasFocus(page, /input path/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('by keys')
  await page.keyboard.press('Control+Enter')
  await until('one is decided', async () => (await pendingOf(host)) === 1)
  await card(page).nth(1).waitFor({ state: 'detached' })
  await page.keyboard.press('d')
  await hasFocus(page, /textarea Reason/)
  await page.keyboard.type('a deed')
  await page.keyboard.press('Control+Enter')
  await until('the run ends', async () => (await host.api.runs.get(id)).status === 'completed')
  // Lists lag where the store is not in the process.
  await until('both decisions are as they were typed', async () => {
    const { data } = await host.api.approvals.list({ status: 'decided', limit: 100 })
    const mine = data.filter(({ run_id }) => run_id === id).map(({ decision }) => decision)
    return /by keys/.test(JSON.stringify(mine)) && /a deed/.test(JSON.stringify(mine))
  })
  unharmed(watched)
}

async function linkByKeys(given: Given): Promise<void> {
  const { host, browser } = given
  const id = await asking(host, 'keys of a link')
  const { data } = await host.api.approvals.list({ limit: 100 })
  const [one, two] = data.filter(({ run_id }) => run_id === id)
  const open = async (approval: string): Promise<Watched> => {
    const watched = await openPage(browser, host.url)
    await watched.page.goto((await linkTo(given, approval, {})).url)
    await watched.page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    return watched
  }
  const first = await open(one!.id)
  await first.page.keyboard.press('e')
  await hasFocus(first.page, /input path/)
  await first.page.keyboard.press('Escape')
  await hasFocus(first.page, /article/)
  await first.page.keyboard.press('d')
  await hasFocus(first.page, /textarea Reason/)
  await first.page.keyboard.type('a no')
  await first.page.keyboard.press('Control+Enter')
  await first.page.getByText(/It was denied/).waitFor()
  const second = await open(two!.id)
  await second.page.keyboard.press('Control+a')
  await second.page.keyboard.press('Alt+a')
  await second.page.waitForTimeout(500)
  holds((await host.api.approvals.get(two!.id)).status === 'pending', 'another key has decided')
  await second.page.keyboard.press('a')
  await second.page.getByText(/It was approved/).waitFor()
  await until('the run ends', async () => (await host.api.runs.get(id)).status === 'completed')
  for (const watched of [first, second]) unharmed(watched)
}

/** Notes each notification, and shows it as the browser does. */
const NOTED = `
  globalThis.__shown = []
  const Real = Notification
  globalThis.Notification = class extends Real {
    constructor(title, options) { super(title, options); globalThis.__shown.push(options.body) }
  }
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
`

async function notified(given: Given): Promise<void> {
  const { host } = given
  await askFor(host, TOOL)
  const watched = await signedIn(given, { permissions: ['notifications'] }, '/console/runs')
  const { page } = watched
  await page.addInitScript(NOTED)
  await page.reload()
  await page.getByRole('heading', { name: 'Runs' }).waitFor()
  holds(!(await page.title()).startsWith('('), `something waits already: ${await page.title()}`)
  const id = await asking(host, 'told of')
  await page.waitForFunction(() => document.title.startsWith('(2) '), undefined, {
    timeout: 60_000,
  })
  const shown = await page.evaluate(() => (globalThis as { __shown?: string[] }).__shown ?? [])
  const right = shown.length === 2 && shown.every((one) => one === 'file_list: told of')
  holds(right, JSON.stringify(shown))
  await host.api.runs.cancel(id)
  await page.waitForFunction(() => !document.title.startsWith('('))
  unharmed(watched)
}

async function moreThanHundred(given: Given): Promise<void> {
  await onItsOwn(given, {}, async (own) => {
    const { host } = own
    await askFor(host, TOOL)
    // A run has 32 subagents at a time.
    const parts = spawn('part {i}', `@call ${TOOL} {"path": "{i}"}`, '@say ok')
    const input = `${parts.replace('@spawn 1', `@spawn ${MANY / RUNS}`)}\n@await\n@say end`
    const ids: string[] = []
    for (let at = 0; at < RUNS; at += 1) ids.push((await host.api.runs.create({ input })).id)
    await until(`${MANY} wait`, async () => (await pendingOf(host)) === MANY)
    const watched = await signedIn(own, {}, '/console/approvals')
    const { page } = watched
    const link = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Appro/ })
    await link.getByText('100+', { exact: true }).waitFor()
    await page.waitForFunction(() => document.title === '(100+) Approvals · Strata')
    await card(page).first().waitFor()
    // As one reads on: to the last one that is there, again and again.
    await until('all are shown', async () => {
      await card(page).last().scrollIntoViewIfNeeded()
      return (await card(page).count()) === MANY
    })
    await card(page)
      .last()
      .click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('a')
    await until('the last one is decided', async () => (await pendingOf(host)) === MANY - 1)
    for (const id of ids) await host.api.runs.cancel(id)
    await page.getByText('Nothing waits for you').waitFor({ timeout: 60_000 })
    await page.waitForFunction(() => document.title === 'Approvals · Strata')
    unharmed(watched)
  })
}

/** Where a dialog opens: the page, and the words on the button. */
const OPENERS: readonly (readonly [string, string])[] = [
  ['schedules', 'New schedule'],
  ['webhooks', 'New endpoint'],
  ['webhooks/hooks', 'New hook'],
  ['settings/keys', 'New key'],
  ['settings/secrets', 'Write a secret'],
  ['layers', 'New file'],
]

async function dialogs(given: Given): Promise<void> {
  const watched = await signedIn(given)
  const { page } = watched
  const dialog = page.getByRole('dialog')
  for (const [path, name] of OPENERS) {
    await page.goto(`${given.host.url}/console/${path}`)
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await hasFocus(page, /^(?:input|textarea|select) /)
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Tab')
    holds((await page.getByRole('combobox', { name: /^Go to/ }).count()) === 0, `${path}: palette`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(page, new RegExp(`button ${name}`))
  }
  unharmed(watched)
}

async function topmost(given: Given): Promise<void> {
  const run = await given.host.api.runs.createAndWait({
    input: `${spawn('below', '@say found')}\n@await\n@say over`,
  })
  const watched = await signedIn(given, {}, `/console/chat/${run.session_id}`)
  const { page } = watched
  const panel = page.getByRole('complementary', { name: 'Details' })
  await page.getByRole('button', { name: /below/ }).focus()
  await page.keyboard.press('Enter')
  await panel.waitFor()
  await page.keyboard.press('Control+k')
  await hasFocus(page, /input Go to/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  holds(await panel.isVisible(), 'the panel beneath is closed too')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  // The buttons of a row show only while it has the focus.
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('link').last().focus()
  const [row] = [await focused(page)]
  await page.keyboard.press('Tab')
  await hasFocus(page, /button Rename/)
  await page.keyboard.press('Enter')
  await hasFocus(page, /input Title/)
  await page.keyboard.press('Escape')
  await hasFocus(page, /button Rename/)
  await page.keyboard.press('Shift+Tab')
  holds((await focused(page)) === row, `the focus is on ${await focused(page)}`)
  unharmed(watched)
}

export const KEYBOARD: Record<string, Check> = {
  'approvals: 130 wait, all are shown, and the badge says 100+': moreThanHundred,
  'approvals: e has the first field, Escape cancels, Ctrl-Enter sends; d the same': decidedByKeys,
  'approvals: a link obeys a, d and e': linkByKeys,
  'approvals: those that come while one looks elsewhere are told, and stand in the title': notified,
  'dialogs: the focus goes in and back, and no palette opens over them': dialogs,
  'dialogs: Escape closes the topmost alone': topmost,
}
