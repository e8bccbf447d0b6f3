/** Actions on runs that wait and on fan-outs that have ended: retry, stop, log, and deletion. */

import { createRun, runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'
import { spawn } from './together.ts'

const WIDE = { width: 1_440, height: 900 }

interface Run {
  readonly id: string
  readonly status: string
  readonly children: { readonly live: number }
}

export const OUTAGE: Scenarios = {
  async 'run: a run that waits for its model says since when and why, and is retried from its page'(
    stage,
  ) {
    const { id } = await createRun(stage.server, { input: '@fail 503 times=5\n@say back again' })
    const page = await openConsole(stage)
    await page.goto(`${stage.server.url}/console/runs/${id}?tab=transcript`)
    await page.getByText('The model has been unavailable since').waitFor()
    await page.getByText(/^The next attempt is/).waitFor()
    await judge(stage, page, 'outage')
    await page.setViewportSize(WIDE)
    await until('the run has not ended', async () => {
      const retry = page.getByRole('button', { name: 'Retry now' })
      if (await retry.isEnabled().catch(() => false)) await retry.click().catch(() => undefined)
      const { status } = await stage.server.get<Run>(`/v1/runs/${id}`)
      return status === 'completed'
    })
    await page.getByText('back again', { exact: true }).first().waitFor()
    await page.getByText('The model has been unavailable since').waitFor({ state: 'detached' })
  },

  async 'run: only the subagents are stopped, and the raw tab shows the transcript'(stage) {
    const input = [spawn('slow', '@slow 600000\n@say late'), '@await', '@say without it'].join('\n')
    const { id } = await createRun(stage.server, { input })
    const read = () => stage.server.get<Run>(`/v1/runs/${id}`)
    await until('the subagent runs', async () => (await read()).children.live === 1)
    const page = await openConsole(stage)
    await page.goto(`${stage.server.url}/console/runs/${id}?tab=raw`)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop only the subagents' }).click()
    await until('the run goes on without it', async () => (await read()).status === 'completed')
    await page.getByRole('button', { name: 'Transcript', exact: true }).click()
    await page.getByRole('group', { name: 'Transcript' }).getByText('without it').waitFor()
  },

  async 'fan-outs: the log of one is read, and one that has ended is deleted'(stage) {
    const { id } = await stage.server.get<{ id: string }>('/v1/fanouts', {
      method: 'POST',
      json: { tasks: [{ task: '@say one' }], label: 'Brief' },
    })
    await until('the fan-out has ended', async () => {
      const { status } = await stage.server.get<Run>(`/v1/fanouts/${id}`)
      return status === 'completed'
    })
    const page = await openConsole(stage)
    await page.goto(`${stage.server.url}/console/fanouts/${id}`)
    await page.getByText('Log', { exact: true }).click()
    const log = page.getByRole('list', { name: 'Log' })
    await log.getByText('fanout.completed').waitFor()
    await judge(stage, page, 'log of a fan-out')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/fanouts$/)
    const { status } = await stage.server.ask(`/v1/fanouts/${id}`)
    check(stage, status === 404 || status === 410, `the fan-out answers ${status}`)
    await runToEnd(stage.server, { input: '@say the server goes on' })
  },
}
