/** Pages of other origins with tokens, and a page of the deployment that signs in. */

import type { Page } from 'playwright-core'
import { sessionOfThread } from '../../src/engine/session/thread.ts'
import { type Client, createRun, untilEnd } from '../support/launch.ts'
import { newPage } from './browser.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

/** An origin that STRATA_CORS_ORIGINS lists, and one that it does not. */
interface Origins {
  readonly listed: string
  readonly foreign: string
}

/** A run of several answers, each of which takes a while. */
const SLOW = '@slow 400\n@say one'
const PLAN = `@slow 500\n@call todo_write {"todos": []}\n@then\n${SLOW}`

async function tokenFor(server: Client, what: object, scopes: string[]): Promise<string> {
  const json = { for: what, scopes, expires_in: 600 }
  const { token } = await server.get<{ token: string }>('/v1/tokens', { method: 'POST', json })
  return token
}

async function opened(stage: Stage, origin: string, about: Record<string, string>): Promise<Page> {
  const page = await newPage(stage.browser, stage.faults)
  const hash = new URLSearchParams({ url: stage.server.url, ...about })
  await page.goto(`${origin}/#${hash}`)
  return page
}

/** The thread of a page, which its backend began with the key. */
const THREAD = 'ada'
const firstTurn = () => ({
  threadId: THREAD,
  runId: 'first',
  messages: [{ id: 'zero', role: 'user', content: '@say welcome' }],
  ...{ tools: [], context: [], state: {}, forwardedProps: {} },
})

const listOf = (page: Page): Promise<string[]> => page.locator('li').allTextContents()

/** How the page's part ended: `over`, or `failed: …`. */
async function endOf(page: Page): Promise<string> {
  const output = page.locator('output')
  await output.filter({ hasText: /over|failed/ }).waitFor()
  return (await output.textContent()) ?? ''
}

export const originScenarios = ({ listed, foreign }: Origins): Scenarios => ({
  async 'a page of a listed origin streams a run with its token, over a reload'(stage) {
    const { server } = stage
    const run = await createRun(server, { input: PLAN })
    const token = await tokenFor(server, { run: run.id }, ['runs:read'])
    const page = await opened(stage, listed, { token, run: run.id })
    await page.locator('li').nth(1).waitFor()
    await page.reload()
    const end = await endOf(page)
    check(stage, end === 'over', `the stream ended with "${end}"`)
    const numbers = await page
      .locator('li')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: number }).value))
    const wanted = numbers.map((_, index) => index + 1)
    check(stage, String(numbers) === String(wanted), `events came as ${numbers}`)
    const last = (await listOf(page)).at(-1)
    check(stage, last === 'run.completed', `the last event was ${last}`)
  },

  async 'EventSource with the token in the address'(stage) {
    const { server } = stage
    const run = await createRun(server, { input: SLOW })
    const token = await tokenFor(server, { run: run.id }, ['runs:read'])
    const page = await opened(stage, listed, { part: 'source', token, run: run.id })
    const end = await endOf(page)
    const list = await listOf(page)
    check(stage, end === 'over' && list.at(-1) === 'run.completed', `${end}: ${list}`)
  },

  async '@ag-ui/client talks in its session with a token'(stage) {
    const { server } = stage
    const session = sessionOfThread(THREAD)
    const run = { method: 'POST', json: firstTurn() }
    await (await server.ask('/v1/ag-ui/general', run)).text()
    const token = await tokenFor(server, { session }, ['runs:read', 'runs:write'])
    const about = { part: 'talk', token, thread: THREAD, text: '@say hello from afar' }
    const page = await opened(stage, listed, about)
    const end = await endOf(page)
    const said = (await listOf(page)).at(-1)
    check(stage, end === 'over' && said === 'hello from afar', `${end}: ${said}`)
  },

  async 'without a token, or from a third origin, a page gets nothing'(stage) {
    const { server } = stage
    const run = await createRun(server, { input: '@say secret' })
    const other = await createRun(server, { input: '@say secret' })
    await untilEnd(server, run.id)
    const token = await tokenFor(server, { run: run.id }, ['runs:read'])
    const reads: readonly [string, Record<string, string>, RegExp][] = [
      [listed, { run: run.id, token }, /^200 .*secret/],
      [listed, { run: run.id }, /^401 /],
      [listed, { run: other.id, token }, /^404 /],
    ]
    for (const [origin, about, wanted] of reads) {
      const page = await opened(stage, origin, { part: 'read', ...about })
      await endOf(page)
      const [got = ''] = await listOf(page)
      check(stage, wanted.test(got), `${JSON.stringify(about)} got ${got.slice(0, 80)}`)
    }
    const page = await opened(stage, foreign, { part: 'read', run: run.id, token })
    const end = await endOf(page)
    const list = await listOf(page)
    check(stage, /failed: TypeError/.test(end) && list.length === 0, `${end}: ${list}`)
  },

  async 'a page of the deployment signs in; a page of another port gets nothing by its cookie'(
    stage,
  ) {
    const { server, browser, faults } = stage
    const page = await newPage(browser, faults)
    const { url } = await server.get<{ url: string }>('/v1/sign-in-links', { method: 'POST' })
    const json = JSON.stringify({ token: url.split('#t=')[1] })
    const call = (method: string, path: string, body?: string) =>
      page.evaluate(async ([to, init]) => (await fetch(to, init)).status, [
        path,
        {
          method,
          headers: { 'content-type': 'application/json', 'strata-console': '1' },
          ...(body === undefined ? {} : { body }),
        },
      ] as const)
    await page.goto(`${server.url}/docs`)
    const input = JSON.stringify({ input: '@say by cookie' })
    const statuses = [
      await call('GET', '/v1/runs'),
      await call('POST', '/v1/browser-sessions', json),
      await call('POST', '/v1/browser-sessions', json),
      await call('GET', '/v1/runs'),
      await call('POST', '/v1/runs', input),
    ]
    check(stage, String(statuses) === '401,201,401,200,202', `signing in answered ${statuses}`)
    const readable: unknown = await page.evaluate('document.cookie')
    check(stage, readable === '', `a script reads the cookie ${readable}`)
    await page.goto(listed)
    const foreign = await page.evaluate(
      async ([to, body]) => {
        const tries: RequestInit[] = [
          { credentials: 'include' },
          { credentials: 'include', mode: 'no-cors', method: 'POST', body },
          { credentials: 'include', method: 'POST', body, headers: { 'strata-console': '1' } },
        ]
        const read = async (init: RequestInit): Promise<string> =>
          fetch(to, init).then(
            async (got) => `${got.type} ${await got.text()}`,
            (error: Error) => error.name,
          )
        return Promise.all(tries.map(read))
      },
      [`${server.url}/v1/runs`, JSON.stringify({ input: '@say no', label: 'foreign' })] as const,
    )
    check(stage, String(foreign) === 'TypeError,TypeError,TypeError', `a port away: ${foreign}`)
    const { data } = await server.get<{ data: unknown[] }>('/v1/runs?label=foreign')
    check(stage, data.length === 0, 'a page of another port started a run')
    await page.goto(`${server.url}/docs`)
    const out = [
      await call('DELETE', '/v1/browser-sessions/current'),
      await call('GET', '/v1/runs'),
    ]
    check(stage, String(out) === '204,401', `signing out answered ${out}`)
  },
})
