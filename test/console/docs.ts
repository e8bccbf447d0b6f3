/** `/docs`: TRY is pressed as a reader would press it, and the start page's commands run. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { openBlank } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

interface Attempt {
  /** The operation's place on the page: `post-/v1/runs`. */
  readonly at: string
  /** The summary of the example to choose; the first unless given. */
  readonly example?: string
  /** Acts on the operation before TRY is pressed. */
  readonly before?: (page: Page) => Promise<unknown>
}
interface Tried {
  readonly status: number
  readonly text: string
}

/** Opens `/docs` and sets the key. */
async function openDocs(stage: Stage, width: number): Promise<Page> {
  const { server, browser } = stage
  const page = await openBlank(browser, stage, { viewport: { width, height: 900 } })
  await page.goto(`${server.url}/docs`)
  if (width >= 768) await page.locator('#link-auth').click()
  await page.locator('.api-key-input').fill(server.key)
  await page.getByRole('button', { name: 'SET' }).click()
  await page.getByText('1 API key applied').waitFor()
  return page
}

async function press(page: Page, { at: name, example, before }: Attempt): Promise<Tried> {
  const at = name.replaceAll(/[{}]/g, '-')
  await page.locator(`[id="link-${at}"]`).click()
  const button = page.locator('rapi-doc').getByRole('button', { name: 'TRY' })
  await page.locator(`[id="${at}"]`).waitFor()
  if (example !== undefined)
    await page.locator('.request-body-container select').selectOption({ label: example })
  await before?.(page)
  const answered = page.waitForResponse((response) => response.url().includes('/v1/'))
  await button.click()
  const response = await answered
  return { status: response.status(), text: await response.text() }
}

const pasted =
  (text: string, at: { readonly in: string; readonly name: string } = { in: 'path', name: 'id' }) =>
  (page: Page): Promise<void> =>
    page.locator(`[data-ptype="${at.in}"][data-pname="${at.name}"]`).fill(text)

const ATTEMPTS: readonly Attempt[] = [
  { at: 'post-/v1/runs' },
  {
    at: 'post-/v1/runs',
    example: 'Start a run and wait for its answer',
    before: (page) => page.locator('a[data-example="wait=30"]').click(),
  },
  {
    at: 'post-/v1/runs',
    example: 'Start a run and stream its events',
    before: (page) => page.locator('api-response select').first().selectOption('text/event-stream'),
  },
  { at: 'get-/v1/runs' },
  { at: 'post-/v1/fanouts' },
  { at: 'get-/v1/tools' },
  { at: 'post-/v1/sessions' },
  {
    at: 'put-/v1/files/{path}',
    before: (page) =>
      page.locator('api-request input[type=file]').setInputFiles({
        name: 'AGENTS.md',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('# Rules\n'),
      }),
  },
  { at: 'put-/v1/agents/{name}' },
  { at: 'post-/v1/keys' },
  { at: 'post-/v1/schedules' },
  { at: 'post-/v1/chat/completions' },
  { at: 'post-/v1/responses' },
]

const run = promisify(execFile)

export const DOCS: Scenarios = {
  async 'TRY of /docs answers 2xx at its first press, with and without a pasted ID'(stage) {
    const page = await openDocs(stage, 1_440)
    const all: Tried[] = []
    for (const attempt of ATTEMPTS) {
      const tried = await press(page, attempt)
      const { status, text } = tried
      const name = `${attempt.at} (${attempt.example ?? 'first example'})`
      check(stage, status >= 200 && status < 300, `${name}: ${status} ${text.slice(0, 200)}`)
      all.push(tried)
    }
    const [created, waited, streamed] = all
    check(stage, created?.status === 202, `a run answers ${created?.status}`)
    check(stage, waited?.status === 200, `a run with wait=30 answers ${waited?.status}`)
    const events = streamed?.text ?? ''
    check(stage, events.includes('run.completed'), `a stream answers ${events.slice(0, 100)}`)
    const { id } = JSON.parse(created?.text ?? '{}') as { id: string }
    for (const at of ['', '/events', '/transcript']) {
      const { status } = await press(page, { at: `get-/v1/runs/{id}${at}`, before: pasted(id) })
      check(stage, status === 200, `GET /v1/runs/{id}${at} of a pasted ID: ${status}`)
    }
    // An earlier scenario may have changed it.
    const etag = (await stage.server.ask('/v1/policy')).headers.get('etag') ?? ''
    const before = pasted(etag, { in: 'header', name: 'if-match' })
    const { status } = await press(page, { at: 'put-/v1/policy', before })
    check(stage, status === 200, `PUT /v1/policy of a pasted etag: ${status}`)
  },

  async 'the commands on the start page of /docs run as they stand'(stage) {
    const { server, browser } = stage
    const page = await openBlank(browser, stage)
    await page.goto(`${server.url}/docs`)
    const blocks = page.locator('#api-description pre')
    await blocks.first().waitFor()
    const commands = (await blocks.allTextContents()).filter((text) => text.includes('curl'))
    check(stage, commands.length === 4, `${commands.length} commands`)
    const outputs: string[] = []
    for (const command of commands) {
      const env = { PATH: process.env.PATH, STRATA_URL: server.url, STRATA_API_KEY: server.key }
      outputs.push((await run('bash', ['-euo', 'pipefail', '-c', command], { env })).stdout)
    }
    const expected = ['"status":"', '"status":"completed"', 'run.completed', '"object":"fanout"']
    for (const [at, part] of expected.entries())
      check(stage, outputs[at]?.includes(part) === true, `step ${at + 2}: ${outputs[at]}`)
    check(stage, outputs[3]?.includes('"status":"completed"') === true, `fan-out: ${outputs[3]}`)
  },

  async 'a narrow /docs shows summaries and descriptions in full and does not scroll sideways'(
    stage,
  ) {
    const page = await openDocs(stage, 390)
    const summary = page.locator('.endpoint-head .descr').first()
    check(stage, await summary.isVisible(), 'the list has no summaries')
    await page.locator('[id="post-/v1/runs"] .endpoint-head').click()
    await page.getByRole('button', { name: 'SCHEMA' }).first().click()
    const description = page.locator('schema-table .tr > .key-descr').first()
    check(stage, await description.isVisible(), 'the schema has no descriptions')
    const wide = await page.evaluate<string[]>(WIDE)
    check(stage, wide.length === 0, `wider than the page: ${wide.join(', ')}`)
  },
}

/** Elements that scroll or are cut sideways, in every shadow tree. */
const WIDE = `(() => {
  const found = []
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const { clientWidth, scrollWidth } = element
      const isText = /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)
      if (!isText && clientWidth > 0 && scrollWidth > clientWidth + 1)
        if (getComputedStyle(element).overflowX !== 'visible')
          found.push(element.tagName + '.' + element.className + ' ' + scrollWidth)
      if (element.shadowRoot) visit(element.shadowRoot)
    }
  }
  visit(document)
  return found
})()`
