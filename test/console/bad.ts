/**
 * What goes wrong while somebody types: each refusal says what happened, and nothing that was typed
 * is lost, on every page where something is typed.
 */

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { launchServer, type Open } from '../support/launch.ts'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { clientAt, type Host, spawn, until } from './host.ts'

/** A page where something is typed. */
interface Typing {
  readonly path: string
  type(page: Page): Promise<void>
  /** All that was typed, as it stands in the page now. */
  typed(page: Page): Promise<string>
  send(page: Page): Promise<unknown>
  /** The server has it. */
  isThere(host: Host): Promise<boolean>
  /** Settles when the page shows that nothing is left to save. */
  isKnown?(page: Page): Promise<void>
}

const AGENT = 'base/.agents/agents/typed-late.md'
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).last().click()

/** A form in a dialog: its fields by their labels. */
function form(
  path: string,
  opens: string,
  fields: Readonly<Record<string, string>>,
  sends: string,
  isThere: Typing['isThere'],
): Typing {
  return {
    path,
    isThere,
    async type(page) {
      await press(page, opens)
      for (const [label, text] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(text)
    },
    async typed(page) {
      const values = Object.keys(fields).map((label) =>
        page.getByLabel(label, { exact: true }).inputValue(),
      )
      return (await Promise.all(values)).join('\n')
    },
    send: (page) => press(page, sends),
  }
}

const TYPING: Readonly<Record<string, Typing>> = {
  chat: {
    path: '',
    type: (page) => message(page).fill(`@say typed in the chat`),
    typed: (page) => message(page).inputValue(),
    send: (page) => message(page).press('Enter'),
    isThere: async ({ api }) =>
      (await api.runs.list({ limit: 20 })).data.some(({ input }) => input.endsWith(`chat`)),
  },
  'a file of a layer': {
    path: `layers/${AGENT}`,
    async type(page) {
      await page.locator('.cm-content').first().click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(`typed in a file`)
    },
    typed: async (page) => (await page.locator('.cm-content').first().innerText()).trim(),
    send: (page) => press(page, 'Save'),
    isKnown: (page) => page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' }),
    async isThere({ api }) {
      const found = await api.files.get(AGENT)
      return new TextDecoder().decode(found?.bytes).includes(`typed in a file`)
    },
  },
  'a schedule': form(
    'schedules',
    'New schedule',
    { Name: 'typed-late', Input: '@say typed in a schedule' },
    'Create',
    async ({ api }) =>
      (await api.schedules.list({})).data.some(({ name }) => name === 'typed-late'),
  ),
  'an endpoint': form(
    'webhooks',
    'New endpoint',
    { URL: 'http://127.0.0.1:9/typed-late', Events: 'run.failed' },
    'Create',
    async ({ api }) =>
      (await api.webhookEndpoints.list({})).data.some(({ url }) => url.endsWith('/typed-late')),
  ),
  'a secret': form(
    'settings/secrets',
    'Write a secret',
    { Name: 'TYPED_LATE', Value: 'typed in a form', Hosts: 'api.example.com' },
    'Save',
    async ({ api }) => (await api.secrets.list()).data.some(({ name }) => name === 'TYPED_LATE'),
  ),
}

interface Trouble {
  /** From here on the server refuses; answers with the way back. */
  begin(page: Page): Promise<() => Promise<void>>
  readonly says: RegExp
}

/** On each page: typed, refused with a sentence, still there, and taken when it is over. */
async function keepsAll(given: Given, trouble: Trouble): Promise<void> {
  const { host } = given
  await host.api.files.put(AGENT, '---\nname: typed-late\ndescription: Typed.\n---\nYou are.\n')
  const watched = await signedIn(given)
  for (const [name, one] of Object.entries(TYPING)) {
    await keeps({ name, one, page: watched.page, host, ...trouble })
  }
  unharmed(watched)
}

interface Attempt extends Trouble {
  readonly name: string
  readonly one: Typing
  readonly page: Page
  readonly host: Host
}

async function keeps({ name, one, page, host, begin, says }: Attempt): Promise<void> {
  // Only then is nothing of the page before under way.
  await page.goto('about:blank')
  await page.goto(`${host.url}/console/${one.path}`)
  await one.type(page)
  const before = await one.typed(page)
  holds(/typed/i.test(before), `${name}: nothing is typed`)
  const end = await begin(page)
  await one.send(page)
  const said = page.getByRole('alert').filter({ hasText: says }).first()
  await said.waitFor({ timeout: 60_000 }).catch(() => {
    throw new Error(`${name}: not said: ${says}`)
  })
  holds(!(await one.isThere(host)), `${name}: it was taken all the same`)
  const after = await one.typed(page)
  holds(after === before, `${name}: typed\n${before}\nand there is\n${after}`)
  await end()
  await one.send(page)
  await until(`${name} is taken afterwards`, () => one.isThere(host))
  // A page that does not know it yet keeps its reader.
  await one.isKnown?.(page)
}

/** A server of its own, whose trouble is nobody else's. */
export async function onItsOwn(
  given: Given,
  more: Readonly<Record<string, string>>,
  check: (given: Given, open: Open) => Promise<void>,
): Promise<void> {
  const open: Open = []
  try {
    const host = clientAt(await launchServer({ open, env: { ...given.env, ...more } }))
    await check({ ...given, host }, open)
  } finally {
    for (const close of open.reverse()) await close()
  }
}

interface Refused {
  readonly status: number
  readonly contentType: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The answer of a real server to a key that has asked too often. */
async function tooMany({ url, key }: Host): Promise<Refused> {
  for (;;) {
    const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    const body = await answer.text()
    if (answer.status !== 429) continue
    const headers = { 'retry-after': answer.headers.get('retry-after') ?? '' }
    const contentType = answer.headers.get('content-type') ?? ''
    return { status: 429, contentType, headers, body }
  }
}

/** All that writes is refused so, until it is over. */
const refusing =
  (answer: Omit<Refused, 'headers'> & Partial<Refused>) =>
  async (page: Page): Promise<() => Promise<void>> => {
    await page.route('**/v1/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill(answer),
    )
    return () => page.unroute('**/v1/**')
  }

/** As a proxy before us says it: no problem of ours, but a page. */
const AWAY = {
  ...{ status: 503, contentType: 'text/html' },
  body: '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>',
}

const MB_5 = 5 * 1_024 * 1_024

export const BAD: Record<string, Check> = {
  '429: said on every page where one types, and nothing typed is lost': async (given) => {
    await onItsOwn(given, { KEY_REQUESTS: '1' }, async ({ host }) => {
      const answer = await tooMany(host)
      await onItsOwn(given, {}, (own) =>
        keepsAll(own, { begin: refusing(answer), says: /has sent more than/i }),
      )
    })
  },
  '503: said on every page where one types, and nothing typed is lost': async (given) => {
    await onItsOwn(given, {}, (own) =>
      keepsAll(own, { begin: refusing(AWAY), says: /503|not available/i }),
    )
  },
  'a server that is gone: said on every page where one types, and nothing typed is lost': async (
    given,
  ) => {
    await onItsOwn(given, {}, (own) =>
      keepsAll(own, {
        async begin(page) {
          await page.context().setOffline(true)
          return () => page.context().setOffline(false)
        },
        says: /does not answer/,
      }),
    )
  },
  'a key that is revoked while one types asks for another, and the text is sent': async (given) => {
    const { api } = given.host
    const { key, id } = await api.keys.create({ name: 'soon revoked', scopes: ['*'] })
    const watched = await signedIn({ ...given, host: { ...given.host, key: key ?? '' } })
    const { page } = watched
    await message(page).fill('@say sent by another key')
    await api.keys.revoke(id)
    await message(page).press('Enter')
    await page.getByLabel('API key').waitFor({ timeout: 60_000 })
    await page.getByText('what you typed is kept').waitFor()
    await page.getByLabel('API key').fill(given.host.key)
    await page.keyboard.press('Enter')
    await page.getByLabel('API key').waitFor({ state: 'detached' })
    holds((await message(page).inputValue()) === '@say sent by another key', 'the text is lost')
    await message(page).press('Enter')
    await page.locator('.prose-strata', { hasText: 'sent by another key' }).waitFor()
    unharmed(watched)
  },
  'a key without the scope is told so before it types, and the server says no': async (given) => {
    const scopes = ['runs:read', 'webhooks:read', 'schedules:read', 'sessions:read', 'layers:read']
    const { key } = await given.host.api.keys.create({ name: 'reader', scopes } as never)
    const watched = await signedIn({ ...given, host: { ...given.host, key: key ?? '' } })
    const { page } = watched
    await page.getByText('Your key may not do this').waitFor()
    await message(page).fill('@say never')
    await message(page).press('Enter')
    holds(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), 'it sends')
    for (const path of ['schedules', 'webhooks']) {
      await page.goto(`${given.host.url}/console/${path}`)
      await page.locator('h1').waitFor()
      await page.waitForLoadState('networkidle').catch(() => {})
      holds((await page.getByRole('button', { name: /^New/ }).count()) === 0, `${path}: it offers`)
    }
    await page.goto(`${given.host.url}/console/settings/secrets`)
    await page
      .getByRole('alert')
      .filter({ hasText: /secrets:read/ })
      .waitFor()
    unharmed(watched)
  },
  'a file of 5 MB is refused with a sentence; text and file stay, through a reload too': async (
    given,
  ) => {
    const watched = await signedIn(given)
    const { page } = watched
    await message(page).fill('@say with a file')
    const file = (name: string, bytes: number) =>
      page
        .getByLabel('Attach')
        .first()
        .setInputFiles({
          ...{ name, mimeType: 'application/octet-stream', buffer: randomBytes(bytes) },
        })
    await file('large.bin', MB_5)
    await page.getByText('large.bin').waitFor()
    await message(page).press('Enter')
    await page.getByText('It is not sent yet').waitFor({ timeout: 60_000 })
    await page.getByRole('alert').first().waitFor()
    await page.reload()
    await page.getByText('large.bin').waitFor()
    holds((await message(page).inputValue()) === '@say with a file', 'the text is lost')
    await page.getByRole('button', { name: /large\.bin/ }).click()
    await page.getByText('large.bin').waitFor({ state: 'detached' })
    await page
      .getByLabel('Attach')
      .first()
      .setInputFiles({
        ...{ name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('small') },
      })
    await page.getByText('small.txt').waitFor()
    // It is shown at once, and is on the disk a moment later.
    await page.locator('#main [aria-busy="true"]').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('small.txt').waitFor()
    // The end of a page breaks off what it still writes: so does this.
    await page.evaluate(() => {
      const store = (globalThis as never as { IDBObjectStore: { prototype: object } })
        .IDBObjectStore
      Object.assign(store.prototype, { delete: () => undefined })
    })
    await message(page).press('Enter')
    await page.waitForURL(/\/chat\/ses_/)
    await page.getByRole('log').getByText('small.txt').first().waitFor()
    await page.goto(`${given.host.url}/console/`)
    // The conversation is called so too: only what is about to be sent counts.
    await page
      .getByRole('link', { name: /@say with a file/ })
      .first()
      .waitFor()
    const composer = page.getByRole('region', { name: 'Message' })
    await composer.waitFor()
    await page.waitForTimeout(500)
    const attached = await composer.getByText('small.txt').count()
    holds(attached === 0, 'what was sent is attached again')
    unharmed(watched)
  },
  '300 subagents: the conversation shows all, and stays usable': async (given) => {
    const children = (from: string) =>
      spawn(`${from} {i}`, '@say part {i} done').replace('@spawn 1', '@spawn 100')
    const input = ['a', 'b', 'c'].flatMap((one) => [children(one), '@then'])
    const run = await given.host.api.runs.createAndWait({
      input: [...input, '@await', '@say all three hundred'].join('\n'),
    })
    holds(run.children.completed === 300, JSON.stringify(run.children))
    const watched = await signedIn(given, {}, `/console/chat/${run.session_id}`)
    const { page } = watched
    await page.locator('.prose-strata', { hasText: 'all three hundred' }).waitFor()
    const log = page.getByRole('log').first()
    const seen = await log.evaluate(async (element) => {
      const scrolling = [element, ...element.querySelectorAll('*'), element.parentElement!].find(
        (one) => one.scrollHeight > one.clientHeight + 100,
      ) as HTMLElement
      const names = new Set<string>()
      for (let top = 0; ; top += 300) {
        scrolling.scrollTop = top
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)))
        for (const [name] of (element as HTMLElement).innerText.matchAll(/^[abc] \d+$/gm))
          names.add(name)
        if (top > scrolling.scrollHeight) return names.size
      }
    })
    holds(seen === 300, `${seen} of 300 are shown`)
    await message(page).fill('@say still here')
    await message(page).press('Enter')
    await page.locator('.prose-strata', { hasText: 'still here' }).waitFor()
    unharmed(watched)
  },
}
