/** The page of the effective configuration: origins, hidden files, reasons, findings, and scopes. */

import type { Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { runToEnd } from '../support/launch.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const clientOf = ({ server }: Stage) => createClient({ url: server.url, apiKey: server.key })

const skill = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nDo it.\n`

const FILES: Readonly<Record<string, string>> = {
  'base/.agents/skills/labels/SKILL.md': skill('labels', 'Prints labels.'),
  'repos/depot/.agents/skills/labels/SKILL.md': skill('labels', 'Prints labels of the depot.'),
  'base/.agents/skills/browser/SKILL.md': skill(
    ...(['browser', 'Opens pages.', 'metadata: {requires: {secrets: [BROWSER_KEY]}}\n'] as const),
  ),
  'base/.agents/agents/sorter.md':
    '---\nname: sorter\ndescription: Sorts parcels.\ntools: file_read, no_such_tool\n---\nSort.\n',
  'base/.agents/agents/headless.md': '---\nname: headless\n---\nX\n',
  'base/.agents/schedules/nightly.md':
    '---\ncron: "0 2 * * *"\nagent: sorter\n---\nSort the parcels of the day.\n',
  'base/.agents/config.toml':
    '[mcp_servers.manuals]\nurl = "http://127.0.0.1:9/mcp"\nenabled = false\n',
}

async function withLayers(stage: Stage, act: () => Promise<void>): Promise<void> {
  const { files } = clientOf(stage)
  for (const [path, text] of Object.entries(FILES)) await files.put(path, text)
  try {
    await act()
  } finally {
    for (const path of Object.keys(FILES)) await files.delete(path)
  }
}

async function openEffective(stage: Stage, search = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/layers/effective${search}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Opens the console with a key. */
async function signedIn(stage: Stage, key: string): Promise<Page> {
  const page = await openBlank(stage.browser, stage)
  await page.goto(`${stage.server.url}/console`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('#main').waitFor()
  return page
}

const row = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first()

const detail = (page: Page) => page.getByRole('region', { name: 'Entry' })

const searchIn = (page: Page): string => new URL(page.url()).search

export const EFFECTIVE: Scenarios = {
  async 'effective: an entry names its file and the file that it hides'(stage) {
    await withLayers(stage, async () => {
      const page = await openConsole(stage)
      await page.locator('#main').focus()
      await page.keyboard.press('g')
      await page.keyboard.press('e')
      await page.waitForURL(/\/layers\/effective/)
      await page.getByLabel('Repository').fill('repos/depot')
      await page.keyboard.press('Enter')
      await page.waitForURL(/repo=repos/)
      await page.getByText('base/ › repos/depot/').waitFor()
      await page.getByLabel('Repository').blur()
      await page.keyboard.press('2')
      await row(page, 'labels').getByText('Hides base/.agents/skills/labels/SKILL.md').waitFor({
        state: 'attached',
      })
      await page.keyboard.press('/')
      await page.keyboard.type('depot')
      await row(page, 'browser').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await detail(page).getByText('repos/depot/.agents/skills/labels/SKILL.md').waitFor()
      await detail(page).getByText('Prints labels of the depot.').waitFor()
      check(stage, /kind=skills/.test(searchIn(page)), `no tab in ${page.url()}`)
      await page.reload()
      await detail(page).getByText('base/.agents/skills/labels/SKILL.md', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await detail(page).waitFor({ state: 'detached' })
      // The entry, the filter, and the list without a filter.
      for (let step = 0; step < 3; step++) await page.goBack()
      await row(page, 'browser').waitFor()
    })
  },

  async 'effective: what is missing has its reason, and a finding its file and line'(stage) {
    await withLayers(stage, async () => {
      const page = await openEffective(stage, '?kind=missing')
      await row(page, 'browser').getByText('requires the secret BROWSER_KEY').waitFor()
      await row(page, 'base/.agents/agents/headless.md').getByText('Rejected').waitFor()
      await row(page, 'browser').getByRole('button').click()
      await detail(page).getByRole('button', { name: 'Open browser' }).click()
      await page.waitForURL(/kind=skills/)
      await detail(page).getByText('Unavailable').waitFor()
      await page.goto(`${stage.server.url}/console/layers/effective?name=sorter`)
      await detail(page).getByText('base/.agents/agents/sorter.md:4').waitFor()
      await detail(page).getByText('unknown tool `no_such_tool`').waitFor()
    })
  },

  async 'effective: a skill that is switched off is absent from new runs until it is on'(stage) {
    await withLayers(stage, async () => {
      const page = await openEffective(stage, '?kind=skills&repo=repos%2Fdepot')
      const control = page.getByRole('switch', { name: 'Use labels' })
      for (const isOn of [false, true]) {
        await control.click()
        const verb = isOn ? 'on' : 'off'
        await page.getByText(`labels was switched ${verb} in repos/depot/.`).waitFor()
        await row(page, 'labels')
          .getByText(isOn ? 'Ready' : 'Switched off')
          .waitFor()
        check(stage, (await control.getAttribute('aria-checked')) === `${isOn}`, `not ${verb}`)
        const run = await runToEnd(stage.server, { input: '@say x', repo_dir: 'repos/depot' })
        const { skills } = await clientOf(stage).runs.config(run.id)
        const isGiven = skills.some(({ id }) => id === 'labels')
        check(stage, isGiven === isOn, `a run after the switch ${verb} has labels: ${isGiven}`)
      }
      // Another layer disables the skill, so its switch is there.
      await clientOf(stage).skills.update(
        'browser',
        { enabled: false },
        { query: { layer: 'repos/depot/' } },
      )
      await page.reload()
      await page.getByRole('switch', { name: 'Use browser' }).click()
      await page.getByText('browser was switched on in repos/depot/.').waitFor()
      await row(page, 'browser').getByText('Unavailable').waitFor()
    })
  },

  async 'effective: a server is tested and authorized, or the reason is told'(stage) {
    await withLayers(stage, async () => {
      const page = await openEffective(stage, '?kind=servers&name=manuals')
      await detail(page).getByRole('button', { name: 'Test the connection' }).click()
      await detail(page)
        .getByText(/Not reachable after /)
        .waitFor()
      await detail(page).getByRole('button', { name: 'Authorize' }).click()
      await detail(page).getByRole('alert').waitFor()
      await detail(page).getByRole('button', { name: 'Forget the authorization' }).click()
      await detail(page).getByText('There was no authorization.').waitFor()
      await page.getByRole('button', { name: 'Read all files and tool lists again' }).click()
      await page.getByText('Read again.').waitFor()
      await judge(stage, page, 'effective, test of a server')
      await page.setViewportSize({ width: 1_440, height: 900 })
      await page.getByRole('switch', { name: 'Use manuals' }).click()
      await page.getByText('manuals was switched on in base/.').waitFor()
      await detail(page).getByText('Switched off').waitFor({ state: 'detached' })
    })
  },

  async 'effective: a schedule of a file starts to run at its times'(stage) {
    await withLayers(stage, async () => {
      const page = await openEffective(stage, '?kind=schedules&name=nightly')
      await detail(page).getByRole('button', { name: 'Enable this schedule' }).click()
      await detail(page).getByText('The schedule follows its file.').waitFor()
      await detail(page).getByRole('link', { name: 'Schedules', exact: true }).click()
      await page.getByRole('article', { name: 'nightly' }).waitFor()
      await clientOf(stage).schedules.delete('nightly')
    })
  },

  async 'effective: a key that may only read is offered no switch and no test'(stage) {
    await withLayers(stage, async () => {
      const json = { name: 'reader', scopes: ['sessions:read', 'runs:read', 'layers:read'] }
      const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
      const page = await signedIn(stage, key)
      await page.goto(`${stage.server.url}/console/layers/effective?kind=servers&name=manuals`)
      await detail(page).getByText('does not have the scope layers:write').waitFor()
      check(stage, (await page.getByRole('switch').count()) === 0, 'a switch is offered')
    })
  },

  async 'effective: two choices are compared, with the members that changed'(stage) {
    await withLayers(stage, async () => {
      const page = await openEffective(stage)
      await page.getByRole('button', { name: 'Compare with…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Compare with…' })
      await dialog.getByLabel('Repository').fill('repos/depot')
      await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
      await page.getByRole('heading', { name: 'From the base layer to repos/depot' }).waitFor()
      const label = row(page, 'labels')
      await label.getByText('Changed').waitFor()
      await label.getByText(/origin, skill_md/).waitFor()
      await judge(stage, page, 'effective, comparison')
      await page.setViewportSize({ width: 1_440, height: 900 })
      await label.getByRole('link', { name: 'labels' }).click()
      await detail(page).getByText('base/.agents/skills/labels/SKILL.md').waitFor()
      await page.goBack()
      await label.waitFor()
      const { digest } = await clientOf(stage).layers.resolve({})
      await page.goto(`${stage.server.url}/console/layers/effective?cmp=${digest}`)
      await page.getByText('Both sides give the same agents, skills, and servers.').waitFor()
      await page.goto(`${stage.server.url}/console/layers/effective?cmp=${'0'.repeat(64)}`)
      await page.getByRole('alert').getByText('No configuration found with digest').waitFor()
      await page.getByRole('button', { name: 'End the comparison' }).click()
      await row(page, 'sorter').waitFor()
    })
  },

  async 'effective: layers that do not exist are refused with the reason'(stage) {
    const page = await openEffective(stage, '?repo=repos%2Fnowhere')
    await page.getByRole('alert').getByText('repos/nowhere').waitFor()
    await page.getByLabel('Repository').fill('')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Agents' }).waitFor()
    check(stage, (await page.getByRole('alert').count()) === 0, 'the refusal stays')
  },

  async 'effective: a key without the scope is told which one is missing'(stage) {
    const json = { name: 'reader', scopes: ['sessions:read', 'runs:read'] }
    const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    const page = await signedIn(stage, key)
    check(
      stage,
      (await page.getByTitle('Effective configuration (g e)').count()) === 0,
      'the link is offered',
    )
    await page.goto(`${stage.server.url}/console/layers/effective`)
    await page.getByText('does not have the scope layers:read').waitFor()
  },

  async 'effective: axe finds no violation on any tab and entry'(stage) {
    await withLayers(stage, async () => {
      const page = await openEffective(stage)
      const names = {
        ...{ agents: 'sorter', skills: 'labels', servers: 'manuals', schedules: 'nightly' },
        ...{ tools: 'file_read', missing: 'skill browser' },
      }
      for (const [kind, name] of Object.entries(names)) {
        await page.setViewportSize({ width: 1_440, height: 900 })
        const search = new URLSearchParams({ kind, repo: 'repos/depot' })
        await page.goto(`${stage.server.url}/console/layers/effective?${search}`)
        await page.getByRole('main').getByRole('listitem').first().waitFor()
        await judge(stage, page, `effective, ${kind}`)
        search.set('name', name)
        await page.goto(`${stage.server.url}/console/layers/effective?${search}`)
        await detail(page).getByRole('heading').first().waitFor()
        await judge(stage, page, `effective, ${kind}, ${name}`)
      }
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(`${stage.server.url}/console/layers/effective`)
      await page.getByRole('button', { name: 'For the base layer' }).click()
      await page.getByRole('dialog').getByLabel('Role').waitFor()
      await judge(stage, page, 'effective, choice')
    })
  },
}
