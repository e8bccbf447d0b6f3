/** A server that is killed while a page follows a run. */

import { startModelServer } from '../../src/testing/model-server.ts'
import { launchServer, type Open } from '../support/launch.ts'
import { answer, openConsole, send, transcript } from './console-page.ts'
import { untilSame } from './same.ts'
import { check, type Scenarios } from './stage.ts'
import { spawn } from './together.ts'

const INPUT = [spawn('one', '@slow 1500\n@say found'), '@await', '@slow 1500', '@say it survived']

export const KILLED: Scenarios = {
  async 'a server that is killed in a stream costs no text: the page says so and goes on'(stage) {
    const { browser, faults } = stage
    const open: Open = []
    try {
      const model = await startModelServer()
      open.push(() => model.close())
      const env = { OPENAI_BASE_URL: model.url }
      const first = await launchServer({ open, env })
      const page = await openConsole({ server: first, browser, faults })
      await send(page, INPUT.join('\n'))
      await transcript(page).locator('[data-subagent]').waitFor()
      await first.process.stop('SIGKILL')
      await page.getByText('Disconnected since').waitFor()
      const { port } = new URL(first.url)
      await launchServer({ open, before: first, env: { ...env, PORT: port } })
      await answer(page, 'it survived').waitFor()
      await page.getByText('Disconnected since').waitFor({ state: 'detached' })
      const other = await page.context().newPage()
      await other.goto(page.url())
      await untilSame(page, other, 'after a kill')
      const texts = transcript(page).locator('.prose-strata', { hasText: 'it survived' })
      check(stage, (await texts.count()) === 1, 'the answer is shown twice')
    } finally {
      for (const close of open.reverse()) await close()
    }
  },
}
