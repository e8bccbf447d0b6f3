/** The strings of `injections.ts` in every place of the console that shows text from outside. */

import type { Page } from 'playwright-core'
import { type Client, createRun, runToEnd, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { composer, openConsole, transcript } from './console-page.ts'
import { CALL, INJECTIONS } from './injections.ts'
import { check, type Scenarios } from './stage.ts'
import { askFor, spawn } from './together.ts'

interface Seen {
  /** Whether one of the strings can be read. */
  readonly isShown: boolean
  /** Elements that the page must not have. */
  readonly wrong: readonly string[]
}

/** The program that inspects a page. It is a text, because the types of this folder have no DOM. */
const INSPECT = `(mark) => {
  const all = [...document.querySelectorAll('body *')]
  const made = /^(?:SCRIPT|IFRAME|OBJECT|EMBED|VIDEO|AUDIO|BASE|META|LINK|MARQUEE|MATH|STYLE)$/
  const wrong = all.filter((one) => {
    const isOwn = one.tagName === 'SCRIPT' && one.parentElement === document.body
    const isForeign = one instanceof HTMLImageElement && new URL(one.src).origin !== location.origin
    const runs = one instanceof HTMLAnchorElement && one.hasAttribute('href') &&
      !/^(?:https?:|mailto:)/.test(one.href)
    const handles = one.getAttributeNames().some((name) => /^on|^(?:srcdoc|formaction)$/.test(name))
    return (made.test(one.tagName) && !isOwn) || isForeign || runs || handles
  }).map((one) => one.outerHTML.slice(0, 160))
  if (globalThis.__broken) wrong.push('a string has run')
  const texts = all.map((one) => 'value' in one && typeof one.value === 'string' ? one.value : '')
  texts.push(document.body.textContent ?? '')
  return { isShown: texts.some((text) => text.includes(mark)), wrong }
}`

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ')
const ALL = INJECTIONS.join('\n\n')
const [IMAGE = ''] = INJECTIONS
/** The bounds of the API. */
const LABEL_LENGTH = 100
const REASON_LENGTH = 2_000
const LATE_MS = 250

interface Filled {
  readonly said: string
  readonly parent: string
  readonly child: string
  readonly waiting: string
  readonly denied: string
  readonly question: string
  readonly failed: string
}

async function fill(server: Client): Promise<Filled> {
  const texts = INJECTIONS.map(
    (text) =>
      `@text ${oneLine(text)}\n@call todo {"todos": [{"content": ${JSON.stringify(oneLine(text))}, "status": "pending"}]}\n@then`,
  )
  const said = await runToEnd(server, {
    input: `@reason ${oneLine(ALL)}\n${texts.slice(0, 12).join('\n')}\n@say ${oneLine(ALL)}`,
  })
  await server.get(`/v1/sessions/${said.session_id}`, { method: 'PATCH', json: { title: IMAGE } })
  for (const input of INJECTIONS) await runToEnd(server, { input })
  const label = oneLine(IMAGE).slice(0, LABEL_LENGTH)
  const parent = await runToEnd(server, {
    input: [
      spawn(label, `@call file_read {"path": ${JSON.stringify(IMAGE)}}`, `@say ${IMAGE}`),
      ...['@await', `@say ${oneLine(ALL)}`],
    ].join('\n'),
  })
  const { data } = await server.get<{ data: { id: string }[] }>(`/v1/runs/${parent.id}/children`)
  const write = `@call file_write ${JSON.stringify({ path: 'a.md', content: ALL })}\n@say over`
  const waiting = await createRun(server, { input: write, label })
  const denied = await createRun(server, { input: write, label })
  await deny(server, denied.id)
  const question = await createRun(server, {
    input: `@call ask_user ${JSON.stringify({
      question: oneLine(ALL),
      choices: INJECTIONS.slice(0, 3).map((one) => ({ label: one, description: one })),
    })}`,
  })
  const failed = await runToEnd(server, { input: '@fail 400', agent: 'general', label })
  return {
    ...{ said: said.session_id, parent: parent.session_id, child: data[0]?.id ?? '' },
    ...{ waiting: waiting.session_id, denied: denied.session_id },
    ...{ question: question.session_id, failed: failed.session_id },
  }
}

async function deny(server: Client, run: string): Promise<void> {
  const { id } = await until('the run needs a decision', async () => {
    const { data } = await server.get<{ data: { id: string; run_id: string }[] }>('/v1/approvals')
    return data.find(({ run_id }) => run_id === run)
  })
  const json = { decision: 'deny', reason: oneLine(ALL).slice(0, REASON_LENGTH) }
  await server.get(`/v1/approvals/${id}/decision`, { method: 'POST', json })
  await untilEnd(server, run)
}

interface Place {
  readonly path: (filled: Filled) => string
  readonly open?: (page: Page) => Promise<unknown>
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

const PLACES: Readonly<Record<string, Place>> = {
  'a conversation': { path: ({ said }) => `chat/${said}` },
  'a tool call': {
    path: ({ said }) => `chat/${said}`,
    open: (page) => transcript(page).getByRole('button', { name: /todo/ }).last().click(),
  },
  'the list of conversations': {
    path: () => '',
    open: (page) => page.getByLabel('Search conversations').fill('<img'),
  },
  'a rename': {
    path: () => '',
    async open(page) {
      // The rows are replaced when the search is answered.
      const found = page.waitForResponse(/[?&]q=/)
      await page.getByLabel('Search conversations').fill('<img src=x')
      await found
      const list = page.getByRole('navigation', { name: 'Conversations' })
      const row = list.getByRole('listitem').filter({ hasText: '<img' }).first()
      await row.hover()
      await row.getByRole('button', { name: 'Rename' }).click()
    },
  },
  'a subagent': { path: ({ parent }) => `chat/${parent}` },
  'the panel': { path: ({ parent, child }) => `chat/${parent}?panel=${child}` },
  'an approval': { path: ({ waiting }) => `chat/${waiting}` },
  'edited arguments': {
    path: ({ waiting }) => `chat/${waiting}`,
    open: (page) => press(page, /^Edit/),
  },
  'a denied approval': {
    path: ({ denied }) => `chat/${denied}`,
    open: (page) => press(page, /file_write/),
  },
  'a question': { path: ({ question }) => `chat/${question}` },
  'a draft': { path: () => '', open: (page) => composer(page).fill(ALL) },
}

export const INJECTION: Scenarios = {
  async 'text from outside is text in every place'(stage) {
    const { server } = stage
    await askFor(stage, 'file_write')
    const filled = await fill(server)
    const page = await openConsole(stage)
    check(stage, INJECTIONS.length >= 60, `${INJECTIONS.length} strings`)
    for (const [name, { path, open }] of Object.entries(PLACES)) {
      await page.goto(`${server.url}/console/${path(filled)}`)
      await page.locator('textarea').first().waitFor()
      await open?.(page)
      const inspect = () => page.evaluate<Seen>(`(${INSPECT})(${JSON.stringify(CALL)})`)
      await until(`${name} shows a string`, async () => (await inspect()).isShown)
      // Parts that load late, and handlers that run late.
      await page.waitForTimeout(LATE_MS)
      const { wrong } = await inspect()
      check(stage, wrong.length === 0, `${name} has ${wrong.join('; ')}`)
    }
    console.log(`      ${INJECTIONS.length} strings in ${Object.keys(PLACES).length} places`)
  },
}
