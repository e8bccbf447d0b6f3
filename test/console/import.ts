/** The import page: a folder or an archive is checked, planned, and written; nothing before that. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }

const agent = (name: string, line = ''): string =>
  `---\nname: ${name}\ndescription: Packs parcels.\n${line}---\nPack one parcel.\n`

/** A library with an agent, a skill that does not load, and a likely secret. */
const libraryOf = (name: string): Readonly<Record<string, string>> => ({
  [`.agents/agents/${name}.md`]: agent(name, 'tools: [file_read, Nothing]\n'),
  '.agents/skills/broken/SKILL.md': '---\nname: [\n---\nBroken.\n',
  '.env': 'TOKEN=secret\n',
  '.agents/skills/fold/SKILL.md': '---\nname: fold\ndescription: Folds boxes.\n---\nFold.\n',
})

/** Acts with a folder of these files, which is removed afterwards. */
async function withFolder(
  files: Readonly<Record<string, string>>,
  act: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-import-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    await act(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function openImport(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/layers/import${query}`)
  await page.getByRole('heading', { level: 1, name: 'Import files' }).waitFor()
  return page
}

const rows = (page: Page): Locator =>
  page.getByRole('group', { name: 'Files of the plan' }).getByRole('listitem')

const row = (page: Page, path: string): Locator => rows(page).filter({ hasText: path })

const filesIn = async ({ server }: Stage, prefix: string): Promise<readonly string[]> => {
  const { data } = await server.get<{ data: readonly { path: string }[] }>(
    `/v1/files?prefix=${encodeURIComponent(prefix)}&limit=1000`,
  )
  return data.map(({ path }) => path)
}

async function chooseFolder(page: Page, folder: string): Promise<void> {
  await page.getByLabel('Choose a folder', { exact: true }).setInputFiles(folder)
}

export const IMPORTS: Scenarios = {
  async 'import: a folder is planned with reasons; a secret stays here, and nothing changes before the button'(
    stage,
  ) {
    await withFolder(libraryOf('packer'), async (folder) => {
      const page = await openImport(stage)
      await judge(stage, page, 'import')
      await page.setViewportSize(WIDE)
      await chooseFolder(page, folder)
      await page.getByText('1 file stays on this computer').waitFor()
      await page.getByText('environment file').waitFor()
      await page.getByRole('button', { name: 'Check these files' }).click()
      await page.waitForURL(/from=imports/)
      await page.getByLabel('Layer', { exact: true }).fill('repos/depot')
      await page.keyboard.press('Enter')
      await page.waitForURL(/layer=repos/)
      await row(page, 'repos/depot/.agents/agents/packer.md').getByText('1 finding').waitFor()
      await row(page, 'broken/SKILL.md').getByText('the file does not load').waitFor()
      const sent = await filesIn(stage, 'imports/')
      check(stage, sent.length >= 3, `${sent.length} files were sent`)
      check(stage, !sent.some((path) => path.endsWith('.env')), 'a secret was sent')
      check(stage, (await filesIn(stage, 'repos/depot/')).length === 0, 'files were written')
      await page.reload()
      await row(page, 'packer.md').click()
      await page.getByText('Pack one parcel.').waitFor()
      await page.getByText('Nothing').first().waitFor()
      await judge(stage, page, 'plan of an import')
      await page.setViewportSize(WIDE)
      await page.getByRole('button', { name: /^Left out/ }).click()
      check(stage, (await rows(page).count()) === 1, 'the filter shows other files')
      await page.getByRole('button', { name: 'Write 2 files' }).click()
      await page.getByText('Done: 2 new, 0 replaced, 0 unchanged, 1 left out.').waitFor()
      const written = await filesIn(stage, 'repos/depot/')
      check(stage, written.length === 2, `written: ${written}`)
      await page.goto(`${stage.server.url}/console/layers/effective?repo=repos%2Fdepot`)
      await page.getByText('packer').first().waitFor()
    })
  },

  async 'import: a file that changes after the plan stops the import, and the new plan shows it'(
    stage,
  ) {
    const path = 'roles/clerk/.agents/agents/clerk.md'
    const archive = {
      'pack/.agents/agents/clerk.md': strToU8(agent('clerk', 'model: openai/scripted\n')),
      'pack/notes.bin': new Uint8Array([0xff, 0xfe, 0x00]),
    }
    const put = (text: string) =>
      stage.server.get(`/v1/files/${path}`, { method: 'PUT', body: text })
    await put(agent('clerk'))
    const page = await openImport(stage, '?layer=roles%2Fclerk%2F')
    await page.getByLabel('Choose files or a zip archive').setInputFiles({
      name: 'pack.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(zipSync(archive)),
    })
    await page.getByRole('button', { name: 'Check these files' }).click()
    await row(page, path).click()
    await page.getByText('model: openai/scripted').waitFor()
    await put(agent('clerk', 'model: openai/other\n'))
    await page.getByRole('button', { name: /^Write/ }).click()
    await page.getByText('Files have changed since the plan was made.').waitFor()
    await page.getByText('model: openai/other').waitFor()
    await page.getByRole('button', { name: /^Write/ }).click()
    await page.getByText(/^Done: /).waitFor()
    await until('the file is written', async () => {
      const response = await stage.server.ask(`/v1/files/${path}`)
      return (await response.text()).includes('openai/scripted')
    })
  },

  async 'import: a broken archive, a lost connection, and a key without the scope are told in words'(
    stage,
  ) {
    const page = await openImport(stage)
    await page.getByLabel('Choose files or a zip archive').setInputFiles({
      name: 'broken.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from('no archive'),
    })
    await page.getByText('This archive cannot be unpacked').waitFor()
    await withFolder(libraryOf('later'), async (folder) => {
      await chooseFolder(page, folder)
      await page.route('**/v1/files/**', (route) => route.abort())
      await page.getByRole('button', { name: 'Check these files' }).click()
      await page.getByRole('button', { name: 'Retry' }).waitFor()
      await page.getByText('Choose the same files again to continue').waitFor()
      await page.unroute('**/v1/files/**')
      await page.getByRole('button', { name: 'Retry' }).click()
      await row(page, 'later.md').waitFor()
    })
    await page.goto(`${stage.server.url}/console/layers/import?from=imports%2Fnothing%2F`)
    await page.getByText('No files found below imports/nothing/').waitFor()
    const json = { name: 'reader', scopes: ['sessions:read', 'layers:read'] }
    const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    const reader = await openBlank(stage.browser, stage)
    await reader.goto(`${stage.server.url}/console`)
    await reader.getByLabel('API key').fill(key)
    await reader.keyboard.press('Enter')
    await reader.locator('#main').waitFor()
    await reader.goto(`${stage.server.url}/console/layers/import`)
    await reader.getByText('does not have the scope config:raw').waitFor()
  },
}

/** Files of a large library, and the time until its report through the API. */
const LARGE = { files: 2_500, ms: 10_000, atOnce: 6 } as const

/** Sends files and plans their import, as a script does. Returns the milliseconds. */
async function importByApi(
  { server }: Stage,
  files: readonly (readonly [path: string, text: string])[],
): Promise<number> {
  const client = createClient({ url: server.url, apiKey: server.key })
  const queue = files.values()
  const start = performance.now()
  const send = async (): Promise<void> => {
    for (const [path, text] of queue) await client.files.put(`imports/api/${path}`, text)
  }
  await Promise.all(Array.from({ length: LARGE.atOnce }, send))
  await client.layers.import({ from: 'imports/api/', layer: 'repos/large/' })
  return Math.round(performance.now() - start)
}

export const LARGE_IMPORT: Scenarios = {
  async 'import: 2,500 files have a report within 10 s by the API, and a page sends and writes them'(
    stage,
  ) {
    const files = Array.from(
      { length: LARGE.files },
      (_, n) =>
        [
          `.agents/skills/skill-${n}/SKILL.md`,
          `---\nname: skill-${n}\ndescription: Does step ${n}.\n---\nDo it.\n`,
        ] as const,
    )
    const ms = await importByApi(stage, files)
    console.log(`      report of ${LARGE.files} files: ${ms} ms by the API`)
    check(stage, ms <= LARGE.ms, `the report takes ${ms} ms, not ${LARGE.ms} ms`)
    await withFolder(Object.fromEntries(files), async (folder) => {
      const page = await openImport(stage, '?layer=repos%2Flarge%2F')
      await chooseFolder(page, folder)
      await page.getByText('2,500 files').waitFor()
      const start = performance.now()
      await page.getByRole('button', { name: 'Check these files' }).click()
      await page.getByRole('button', { name: 'New 2,500' }).waitFor()
      console.log(`      in this browser: ${Math.round(performance.now() - start)} ms`)
      check(stage, (await rows(page).count()) < 60, 'all rows are rendered')
      check(stage, (await filesIn(stage, 'repos/large/')).length === 0, 'files were written')
      await page.getByRole('button', { name: 'Write 2,500 files' }).click()
      await page.getByText(/^Done: 2,500 new/).waitFor()
    })
  },
}
