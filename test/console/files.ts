/** Attached files of a draft: a reload keeps those that fit, and names those that it lost. */

import { PNG } from '../support/pictures.ts'
import { answer, composer, openConsole, send, transcript } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

/** Its Base64 is longer than what all drafts of a tab may store. */
const TOO_LARGE = { name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(3_200_000) }

/** Files are read when the test says so. */
const SLOW_READING = `const read = File.prototype.arrayBuffer
  const finished = new Promise((resolve) => { globalThis.finishReading = resolve })
  File.prototype.arrayBuffer = function () { return finished.then(() => read.call(this)) }`

async function runsWith({ server }: Stage, text: string): Promise<number> {
  const { data } = await server.get<{ data: { input: string }[] }>('/v1/runs?limit=100')
  return data.filter(({ input }) => input.startsWith(text)).length
}

export const FILES: Scenarios = {
  async 'a reload keeps attached files, and names those that were too large to keep'(stage) {
    const page = await openConsole(stage)
    await page
      .locator('input[type=file]')
      .setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
        TOO_LARGE,
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') },
      ])
    await page.getByText('Reloading the page removes large.bin.').waitFor()
    await page.reload()
    await page.getByText('1 file was not kept. Attach it again: large.bin').waitFor()
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
    const removable = await page.getByRole('button', { name: 'Remove large.bin' }).count()
    check(stage, removable === 0, 'a file that is gone stands among the attached ones')
    await page.reload()
    await page.getByText('1 file was not kept.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('1 file was not kept.').waitFor({ state: 'detached' })
    await send(page, 'What is this?')
    await answer(page, 'What is this?').waitFor()
    await transcript(page).getByRole('img', { name: 'dot.png' }).waitFor()
    await transcript(page).getByText('notes.txt', { exact: true }).waitFor()
    const stored = await page.evaluate<string[]>('Object.keys(sessionStorage)')
    check(stage, !stored.some((key) => key.includes('files')), `left behind: ${stored}`)
  },

  async 'a message is not sent without a file that is still being read'(stage) {
    const page = await openConsole(stage)
    await page.evaluate(SLOW_READING)
    const note = { name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') }
    await page.locator('input[type=file]').setInputFiles([note])
    await composer(page).fill('With its file.')
    await composer(page).press('Enter')
    await page.evaluate('finishReading()')
    await page.getByRole('button', { name: 'Remove slow.txt' }).waitFor()
    await send(page, 'With its file.')
    await transcript(page).getByText('slow.txt', { exact: true }).waitFor()
    await answer(page, 'With its file.').waitFor()
    check(stage, (await runsWith(stage, 'With its file.')) === 1, 'the message was sent twice')
  },

  async 'a message with files whose answer is lost is taken once, also after a reload'(stage) {
    const page = await openConsole(stage)
    const note = { name: 'once.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') }
    await page.locator('input[type=file]').setInputFiles([note])
    await page.getByRole('button', { name: 'Remove once.txt' }).waitFor()
    await composer(page).fill('Taken once.')
    await page.route('**/v1/runs', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await composer(page).press('Enter')
    await page.getByText('Not sent.').waitFor()
    await page.unroute('**/v1/runs')
    await page.reload()
    await page.getByRole('button', { name: 'Remove once.txt' }).waitFor()
    await composer(page).press('Enter')
    await answer(page, 'Taken once.').waitFor()
    check(stage, (await runsWith(stage, 'Taken once.')) === 1, 'the message was taken twice')
  },
}
