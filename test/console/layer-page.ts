/** A layer with one agent, and the page of layers, for scenarios. */

import type { Locator, Page } from 'playwright-core'
import { createClient } from '../../src/client/index.ts'
import { openBlank, openConsole } from './console-page.ts'
import type { Stage } from './stage.ts'

export const clientOf = ({ server }: Stage) => createClient({ url: server.url, apiKey: server.key })

export const WIDE = { width: 1_440, height: 900 }
export const NARROW = { width: 360, height: 740 }
export const LAYER = 'repos/desk/'
export const PATH = `${LAYER}.agents/agents/clerk.md`
export const QUERY = { query: { layer: LAYER } }

export const clerk = (text: string, tools = 'file_read'): string =>
  `---\nname: clerk\ndescription: Files letters.\ntools: ${tools}\n---\n${text}\n`

/** Acts on a layer with one agent, and removes all files of the layer afterwards. */
export async function withClerk(stage: Stage, act: () => Promise<void>): Promise<void> {
  const { agents, files } = clientOf(stage)
  await agents.put('clerk', { agent_md: clerk('File one letter.') }, QUERY)
  try {
    await act()
  } finally {
    for await (const { path } of files.list({ prefix: LAYER })) await files.delete(path)
  }
}

export async function openLayers(
  stage: Stage,
  search: Readonly<Record<string, string>>,
): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/layers?${new URLSearchParams(search)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

export const editor = (page: Page, name = PATH): Locator =>
  page.getByRole('textbox', { name, exact: true })
export const findings = (page: Page): Locator => page.getByRole('list', { name: 'Findings' })
export const fileRow = (page: Page, name: string): Locator =>
  page.getByRole('treeitem').filter({ hasText: name })

export async function typeAtEnd(page: Page, text: string, name = PATH): Promise<void> {
  await editor(page, name).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

/** Replaces the text as a person does who deletes it first. */
export async function replaceText(page: Page, text: string, name = PATH): Promise<void> {
  await editor(page, name).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

export const textOf = async (stage: Stage, path = PATH): Promise<string> => {
  const file = await clientOf(stage).files.get(path)
  return new TextDecoder().decode(file?.bytes)
}

/** Opens the console with a key that has some scopes. */
export async function signedIn(stage: Stage, scopes: readonly string[]): Promise<Page> {
  const json = { name: 'reader', scopes }
  const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
  const page = await openBlank(stage.browser, stage)
  await page.goto(`${stage.server.url}/console`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('#main').waitFor()
  return page
}
