/** Many tabs of one browser on the same live run, and tabs that are hidden. */

import type { Page, Request } from 'playwright-core'
import { createRun, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { answer, composer, openConsole, transcript } from './console-page.ts'
import { untilSame } from './same.ts'
import { check, type Scenarios } from './stage.ts'
import { spawn } from './together.ts'

/** As many as the connections of a browser to an HTTP/1.1 server. */
const TABS = 6
const STREAMS = 4

const QUESTION = `@call ask_user ${JSON.stringify({ question: 'Shall we?' })}`
const LIVE = [
  '@text Four streams for six tabs.',
  spawn('below', '@call file_read {"path": "none.md"}', '@say found below'),
  ...['@await', QUESTION, '@then', '@slow 1500', '@say all six agree'],
].join('\n')

const isStream = (request: Request): boolean =>
  request.headers().accept === 'text/event-stream' && request.url().includes('/events')

/** The streams of a browser's pages that are open. */
function openStreams(page: Page): Set<Request> {
  const streams = new Set<Request>()
  const context = page.context()
  context.on('request', (request) => isStream(request) && streams.add(request))
  context.on('requestfinished', (request) => streams.delete(request))
  context.on('requestfailed', (request) => streams.delete(request))
  return streams
}

/** What the page sees when its tab is hidden or shown: a headless browser shows every page. */
async function turn(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}

export const TABS_SCENARIOS: Scenarios = {
  async 'six tabs of one browser follow a live run: four by streams, none starves'(stage) {
    const run = await createRun(stage.server, { input: LIVE })
    const first = await openConsole(stage)
    const streams = openStreams(first)
    const pages = [first]
    while (pages.length < TABS) pages.push(await first.context().newPage())
    for (const page of pages) await page.goto(`${stage.server.url}/console/chat/${run.session_id}`)
    for (const page of pages)
      await transcript(page).getByText('Shall we?', { exact: true }).waitFor()
    const most = await until('streams are open', () => streams.size >= STREAMS && streams.size)
    check(stage, most === STREAMS, `${most} streams are open`)
    const last = pages.at(-1) as Page
    await composer(last).fill('yes')
    await composer(last).press('Enter')
    for (const page of pages) await answer(page, 'all six agree').waitFor()
    for (const page of pages.slice(1)) await untilSame(first, page, 'after the end')
    check(stage, streams.size <= STREAMS, `${streams.size} streams are open after the end`)
  },

  async 'a tab that closes gives its stream to one that polls'(stage) {
    const run = await createRun(stage.server, { input: LIVE })
    const first = await openConsole(stage)
    const path = `${stage.server.url}/console/chat/${run.session_id}`
    const pages = [first]
    while (pages.length <= STREAMS) pages.push(await first.context().newPage())
    for (const page of pages) {
      await page.goto(path)
      await transcript(page).getByText('Shall we?', { exact: true }).waitFor()
    }
    const last = pages.at(-1) as Page
    const streams = last.waitForRequest(isStream)
    await pages[1]?.close()
    await streams
    await composer(last).fill('yes')
    await composer(last).press('Enter')
    await answer(last, 'all six agree').waitFor()
    await answer(first, 'all six agree').waitFor()
  },

  async 'a tab hidden for 30 seconds closes its stream, and catches up when it is shown'(stage) {
    const run = await createRun(stage.server, { input: LIVE })
    const page = await openConsole(stage)
    await page.clock.install()
    const streams = openStreams(page)
    await page.goto(`${stage.server.url}/console/chat/${run.session_id}`)
    await transcript(page).getByText('Shall we?', { exact: true }).waitFor()
    check(stage, streams.size === 1, `the page has ${streams.size} streams`)
    await turn(page, 'hidden')
    await page.clock.fastForward(29_000)
    check(stage, streams.size === 1, 'the stream is closed too early')
    await page.clock.fastForward(2_000)
    await until('the stream is closed', () => streams.size === 0)
    const json = { content: 'yes' }
    await stage.server.get(`/v1/runs/${run.id}/messages`, { method: 'POST', json })
    await untilEnd(stage.server, run.id)
    const count = await answer(page, 'all six agree').count()
    check(stage, count === 0, 'the hidden page followed the run')
    const resumed = page.waitForRequest(isStream)
    await turn(page, 'visible')
    const from = (await resumed).headers()['last-event-id']
    check(stage, from !== undefined, 'the stream begins with the first event again')
    await answer(page, 'all six agree').waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await untilSame(page, other, 'after it was hidden')
  },
}
