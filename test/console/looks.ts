/** How it looks to those who do not see it, how wide it is, and how soon it is there. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { openPage } from './browser.ts'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { askFor, spawn, until } from './host.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export const PAGES: readonly string[] = [
  ...[
    '',
    'runs',
    'fanouts',
    'approvals',
    'layers',
    'webhooks',
    'webhooks/deliveries',
    'webhooks/hooks',
  ],
  ...['schedules', 'memory', 'usage', 'settings/keys', 'settings/secrets', 'settings/policy'],
  ...['settings/audit', 'settings/limits', 'settings/quotas', 'settings/browser', 'decide'],
]

interface AxeWindow {
  readonly axe: {
    run(): Promise<{
      readonly violations: readonly {
        readonly id: string
        readonly nodes: readonly { readonly html: string }[]
      }[]
    }>
  }
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'))
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as AxeWindow
    const { violations: found } = await axe.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)
  })
}

/** A page as it stands after something was done. */
interface State {
  readonly path: string
  readonly does?: string
  readonly open?: (page: Page) => Promise<unknown>
}

const pressed =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).first().click()
    await page.getByRole('dialog').waitFor()
  }

const DIALOGS: readonly State[] = [
  ...(
    [
      ['schedules', 'New schedule'],
      ['webhooks', 'New endpoint'],
      ['webhooks/hooks', 'New hook'],
      ['settings/keys', 'New key'],
      ['settings/secrets', 'Write a secret'],
      ['layers', 'New file'],
    ] as const
  ).map(([path, name]) => ({ path, does: name, open: pressed(name) })),
  {
    ...{ path: '', does: 'the choice of an agent' },
    async open(page) {
      await page.getByTitle('Agent, role, repository and model').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    ...{ path: 'runs', does: 'the palette' },
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
]

/** Pages with much in them; answers with them and the way back. */
async function filled({ host }: Given) {
  const { api } = host
  const said = ['@reason I think.', '@text **I look** at `a`.', '@call file_read {"path": "a.md"}']
  const children = [spawn('below', '@say found'), '@await', '@say | a | b |\n@say over']
  const run = await api.runs.createAndWait({
    input: [...said, '@then', ...children].join('\n'),
    label: 'looked at',
  })
  const tasks = ['@say one', '@error invalid', '@say three'].map((task) => ({ task, label: task }))
  const fanout = await api.fanouts.create({ label: 'looked at', tasks } as never)
  await api.fanouts.wait(fanout.id, { forMs: 60_000 })
  await askFor(host, 'file_list')
  const twice = ['@call file_list {"path": "one"}', '@call file_list {"path": "two"}', '@say over']
  const asking = await api.runs.create({ input: twice.join('\n') })
  const mine = async () =>
    (await api.approvals.list({ limit: 100 })).data.filter(({ run_id }) => run_id === asking.id)
  await until('two calls of one tool wait', async () => (await mine()).length === 2)
  const tabs = ['', 'timeline', 'events', 'transcript', 'config', 'json']
  const [child] = (await api.runs.children(run.id, {})).data
  const two = (page: Page) => page.getByRole('article').nth(1).waitFor()
  const states: readonly State[] = [
    ...tabs.map((tab) => ({ path: `runs/${run.id}${tab && `?tab=${tab}`}` })),
    { path: `fanouts/${fanout.id}` },
    { path: `chat/${run.session_id}` },
    { path: `chat/${run.session_id}?open=${child!.id}` },
    { path: `chat/${asking.session_id}`, does: 'two calls ask', open: two },
    { path: 'approvals', does: 'two calls ask', open: two },
    {
      ...{ path: 'approvals', does: 'one is edited' },
      async open(page) {
        await two(page)
        await page.keyboard.press('e')
        await page.getByRole('textbox').first().waitFor()
      },
    },
    { path: `runs/${run.id}`, does: 'Copy as…', open: pressed('Copy as…') },
    { path: `runs/${run.id}`, does: 'Delete', open: pressed('Delete') },
  ]
  return { states, clear: () => api.runs.cancel(asking.id) }
}

const WIDE = { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' } as const
const NARROW = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const

/** Fields too narrow to read in, and heads of pages whose buttons fill more than two lines. */
const squeezed = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const shown = (one: Element): boolean => one.getClientRects().length > 0
    const fields = [...document.querySelectorAll('input:not([type=checkbox], [type=file]), select')]
    const narrow = fields.filter((one) => shown(one) && one.getBoundingClientRect().width < 64)
    const linesOf = (head: Element): number => {
      const buttons = [...head.querySelectorAll('a, button')].filter(
        (one) => shown(one) && one.closest('dialog, [role=dialog]') === null,
      )
      const bottoms = buttons.map((one) => Math.round(one.getBoundingClientRect().bottom / 8))
      return new Set(bottoms).size
    }
    const lines = Math.max(0, ...[...document.querySelectorAll('#main header')].map(linesOf))
    return [
      ...narrow.map((one) => `${one.getAttribute('aria-label')} is too narrow to read in`),
      ...(lines > 2 ? [`its head has ${lines} lines`] : []),
    ]
  })

async function axed(given: Given, look: typeof WIDE | typeof NARROW): Promise<void> {
  const wrong: string[] = []
  const { states, clear } = await filled(given)
  const all: readonly State[] = [...PAGES.map((path) => ({ path })), ...DIALOGS, ...states]
  const watched = await signedIn(given, { ...look, bypassCSP: true })
  const { page } = watched
  const { width } = look.viewport
  for (const { path, does, open } of all) {
    await page.goto(`${given.host.url}/console/${path}`)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {})
    const name = `/${path} ${does ?? ''} at ${width}`
    await open?.(page).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
    })
    for (const one of await violations(page)) wrong.push(`${name}: ${one}`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) wrong.push(`${name}: ${overflow} px too wide`)
    for (const one of await squeezed(page)) wrong.push(`${name}: ${one}`)
  }
  unharmed(watched)
  await clear()
  console.log(`        ${all.length} states of pages`)
  holds(wrong.length === 0, wrong.join('\n        '))
}

interface Opened {
  readonly kb: number
  readonly paint: number
  readonly usable: number
}

/** A browser that has nothing of it yet. */
async function opened(given: Given): Promise<Opened> {
  const { token } = await given.host.api.browserSessions.createLink()
  const { page } = await openPage(given.browser, given.host.url)
  await page.goto(`${given.host.url}/console/#link=${token}`)
  // Usable: it takes what one types.
  await page.getByRole('textbox', { name: 'Message' }).fill('typed')
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1,
    usable: performance.now(),
    // As they came over the wire.
    script: performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\.js$/.test(new URL(name).pathname))
      .reduce((sum, one) => sum + (one as PerformanceResourceTiming).encodedBodySize, 0),
  }))
  await page.context().close()
  const { script, paint, usable } = times
  return { kb: script / 1_024, paint, usable }
}

/** CI machines are up to so much slower than ours. */
const SLOWER = process.env.CI ? 1.5 : 1

const median = (of: readonly number[]): number =>
  of.toSorted((one, other) => one - other)[Math.floor(of.length / 2)] ?? Number.NaN

async function soon(given: Given): Promise<void> {
  const times: Opened[] = []
  for (let time = 0; time < 3; time += 1) times.push(await opened(given))
  const kb = Math.max(...times.map((one) => one.kb))
  const [paint, usable] = [
    median(times.map((one) => one.paint)),
    median(times.map((one) => one.usable)),
  ]
  console.log(
    `        script ${kb.toFixed(0)} KB gzip; of three: first paint ${paint.toFixed(0)} ms, ` +
      `usable ${usable.toFixed(0)} ms`,
  )
  holds(kb > 0, 'no script was counted')
  if (given.onWorkers) return
  holds(kb <= 220, `${kb} KB of script`)
  holds(paint >= 0 && paint <= 1_000, `first paint after ${paint} ms`)
  holds(usable <= 1_500 * SLOWER, `usable after ${usable} ms`)
}

export const LOOKS: Record<string, Check> = {
  'axe finds nothing on any page or dialog, wide and light': (given) => axed(given, WIDE),
  'axe finds nothing on any page or dialog, narrow and dark': (given) => axed(given, NARROW),
  'first picture within 1 s, usable within 1.5 s, and 220 KB of script at the most': soon,
}
