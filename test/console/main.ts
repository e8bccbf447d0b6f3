/**
 * `npm run test:console`: the console in a real browser, against the real server and the scripted
 * model; with `--workers` against the Worker as it is bundled. Names choose checks. Prints each
 * check, the sizes of what is loaded and the times of its first pictures.
 */

import type { Browser } from 'playwright-core'
import { newKey } from '../../src/engine/tenant/api-keys.ts'
import { launchServer, type Open, temporaryFolder } from '../support/launch.ts'
import { startModelServer } from '../support/model-server.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../support/worker.ts'
import { startBrowser } from './browser.ts'
import { CHECKS } from './checks.ts'
import { clientAt, type Host } from './host.ts'

async function scriptedModel(open: Open) {
  const model = await startModelServer()
  open.push(model.close)
  return {
    OPENAI_BASE_URL: model.url,
    STRATA_MODEL: 'openai/scripted',
    OPENAI_API_KEY: 'none',
    MAX_DEPTH: '2',
  }
}

async function startHost(
  open: Open,
  env: Readonly<Record<string, string>>,
  onWorkers: boolean,
): Promise<Host> {
  if (!onWorkers) return clientAt(await launchServer({ open, env }))
  const folder = await temporaryFolder(open)
  await migrateLocally(folder)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const { url, stop } = await startWorker({ ...SCRIPTED, STRATA_ADMIN_KEY: key, ...env }, folder)
  open.push(stop)
  return clientAt({ url, key })
}

/** With STRATA_PICTURES=FOLDER: the pages as they stood when a check failed. */
async function pictures(browser: Browser, name: string): Promise<void> {
  const folder = process.env.STRATA_PICTURES
  if (!folder) return
  const pages = browser.contexts().flatMap((context) => context.pages())
  const base = `${folder}/${name.slice(0, 30).replaceAll(/\W+/g, '-')}`
  for (const [at, page] of pages.entries()) await page.screenshot({ path: `${base}-${at}.png` })
}

/** A key has so many browsers at the most; what a failed check left is shown, and goes too. */
async function signOut({ api }: Host): Promise<void> {
  for await (const { id } of api.browserSessions.list({})) await api.browserSessions.revoke(id)
}

const MINUTES_5 = 300_000

/** A check that waits for what never comes is a failure with a name. */
async function inTime(name: string, check: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} was not over after 300 s`)), MINUTES_5)
  })
  await Promise.race([check, late]).finally(() => clearTimeout(timer))
}

async function main(args: readonly string[]): Promise<number> {
  const open: Open = []
  const onWorkers = args.includes('--workers')
  const named = args.filter((arg) => !arg.startsWith('--'))
  let failed = 0
  try {
    const env = await scriptedModel(open)
    const host = await startHost(open, env, onWorkers)
    const browser = await startBrowser(open)
    for (const [name, check] of Object.entries(CHECKS)) {
      if (named.length > 0 && !named.some((one) => name.includes(one))) continue
      const began = performance.now()
      try {
        await inTime(name, check({ host, browser, onWorkers, env }))
        for (const context of browser.contexts()) await context.close()
        await signOut(host)
        console.log(`ok      ${name} (${Math.round(performance.now() - began)} ms)`)
      } catch (error) {
        failed += 1
        await pictures(browser, name)
        for (const context of browser.contexts()) await context.close()
        await signOut(host)
        console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : error}`)
      }
    }
  } finally {
    for (const close of open.reverse()) await close()
  }
  console.log(`console${onWorkers ? ' on Workers' : ''}: ${failed} failed`)
  return failed
}

process.exitCode = (await main(process.argv.slice(2))) === 0 ? 0 : 1
