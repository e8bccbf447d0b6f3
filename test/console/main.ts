/**
 * `node test/console/main.ts [--home node|cloudflare] [--only TEXT]`: the API and the console in a
 * real browser, Debian's chromium. `--only` runs the scenarios whose sentence contains the text.
 */

import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startModelServer } from '../../src/testing/model-server.ts'
import { openHome } from '../platforms/versions/homes.ts'
import { thisTree } from '../platforms/versions/tree.ts'
import type { Client, Open } from '../support/launch.ts'
import { command, given, WrongUse } from '../support/options.ts'
import { buildConsole } from '../tools/console.ts'
import { APPROVALS } from './approvals.ts'
import { ARCHIVED } from './archived.ts'
import { AUDIT } from './audit.ts'
import { AXE_SCENARIOS } from './axe.ts'
import { openBrowser } from './browser.ts'
import { CHAT } from './chat.ts'
import { CHINESE } from './chinese.ts'
import { COLUMNS } from './columns.ts'
import { COMPARE } from './compare.ts'
import { CONTRACT } from './contract.ts'
import { DOCS } from './docs.ts'
import { EFFECTIVE } from './effective.ts'
import { FANOUTS } from './fanouts.ts'
import { FILES } from './files.ts'
import { openOrigin, pageScript } from './foreign.ts'
import { IMPORTS, LARGE_IMPORT } from './import.ts'
import { INBOX } from './inbox.ts'
import { INJECTION } from './injection.ts'
import { KEYS } from './keys.ts'
import { KILLED } from './killed.ts'
import { LAYER_FILES } from './layer-files.ts'
import { LAYERS } from './layers.ts'
import { LINKS } from './links.ts'
import { MEMORY } from './memory.ts'
import { MENU } from './menu.ts'
import { NOTIFICATIONS } from './notifications.ts'
import { OFFLINE } from './offline.ts'
import { originScenarios } from './origins.ts'
import { OUTAGE } from './outage.ts'
import { PALETTE } from './palette.ts'
import { RUN } from './run.ts'
import { RUNS } from './runs.ts'
import { SCHEDULES } from './schedules.ts'
import { SECRETS } from './secrets.ts'
import { SETTINGS } from './settings.ts'
import { SIGN_IN } from './sign-in.ts'
import type { Scenarios, Stage } from './stage.ts'
import { TABS_SCENARIOS } from './tabs.ts'
import { TENANTS } from './tenants.ts'
import { TIMINGS } from './timings.ts'
import { TURN_MENU } from './turn-menu.ts'
import { USAGE_SCENARIOS } from './usage.ts'
import { WEBHOOKS } from './webhooks.ts'

const USAGE = 'node test/console/main.ts [--home node|cloudflare] [--only TEXT]'
const HOMES = ['node', 'cloudflare'] as const
type HomeName = (typeof HOMES)[number]

async function onHome(home: HomeName, script: string, only: string): Promise<string[]> {
  const open: Open = []
  const faults: string[] = []
  try {
    const model = await startModelServer()
    open.push(() => model.close())
    const listed = await openOrigin(script, open)
    const foreign = await openOrigin(script, open)
    const env = {
      ...{ OPENAI_BASE_URL: model.url, STRATA_MODEL: 'openai/scripted', MAX_DEPTH: '2' },
      STRATA_CORS_ORIGINS: listed,
    }
    const made = await openHome(home, env, open)
    console.log(made.name)
    const server = await made.start(thisTree())
    const browser = await openBrowser(open)
    const scenarios: Scenarios = {
      ...originScenarios({ listed, foreign }),
      ...{
        ...LINKS,
        ...SIGN_IN,
        ...CHAT,
        ...(home === 'node' ? { ...KILLED, ...TIMINGS, ...LARGE_IMPORT } : {}),
      },
      ...{
        ...TABS_SCENARIOS,
        ...OFFLINE,
        ...MENU,
        ...TURN_MENU,
        ...ARCHIVED,
        ...FILES,
        ...PALETTE,
        ...RUN,
        ...OUTAGE,
        ...RUNS,
        ...COLUMNS,
        ...CHINESE,
        ...COMPARE,
        ...APPROVALS,
        ...INBOX,
        ...FANOUTS,
        ...EFFECTIVE,
        ...IMPORTS,
        ...LAYERS,
        ...LAYER_FILES,
        ...SCHEDULES,
        ...MEMORY,
        ...WEBHOOKS,
        ...{ ...KEYS, ...SECRETS, ...TENANTS, ...USAGE_SCENARIOS, ...AUDIT, ...SETTINGS },
        ...NOTIFICATIONS,
        ...AXE_SCENARIOS,
        ...INJECTION,
        ...DOCS,
        ...CONTRACT,
      },
    }
    for (const [name, act] of Object.entries(scenarios))
      if (name.includes(only)) await perform(name, act, { server, browser, faults })
    await server.stop()
    return faults.map((fault) => `${made.name}: ${fault}`)
  } finally {
    for (const close of open.splice(0).reverse()) await close()
  }
}

async function perform(
  name: string,
  act: (stage: Stage) => Promise<void>,
  { server, browser, faults }: Stage,
): Promise<void> {
  const found: string[] = []
  try {
    await act({ server, browser, faults: found })
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error))
    await takePictures(browser, name)
  }
  for (const context of browser.contexts()) await context.close()
  await signOutAll(server)
  console.log(`  ${found.length === 0 ? 'ok' : 'NOT OK'}  ${name}`)
  faults.push(...found.map((fault) => `${name}: ${fault}`))
}

/** With the variable PICTURES: the pages of a failed scenario, as files in that folder. */
async function takePictures(browser: Browser, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  const pages = browser.contexts().flatMap((context) => context.pages())
  const base = name.slice(0, 30).replaceAll(/\W+/g, '-')
  for (const [at, page] of pages.entries())
    await page.screenshot({ path: join(folder, `${base}-${at}.png`) })
}

/** A tenant has a bounded number of browser sessions. */
async function signOutAll(server: Client): Promise<void> {
  const { data } = await server.get<{ data: { id: string }[] }>('/v1/browser-sessions?limit=100')
  for (const { id } of data) await server.ask(`/v1/browser-sessions/${id}`, { method: 'DELETE' })
}

async function run(): Promise<boolean> {
  const text = { type: 'string' } as const
  const { values } = given(process.argv.slice(2), { home: text, only: text })
  const home = HOMES.find((name) => name === values.home)
  if (values.home !== undefined && home === undefined)
    throw new WrongUse(`--home is one of ${HOMES.join(', ')}, not ${values.home}`)
  const only = typeof values.only === 'string' ? values.only : ''
  await buildConsole()
  const script = await pageScript()
  const faults: string[] = []
  for (const name of home === undefined ? HOMES : [home])
    faults.push(...(await onHome(name, script, only)))
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(`${faults.length} faults`)
  return faults.length === 0
}

await command(USAGE, run)
