/** The page of layers: editing, findings, conflicts, versions, new files, migration, and scopes. */

import type { Locator, Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const clientOf = ({ server }: Stage) => createClient({ url: server.url, apiKey: server.key })

const WIDE = { width: 1_440, height: 900 }
const NARROW = { width: 360, height: 740 }
const LAYER = 'repos/desk/'
const PATH = `${LAYER}.agents/agents/clerk.md`
const QUERY = { query: { layer: LAYER } }

const clerk = (text: string, tools = 'file_read'): string =>
  `---\nname: clerk\ndescription: Files letters.\ntools: ${tools}\n---\n${text}\n`

/** Acts on a layer with one agent, and removes all files of the layer afterwards. */
async function withClerk(stage: Stage, act: () => Promise<void>): Promise<void> {
  const { agents, files } = clientOf(stage)
  await agents.put('clerk', { agent_md: clerk('File one letter.') }, QUERY)
  try {
    await act()
  } finally {
    for await (const { path } of files.list({ prefix: LAYER })) await files.delete(path)
  }
}

async function openLayers(stage: Stage, search: Readonly<Record<string, string>>): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/layers?${new URLSearchParams(search)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const editor = (page: Page, name = PATH): Locator =>
  page.getByRole('textbox', { name, exact: true })
const findings = (page: Page): Locator => page.getByRole('list', { name: 'Findings' })
const fileRow = (page: Page, name: string): Locator =>
  page.getByRole('treeitem').filter({ hasText: name })

async function typeAtEnd(page: Page, text: string, name = PATH): Promise<void> {
  await editor(page, name).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

/** Replaces the text as a person does who deletes it first. */
async function replaceText(page: Page, text: string, name = PATH): Promise<void> {
  await editor(page, name).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

const textOf = async (stage: Stage, path = PATH): Promise<string> => {
  const file = await clientOf(stage).files.get(path)
  return new TextDecoder().decode(file?.bytes)
}

/** Opens the console with a key that has some scopes. */
async function signedIn(stage: Stage, scopes: readonly string[]): Promise<Page> {
  const json = { name: 'reader', scopes }
  const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
  const page = await openBlank(stage.browser, stage)
  await page.goto(`${stage.server.url}/console`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('#main').waitFor()
  return page
}

/** Lists one file, as if it had 5 MiB. Returns the requests for its content. */
async function enlarged(page: Page, name: string): Promise<readonly string[]> {
  const file = { path: `${LAYER}${name}`, etag: 'e', size: 5 * 1_048_576 }
  const json = { data: [file], next_cursor: null, has_more: false }
  await page.route('**/v1/files?*', (route) => route.fulfill({ json }))
  const reads: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith(`/${name}`)) reads.push(pathname)
  })
  return reads
}

export const LAYERS: Scenarios = {
  async 'layers: two people edit one file; no character is lost, and the result is saved'(stage) {
    await withClerk(stage, async () => {
      const { agents } = clientOf(stage)
      const page = await openLayers(stage, { file: PATH })
      await typeAtEnd(page, 'My line.')
      await agents.put('clerk', { agent_md: clerk('File two letters.') }, QUERY)
      await page.keyboard.press('Control+s')
      await page.getByRole('alert').getByText('Another person has saved this file').waitFor()
      const texts = page.getByRole('region', { name: 'Both texts' })
      for (const text of ['My line.', 'File one letter.', 'File two letters.'])
        await texts.getByText(text).first().waitFor()
      await texts.getByText('Theirs').waitFor()
      await page.getByText('The author is not recorded.').waitFor({ state: 'detached' })
      const stored = await textOf(stage)
      check(stage, stored === clerk('File two letters.'), 'the conflict has written')
      await typeAtEnd(page, ' And more.', 'Result')
      await judge(stage, page, 'layers, conflict')
      await page.setViewportSize(WIDE)
      await page.reload()
      await editor(page, 'Result').getByText('My line. And more.').waitFor()
      await texts.getByText('File two letters.').waitFor()
      await page.getByRole('button', { name: 'Save the result' }).click()
      await editor(page).getByText('My line. And more.').waitFor()
      const merged = await textOf(stage)
      check(stage, merged === `${clerk('File one letter.')}My line. And more.`, merged)
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      await typeAtEnd(page, ' Again.')
      await agents.put('clerk', { agent_md: clerk('File three letters.') }, QUERY)
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Take theirs' }).click()
      await editor(page, 'Result').getByText('File three letters.').waitFor()
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await editor(page, 'Result').getByText('And more. Again.').waitFor()
      await page.getByRole('button', { name: 'Take theirs' }).click()
      await page.getByRole('button', { name: 'Save the result' }).click()
      await editor(page).getByText('File three letters.').waitFor()
      check(stage, (await textOf(stage)) === clerk('File three letters.'), 'theirs is lost')
    })
  },

  async 'layers: findings as one types equal those of the API, and go when the text is mended'(
    stage,
  ) {
    await withClerk(stage, async () => {
      const page = await openLayers(stage, { file: PATH })
      await page.getByText('No findings.').waitFor()
      const text = clerk('File one letter.', 'file_read, no_such_tool\nmax_steps: many')
      await replaceText(page, text)
      await findings(page).getByText('no_such_tool').waitFor()
      const { records } = await clientOf(stage).layers.resolve({
        repo_dir: 'repos/desk',
        overlay: { files: [{ path: PATH, text }] },
      })
      const expected = records.flatMap(({ layer, path, diagnostics }) =>
        layer + path === PATH ? diagnostics.map(({ line, message }) => ({ line, message })) : [],
      )
      const items = await findings(page).getByRole('listitem').allInnerTexts()
      check(stage, expected.length > 1, 'the text has one finding')
      check(stage, items.length === expected.length, `${items.length} findings: ${items}`)
      for (const { line, message } of expected)
        check(
          stage,
          items.some((item) => item.includes(message) && item.includes(`line ${line}`)),
          `${message} is not shown: ${items}`,
        )
      await page.keyboard.press('Control+Enter')
      await editor(page).locator('.cm-activeLine', { hasText: 'no_such_tool' }).waitFor()
      await judge(stage, page, 'layers, findings')
      await page.setViewportSize(WIDE)
      await findings(page).getByRole('button').filter({ hasText: 'line 5' }).first().click()
      await page.waitForURL((url) => url.searchParams.get('line') === '5')
      await page.context().setOffline(true)
      await page.keyboard.press('End')
      await page.keyboard.type(' ')
      await page.getByText('The text is not checked.').waitFor()
      await page.context().setOffline(false)
      await findings(page).getByText('no_such_tool').waitFor()
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Save the file without a version' }).click()
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage)) === text, 'a text with errors is not saved')
      const effective = new URLSearchParams({ repo: 'repos/desk', kind: 'missing' })
      await page.goto(`${stage.server.url}/console/layers/effective?${effective}`)
      await page.getByRole('main').getByRole('button').filter({ hasText: PATH }).first().click()
      await page.getByRole('link', { name: `${PATH}:4` }).click()
      await editor(page).locator('.cm-activeLine', { hasText: 'no_such_tool' }).waitFor()
      await replaceText(page, clerk('File two letters.'))
      await page.getByText('No findings.').waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage)) === clerk('File two letters.'), 'the text is not saved')
    })
  },

  async 'layers: a new file is checked, survives a reload as a draft, is saved, and is deleted'(
    stage,
  ) {
    await withClerk(stage, async () => {
      const { files } = clientOf(stage)
      await files.put(`${LAYER}logo.bin`, new Uint8Array([0, 1, 2]))
      const page = await openConsole(stage)
      await page.locator('#main').focus()
      await page.keyboard.press('g')
      await page.keyboard.press('l')
      await page.getByLabel('Layer', { exact: true }).selectOption(LAYER)
      await fileRow(page, 'logo.bin').waitFor()
      const reads = await enlarged(page, 'logo.bin')
      await page.reload()
      await fileRow(page, 'logo.bin').click()
      await page.getByText('The file has 5.0 MiB').waitFor()
      check(stage, reads.length === 0, `a large file was read: ${reads}`)
      await page.unroute('**/v1/files?*')
      await page.reload()
      await page.getByText('is not UTF-8 text, so it is not opened').waitFor()
      await page.getByRole('button', { name: 'New file' }).click()
      const dialog = page.getByRole('dialog', { name: 'New file' })
      await dialog.getByLabel('Content').selectOption('skill')
      await dialog.getByLabel('Path').fill(`${LAYER}a//b.md`)
      await dialog.getByText('Invalid path: a segment is empty').waitFor()
      await dialog.getByLabel('Path').fill(PATH)
      await dialog.getByText('This file exists.').waitFor()
      await judge(stage, page, 'layers, new file')
      await page.setViewportSize(WIDE)
      const path = `${LAYER}.agents/skills/stamp/SKILL.md`
      await dialog.getByLabel('Path').fill(path)
      await dialog.getByRole('button', { name: 'Begin the file' }).click()
      await editor(page, path).getByText('name: stamp').waitFor()
      await typeAtEnd(page, 'Stamp it.', path)
      await fileRow(page, 'SKILL.md').getByRole('img', { name: 'Not saved' }).waitFor()
      check(stage, (await files.get(path).catch(() => null)) === null, 'a draft is stored')
      await page.reload()
      await editor(page, path).getByText('Stamp it.').waitFor()
      await editor(page, path).click()
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage, path)).endsWith('Stamp it.'), 'the file is not stored')
      await replaceText(page, 'x'.repeat(1_100_000), path)
      await page.getByText('the editor opens and saves up to 1.0 MiB').waitFor()
      check(
        stage,
        await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(),
        'a text that is too large can be saved',
      )
      await page.getByRole('button', { name: 'Discard the changes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard the changes' }).click()
      await editor(page, path).getByText('Stamp it.').waitFor()
      await page.getByRole('button', { name: 'Delete the file' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click()
      await fileRow(page, 'stamp').waitFor({ state: 'detached' })
      await until('the file exists', async () => (await files.get(path).catch(() => null)) === null)
    })
  },

  async 'layers: an earlier version of an agent is compared and restored'(stage) {
    await withClerk(stage, async () => {
      const page = await openLayers(stage, { file: PATH })
      await typeAtEnd(page, 'File no parcels.')
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Versions' }).filter({ visible: true }).click()
      const versions = page.getByRole('list', { name: 'Versions' })
      await versions.getByRole('listitem').nth(1).getByRole('button').click()
      const comparison = page.getByRole('region', { name: 'Version compared with the stored text' })
      await comparison.getByText('File no parcels.').waitFor()
      await judge(stage, page, 'layers, version')
      await page.setViewportSize(WIDE)
      await comparison.getByRole('button', { name: 'Restore this version' }).click()
      await comparison.waitFor({ state: 'detached' })
      await editor(page).getByText('File no parcels.').waitFor({ state: 'detached' })
      const text = await textOf(stage)
      check(stage, text === clerk('File one letter.'), `the restored text is ${text}`)
      await page.getByRole('link', { name: 'Used by' }).filter({ visible: true }).click()
      await judge(stage, page, 'layers, uses')
      await page.setViewportSize(WIDE)
      await page.getByRole('link', { name: 'Runs of this agent' }).click()
      await page.waitForURL(/\/runs\?agent=clerk/)
    })
  },

  async 'layers: an old layout is migrated by its plan'(stage) {
    await withClerk(stage, async () => {
      const { files } = clientOf(stage)
      await files.put(`${LAYER}.goclaw/skills/stamp/SKILL.md`, '---\nname: stamp\n---\nStamp.\n')
      await files.put(
        `${LAYER}.goclaw/mcp.json`,
        '{"mcpServers": {"printer": {"url": "https://printer.example/mcp"}}}',
      )
      const page = await openLayers(stage, { layer: LAYER })
      await page.getByRole('button', { name: 'Migrate an old layout' }).click()
      const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
      await steps.filter({ hasText: 'Create' }).getByText('config.toml').first().waitFor()
      await steps.filter({ hasText: 'Move to' }).getByText('skills/stamp').first().waitFor()
      const oldFile = await files.get(`${LAYER}.goclaw/mcp.json`)
      check(stage, oldFile !== undefined, 'the plan has deleted a file')
      await judge(stage, page, 'layers, migration')
      await page.setViewportSize(WIDE)
      await page.getByRole('button', { name: 'Perform the steps' }).click()
      await page.getByText('steps were performed').waitFor()
      await fileRow(page, 'config.toml').waitFor()
      const text = await textOf(stage, `${LAYER}.agents/config.toml`)
      check(stage, text.includes('printer.example'), text)
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByText('Select a file.').waitFor()
    })
  },

  async 'layers: a narrow page shows files, text, and findings in turn; a long list stays short'(
    stage,
  ) {
    await withClerk(stage, async () => {
      const { files } = clientOf(stage)
      const names = Array.from({ length: 1_200 }, (_, index) => `${LAYER}notes/note-${index}.md`)
      for (let at = 0; at < names.length; at += 50)
        await Promise.all(names.slice(at, at + 50).map((path) => files.put(path, 'A note.\n')))
      const page = await openLayers(stage, { layer: LAYER })
      await page.setViewportSize(NARROW)
      const tree = page.getByRole('tree', { name: 'Files' })
      await fileRow(page, 'notes').click()
      await fileRow(page, 'note-0.md').waitFor()
      await tree.focus()
      await page.keyboard.press('End')
      await fileRow(page, 'note-999.md').waitFor()
      const count = await page.getByRole('treeitem').count()
      check(stage, count < 100, `${count} rows exist`)
      await judge(stage, page, 'layers, files')
      await page.setViewportSize(NARROW)
      await page.keyboard.press('Home')
      await page.getByLabel('Filter files').fill('clerk')
      await tree.focus()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await editor(page).getByText('File one letter.').waitFor()
      check(stage, !(await tree.isVisible()), 'the list covers the file')
      await judge(stage, page, 'layers, file')
      await page.setViewportSize(NARROW)
      await page.getByRole('link', { name: 'Findings' }).filter({ visible: true }).click()
      await page.getByText('No findings.').waitFor()
      check(stage, !(await editor(page).isVisible()), 'the editor covers the findings')
      await page.goBack()
      await editor(page).waitFor()
      await page.getByRole('button', { name: 'Back to the files' }).click()
      await tree.waitFor()
    })
  },

  async 'layers: a key without config:raw sees managed files only, and writes by operations'(
    stage,
  ) {
    await withClerk(stage, async () => {
      const { files } = clientOf(stage)
      await files.put(`${LAYER}README.md`, 'Read me.\n')
      await files.put(
        `${LAYER}.agents/config.toml`,
        '[mcp_servers.vault]\nurl = "https://vault.example/mcp"\nhttp_headers = {X-Key = "hush"}\n',
      )
      const scopes = ['sessions:read', 'runs:read', 'layers:read', 'layers:write']
      const page = await signedIn(stage, scopes)
      await page.goto(`${stage.server.url}/console/layers?layer=${encodeURIComponent(LAYER)}`)
      await page.getByText('does not have the scope config:raw').first().waitFor()
      await fileRow(page, 'clerk.md').waitFor()
      check(stage, (await fileRow(page, 'README.md').count()) === 0, 'README.md is listed')
      await fileRow(page, 'config.toml').click()
      await editor(page, `${LAYER}.agents/config.toml`).getByText('vault.example').waitFor()
      check(stage, !(await page.content()).includes('hush'), 'a header is shown')
      await judge(stage, page, 'layers, without config:raw')
      await page.setViewportSize(WIDE)
      await fileRow(page, 'clerk.md').click()
      await typeAtEnd(page, 'By its operation.')
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage)).endsWith('By its operation.'), 'nothing was saved')
      const reader = await signedIn(stage, scopes.slice(0, -1))
      await reader.goto(`${stage.server.url}/console/layers?file=${encodeURIComponent(PATH)}`)
      await reader.getByText('does not have the scope layers:write').waitFor()
      const saves = await reader.getByRole('button', { name: 'Save', exact: true }).count()
      check(stage, saves === 0, 'a key that may only read is offered to save')
      const raw = await signedIn(stage, ['sessions:read', 'config:raw'])
      await raw.goto(`${stage.server.url}/console/layers?file=${encodeURIComponent(PATH)}`)
      await raw.getByText('The text is not checked.').waitFor()
      await raw.getByText('does not have the scope layers:read').waitFor()
      const visitor = await signedIn(stage, ['sessions:read', 'runs:read'])
      await visitor.goto(`${stage.server.url}/console/layers`)
      await visitor.getByText('does not have the scope layers:read').waitFor()
    })
  },
}
