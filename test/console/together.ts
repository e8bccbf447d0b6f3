/** A run with three subagents and an approval below one of them, watched and decided in the chat. */

import { until } from '../support/patience.ts'
import { answer, openConsole, panel, send, transcript } from './console-page.ts'
import { untilSame } from './same.ts'
import { check, type Stage } from './stage.ts'

export const spawn = (label: string, ...task: readonly string[]): string =>
  `@spawn 1 ${JSON.stringify({ label, agent: 'general', task: task.join('\n') })}`

/** Calls of this tool wait for a person from here on. */
export async function askFor({ server }: Pick<Stage, 'server'>, tool: string): Promise<void> {
  const answered = await server.ask('/v1/policy')
  const policy = answered.ok ? ((await answered.json()) as { approvals?: object }) : {}
  const etag = answered.headers.get('etag')
  const approvals = { ...policy.approvals, [tool]: 'ask' }
  await server.get('/v1/policy', {
    method: 'PUT',
    json: { ...policy, approvals },
    headers: etag === null ? { 'if-none-match': '*' } : { 'if-match': etag },
  })
}

const INPUT = [
  '@text Three of us.',
  spawn('alpha', '@say found a'),
  spawn('beta', spawn('below', '@call file_list {"path": "."}', '@say listed'), '@await', '@say b'),
  spawn('gamma', '@call file_read {"path": "none.md"}', '@say found c'),
  ...['@await', '@say all three agree'],
].join('\n')

/** The state of each card while the approval waits. */
const STATES = { alpha: 'Completed', beta: 'Needs you', gamma: 'Completed' }

export async function watchesSubagents(stage: Stage): Promise<void> {
  await askFor(stage, 'file_list')
  const page = await openConsole(stage)
  await send(page, INPUT)
  const cards = transcript(page).locator('[data-subagent]')
  for (const [name, state] of Object.entries(STATES))
    await cards.filter({ hasText: name }).filter({ hasText: state }).waitFor()
  await cards.filter({ hasText: 'beta' }).click()
  await panel(page).locator('[data-subagent]').click()
  await panel(page).getByRole('button', { name: 'Back to beta' }).waitFor()
  check(stage, /\?panel=run_/.test(page.url()), `the address lacks the panel: ${page.url()}`)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await panel(other).waitFor()
  await untilSame(page, other, 'while the approval waits')
  await other.keyboard.press('Escape')
  await panel(other).getByRole('heading', { name: 'beta' }).waitFor()
  await other.keyboard.press('Escape')
  await panel(other).waitFor({ state: 'detached' })
  await other.locator('body').click({ position: { x: 700, y: 20 } })
  await other.keyboard.press('a')
  await answer(page, 'all three agree').waitFor()
  await answer(other, 'all three agree').waitFor()
  const pending = await until('no approval waits', async () => {
    const { data } = await stage.server.get<{ data: unknown[] }>('/v1/approvals?status=pending')
    return data.length === 0 && 'none'
  })
  check(stage, pending === 'none', 'an approval waits')
  await other.goto(page.url())
  await page.reload()
  const view = await untilSame(page, other, 'after a reload')
  for (const part of [...Object.keys(STATES), 'Three of us.', 'all three agree', 'listed'])
    check(stage, view.includes(part), `the conversation lacks "${part}": ${view}`)
}
