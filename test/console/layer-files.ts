/** Files on the page of layers: new and refused ones, migration, and long lists. */

import type { Page } from 'playwright-core'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import {
  clientOf,
  editor,
  fileRow,
  LAYER,
  NARROW,
  openLayers,
  PATH,
  replaceText,
  textOf,
  typeAtEnd,
  WIDE,
  withClerk,
} from './layer-page.ts'
import { check, type Scenarios } from './stage.ts'

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

export const LAYER_FILES: Scenarios = {
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
      await dialog.getByRole('button', { name: 'Create the file' }).click()
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

  async 'layers: an earlier write of a raw file is compared and restored'(stage) {
    await withClerk(stage, async () => {
      const { files } = clientOf(stage)
      const file = `${LAYER}AGENTS.md`
      for (const text of ['Answer in German.', 'Answer in English.']) await files.put(file, text)
      const page = await openLayers(stage, { file, pane: 'versions' })
      const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
      await versions.nth(1).click()
      await page.getByText('Answer in German.').waitFor()
      await judge(stage, page, 'layers, version of a raw file')
      await page.setViewportSize(WIDE)
      await page.getByRole('button', { name: 'Restore this version' }).click()
      await until('the text is restored', async () =>
        (await textOf(stage, file)).includes('German'),
      )
      await versions.nth(2).waitFor()
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
}
