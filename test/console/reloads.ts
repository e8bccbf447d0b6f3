/**
 * A page that is loaded anew after every event of a run beside one that never is. The store takes
 * one commit of the run at a time and stands still while both pages are compared: events that come
 * by one commit are never apart from each other, all others are.
 */

import type { Page } from 'playwright-core'
import { startHeld } from '../support/held.ts'
import { type Open, temporaryFolder } from '../support/launch.ts'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { askFor, clientAt, type Host, spawn, until } from './host.ts'
import { same } from './together.ts'

const ROOT = [
  '@text Three of us.',
  spawn('alpha', '@say found a'),
  spawn('beta', spawn('below', '@call file_list {"path": "."}', '@say listed'), '@await', '@say b'),
  spawn('gamma', '@call file_read {"path": "none.md"}', '@say found c'),
  ...['@await', '@say all three agree'],
].join('\n')

/** One of the subagents has the panel, as soon as it is there. */
async function openPanel(page: Page): Promise<void> {
  if (page.url().includes('open=')) return
  const card = page.getByRole('log').first().getByRole('button', { name: /^beta/ })
  if ((await card.count()) > 0) await card.click()
}

/** Of the whole tree. */
async function eventsOf({ api }: Host, id: string): Promise<number> {
  let count = 0
  for await (const { type } of api.runs.stream(id, { tree: true }))
    if (type !== 'assistant.delta') count += 1
  return count
}

async function reloads(given: Given): Promise<void> {
  const open: Open = []
  try {
    const dataDir = await temporaryFolder(open)
    const { gate, ...node } = await startHeld({
      ...{ ...given.env, PORT: '0', DATA_DIR: dataDir, ALLOW_LOOPBACK: 'true' },
    })
    open.push(node.close)
    const host = clientAt(node)
    await askFor(host, 'file_list')
    const own = { ...given, host }
    gate.close()
    const creates = host.api.runs.create({ input: ROOT })
    await until('it is created', async () => gate.waiting() > 0)
    await gate.letOne()
    const { id, session_id } = await creates
    const steady = await signedIn(own, {}, `/console/chat/${session_id}`)
    await steady.page.evaluate(() => Object.assign(globalThis, { __first: true }))
    const anew = await steady.page.context().newPage()
    await anew.goto(steady.page.url())
    const views = new Set<string>()
    let times = 0
    for (;;) {
      await openPanel(steady.page)
      await anew.goto(steady.page.url())
      await anew.reload()
      await anew.getByRole('log').first().waitFor()
      views.add(await same(steady.page, anew, `after ${times} commits`))
      times += 1
      let status = ''
      await until('it goes on, asks, or is over', async () => {
        if (gate.waiting() > 0) return true
        const [[asked], run] = await Promise.all([
          host.api.approvals.list({ status: 'pending' }).then(({ data }) => data),
          host.api.runs.get(id),
        ])
        status = run.status
        if (asked) void host.api.approvals.decide(asked.id, { decision: 'approve' })
        return status === 'completed'
      })
      if (gate.waiting() === 0) break
      await gate.letOne()
    }
    const kept = await steady.page.evaluate(() => '__first' in globalThis)
    holds(kept, 'the other page was loaded anew too')
    holds([...views].at(-1)?.includes('all three agree') === true, [...views].at(-1) ?? '')
    const events = await eventsOf(host, id)
    const counts = `${events} events, ${times} commits, ${views.size} different views`
    console.log(`        ${counts}, each the same`)
    holds(events >= 40 && times >= 20 && views.size >= 10, counts)
    unharmed(steady)
  } finally {
    for (const close of open.reverse()) await close()
  }
}

export const RELOADS: Record<string, Check> = {
  'chat: a reload after every event shows what no reload shows': reloads,
}
