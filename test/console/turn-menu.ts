/** Retry and fork in the menus of a turn and of a conversation: each entry does what it says. */

import type { Page, Request } from 'playwright-core'
import { createRun, runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { PNG } from '../support/pictures.ts'
import { answer, composer, openConsole, send, sessionIn, transcript } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

interface Turn {
  readonly id: string
  readonly status: string
  readonly input: string
}

/** The turns of a session once all have ended, the oldest first. */
const turnsOf = (stage: Stage, session: string, count: number): Promise<readonly Turn[]> =>
  until(`the session has ${count} ended turns`, async () => {
    const { data } = await stage.server.get<{ data: Turn[] }>(`/v1/sessions/${session}/runs`)
    return data.length === count && data.every(({ status }) => status === 'completed') && data
  })

/** Returns the id of a session with a turn for each text. */
async function sessionOf(stage: Stage, ...texts: readonly string[]): Promise<string> {
  let session: string | undefined
  for (const text of texts) {
    const json = session === undefined ? { input: text } : { input: text, session_id: session }
    const run = await runToEnd(stage.server, json)
    session = run.session_id ?? ''
  }
  return session ?? ''
}

/** Chooses an entry of the menu of the turn at this place. */
async function choose(page: Page, turn: number, name: string): Promise<void> {
  await transcript(page).getByRole('button', { name: 'Turn actions' }).nth(turn).click()
  await page.getByRole('menuitem', { name }).click()
}

/** The bodies of forks that the page requests. */
function forksOf(page: Page): readonly (Record<string, unknown> | null)[] {
  const bodies: (Record<string, unknown> | null)[] = []
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/fork')) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** Waits until the draft is this text; it is filled in after the page has changed. */
const holds = (page: Page, text: string): Promise<true> =>
  until(`the draft is ${text}`, async () => (await composer(page).inputValue()) === text)

const LIVE = '@text I look.\n@call todo {"todos": []}\n@then\n@slow 60000\n@say x'

export const TURN_MENU: Scenarios = {
  async 'a turn is retried from its menu, also an earlier one; its menu says what it does'(stage) {
    const id = await sessionOf(stage, '@say the first', '@say the second')
    const page = await openConsole(stage, `chat/${id}`)
    await answer(page, 'the second').waitFor()
    await transcript(page).getByRole('button', { name: 'Turn actions' }).first().click()
    await page.getByRole('menuitem', { name: /Sends the same input in a new turn/ }).waitFor()
    await page.getByRole('menuitem', { name: /that ends with this turn/ }).waitFor()
    await page.keyboard.press('Escape')
    await choose(page, 0, 'Retry')
    const turns = await turnsOf(stage, id, 3)
    check(stage, turns[2]?.input === '@say the first', `the retry sent ${turns[2]?.input}`)
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: /Sends the input of the last turn/ }).waitFor()
    await page.getByRole('menuitem', { name: 'Retry' }).click()
    const all = await turnsOf(stage, id, 4)
    check(stage, all[3]?.input === '@say the first', `the retry sent ${all[3]?.input}`)
  },

  async 'a fork from a menu ends with the turn, or has the whole conversation'(stage) {
    const id = await sessionOf(stage, '@say the first', '@say the second')
    const page = await openConsole(stage, `chat/${id}`)
    const forks = forksOf(page)
    await answer(page, 'the second').waitFor()
    await choose(page, 0, 'Fork after this turn')
    await page.waitForURL((url) => !url.href.includes(id))
    await answer(page, 'the first').waitFor()
    check(stage, (await answer(page, 'the second').count()) === 0, 'the fork has a later turn')
    const [first] = await turnsOf(stage, id, 2)
    const body = JSON.stringify(forks[0])
    check(stage, body === JSON.stringify({ run_id: first?.id }), `the fork was asked as ${body}`)
    await page.goto(`${stage.server.url}/console/chat/${id}`)
    await answer(page, 'the second').waitFor()
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Fork' }).click()
    await page.waitForURL((url) => !url.href.includes(id))
    await answer(page, 'the first').waitFor()
    await answer(page, 'the second').waitFor()
    await send(page, '@say the third')
    await answer(page, 'the third').waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    const fork = sessionIn(page)
    await choose(page, 0, 'Edit in a new conversation')
    await page.waitForURL((url) => !url.href.includes(fork))
    await answer(page, 'the second').waitFor()
    check(stage, (await answer(page, 'the third').count()) === 0, 'the fork has the edited turn')
    const draft = await composer(page).inputValue()
    check(stage, draft === '@say the third', `the draft is "${draft}"`)
  },

  async 'a message is edited in a new conversation with its files, before its turn'(stage) {
    const same = '@say the same'
    const id = await sessionOf(stage, same, '@say between')
    const page = await openConsole(stage, `chat/${id}`)
    const forks = forksOf(page)
    await answer(page, 'between').waitFor()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') },
    ])
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    await send(page, 'What is this?')
    await transcript(page).getByRole('img', { name: 'dot.png' }).waitFor()
    const turns = await turnsOf(stage, id, 3)
    await choose(page, 2, 'Edit in a new conversation')
    await page.waitForURL((url) => !url.href.includes(id))
    await answer(page, 'between').waitFor()
    await holds(page, 'What is this?')
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
    const body = JSON.stringify(forks[0])
    check(stage, body === JSON.stringify({ run_id: turns[1]?.id }), `the fork was asked as ${body}`)
    await page.goto(`${stage.server.url}/console/chat/${id}`)
    await answer(page, 'between').waitFor()
    await choose(page, 0, 'Edit in a new conversation')
    await page.waitForURL(/\/console\/?$/)
    await holds(page, same)
  },

  async 'a turn at work has no menu until it has ended'(stage) {
    const live = await createRun(stage.server, { input: LIVE })
    const page = await openConsole(stage, `chat/${live.session_id}`)
    await answer(page, 'I look.').waitFor()
    const menus = transcript(page).getByRole('button', { name: 'Turn actions' })
    check(stage, (await menus.count()) === 0, 'a turn at work has a menu')
    await stage.server.ask(`/v1/runs/${live.id}/cancel`, { method: 'POST' })
    await menus.waitFor()
  },
}
