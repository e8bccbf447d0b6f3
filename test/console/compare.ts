/** The compare tab of a run: two digests of different layers, bad choices, and what is missing. */

import type { Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { createRun, runToEnd } from '../support/launch.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const AGENT = 'base/.agents/agents/night-digest.md'
const LOG = 'repos/night/night.md'
const INPUT = [
  ...['@text I read the log.', '@call file_read {"path": "night.md"}', '@then'],
  ...['@call todo {"todos": []}', '@then', '@say The digest is written.'],
].join('\n')

const agent = (tools: string, ...prompt: readonly string[]): string =>
  [`---\nname: night-digest\ndescription: Writes digests.\ntools: ${tools}\n---`, ...prompt].join(
    '\n',
  )

interface Digests {
  readonly older: string
  readonly newer: string
}

/** Two runs with the same input, between which the agent's file and the log change. */
async function writeDigests({ server }: Stage): Promise<Digests> {
  const { files } = createClient({ url: server.url, apiKey: server.key })
  const request = { input: INPUT, agent: 'night-digest', repo_dir: 'repos/night' }
  await files.put(AGENT, agent('file_read, todo', 'You write digests.', 'Ask before you guess.'))
  await files.put(LOG, 'Three tickets.\nOne is open.\n')
  const older = await runToEnd(server, { ...request, label: 'Digest of Monday' })
  await files.put(
    AGENT,
    agent('file_read, todo, content_search', 'You write digests.', 'Ask before you publish.'),
  )
  await files.put(LOG, 'Three tickets.\nTwo are open.\n')
  const limits = { max_steps: 7 }
  const newer = await runToEnd(server, { ...request, limits, label: 'Digest of Tuesday' })
  return { older: older.id, newer: newer.id }
}

async function openCompare(stage: Stage, run: string, query = '', options = {}): Promise<Page> {
  const page = await openConsole(stage, '', options)
  await page.goto(`${stage.server.url}/console/runs/${run}?tab=compare${query}`)
  await page.getByRole('tabpanel', { name: 'Compare' }).waitFor()
  return page
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const COMPARE: Scenarios = {
  async 'two digests of different layers are compared by keyboard, from the list to the difference'(
    stage,
  ) {
    const { older, newer } = await writeDigests(stage)
    const page = await openConsole(stage)
    await page.goto(`${stage.server.url}/console/runs?agent=night-digest`)
    await page.getByRole('row').filter({ hasText: 'Digest of Monday' }).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('v')
    await page.getByText('Mark exactly two runs to compare them').waitFor()
    for (const key of ['x', 'j', 'x', 'v']) await page.keyboard.press(key)
    await page.waitForURL(`**/runs/${older}?tab=compare&with=${newer}`)
    await page.getByText('First difference: Step 1, result').waitFor()
    const jump = page.getByRole('link', { name: 'Go to the difference' })
    await jump.focus()
    await page.keyboard.press('Enter')
    const focused = await page.evaluate<string>('document.activeElement?.id')
    check(stage, focused === 'step-0-0', `the focus is on ${focused}`)
    const step = page.locator('#step-0-0')
    await step.locator('del').filter({ hasText: 'One is' }).waitFor()
    await step.locator('ins').filter({ hasText: 'Two are' }).waitFor()
    await section(page, 'Steps').getByText('1 of 3 differ').waitFor()
    await section(page, 'Steps').getByRole('button', { name: '2 equal steps' }).press('Enter')
    await section(page, 'Steps').getByText('The digest is written.').waitFor()
    await section(page, 'Prompt').locator('ins', { hasText: 'publish' }).waitFor()
    await section(page, 'Tools').getByText('content_search').waitFor()
    await section(page, 'From the layers').getByText('night-digest').waitFor()
    await section(page, 'Settings')
      .getByRole('row')
      .filter({ hasText: 'limits.max_steps' })
      .first()
      .waitFor()
    await page.keyboard.press('7')
    await page.getByRole('tabpanel', { name: 'Raw' }).waitFor()
    await page.keyboard.press('6')
    await page.getByText('First difference: Step 1, result').waitFor()
    await page.getByRole('link', { name: 'Swap sides' }).press('Enter')
    await page.waitForURL(`**/runs/${newer}?tab=compare&with=${older}`)
    await page.locator('#step-0-0 del').filter({ hasText: 'Two are' }).waitFor()
    await judge(stage, page, 'comparison of two runs')
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    check(stage, width <= 360, `the page is ${width} px wide`)
    await page.setViewportSize({ width: 1_440, height: 900 })
    const { pathname, search } = new URL(page.url())
    const zh = await openConsole(stage, '', { locale: 'zh-CN' })
    await zh.goto(`${stage.server.url}${pathname}${search}`)
    await zh.getByText('第一处差异：第 1 步，结果').waitFor()
    await judge(stage, zh, 'Chinese comparison')
  },

  async 'the other run is chosen by a link or from recent runs; wrong choices say why'(stage) {
    const { server } = stage
    const { older, newer } = await writeDigests(stage)
    const page = await openCompare(stage, older)
    const field = page.getByRole('textbox', { name: 'Run ID or link' })
    await field.fill('run_7')
    await field.press('Enter')
    await page.getByText('Enter the ID of a run').waitFor()
    await judge(stage, page, 'choice of a run')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await field.fill(`${server.url}/console/runs/${newer}?tab=events`)
    await field.press('Enter')
    await page.waitForURL(/with=run_/)
    await page.getByText('First difference').waitFor()
    await page.getByRole('button', { name: 'Choose another run' }).click()
    await page
      .getByRole('button', { name: /Digest of Tuesday/ })
      .first()
      .click()
    await page.getByText('First difference').waitFor()
    await page.goBack()
    await field.waitFor()
    for (const [value, text] of [
      [older, 'A run cannot be compared with itself.'],
      ['nonsense', 'nonsense is not the ID of a run.'],
      [`run_${'a'.repeat(26)}`, 'The run was deleted, or is older than the retention of runs.'],
    ] as const) {
      await page.goto(`${server.url}/console/runs/${older}?tab=compare&with=${value}`)
      await page.getByText(text).waitFor()
      await field.waitFor()
    }
    const alone = await runToEnd(server, { input: '@say x', agent: 'summarizer' })
    await page.goto(`${server.url}/console/runs/${alone.id}?tab=compare`)
    await page.getByText('There is no other run of summarizer.').waitFor()
    const twin = await runToEnd(server, { input: '@say x' })
    await page.goto(`${server.url}/console/runs/${alone.id}?tab=compare&with=${twin.id}`)
    await page.getByText('The steps of both runs are equal.').waitFor()
    const start_at = new Date(Date.now() + 3_600_000).toISOString()
    const queued = await createRun(server, { input: '@say x', label: 'later', start_at })
    await page.goto(`${server.url}/console/runs/${alone.id}?tab=compare&with=${queued.id}`)
    await page.getByText('later has not started').waitFor()
    await page.getByText('A run is live.').waitFor()
    await server.ask(`/v1/runs/${queued.id}/cancel`, { method: 'POST' })
  },

  async 'a comparison names texts that are no longer stored, and a missing scope'(stage) {
    const { server } = stage
    const { files } = createClient({ url: server.url, apiKey: server.key })
    const ids: string[] = []
    for (const name of ['a', 'b']) {
      await files.put('repos/night/large.md', `${'same\n'.repeat(8_000)}${name}\n`)
      const input = '@call file_read {"path": "large.md"}\n@then\n@say read'
      ids.push((await runToEnd(server, { input, repo_dir: 'repos/night' })).id)
    }
    const [left = '', right = ''] = ids
    const page = await openConsole(stage)
    const detail = 'The text is no longer stored.'
    const problem = { type: 'about:blank', title: 'Gone', status: 410, code: 'gone', detail }
    await page.route(/\/texts\//, (route) => route.fulfill({ status: 410, json: problem }))
    await page.goto(`${server.url}/console/runs/${left}?tab=compare&with=${right}`)
    await page.getByText('First difference: Step 1, result').waitFor()
    await page.getByText('Only the beginning is available.').first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const { older, newer } = await writeDigests(stage)
    const json = { name: 'run reader', scopes: ['runs:read', 'sessions:read'] }
    const { key } = await server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    await page.context().clearCookies()
    await page.goto(`${server.url}/console/runs/${older}?tab=compare&with=${newer}`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await section(page, 'From the layers')
      .getByText('does not have the scope layers:read')
      .waitFor()
    await page.getByText('First difference: Step 1, result').waitFor()
  },
}
