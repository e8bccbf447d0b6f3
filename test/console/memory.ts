/** The page of memory: editing while an agent writes, search, versions, the index, and scopes. */

import type { Locator, Page } from 'playwright-core'
import { runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }

/** Agent that may write to the shared memory. */
const NOTER = '---\nname: noter\ndescription: Notes.\nmemory: shared\n---\nTake notes.\n'

interface MemoryText {
  readonly text: string
}

const writeFile = ({ server }: Stage, path: string, content: string): Promise<object> =>
  server.get(`/v1/memory/${path}`, { method: 'PUT', json: { content } })

const textOf = async ({ server }: Stage, path: string): Promise<string> =>
  (await server.get<MemoryText>(`/v1/memory/${path}`)).text

const removeFile = ({ server }: Stage, path: string): Promise<unknown> =>
  server.ask(`/v1/memory/${path}`, { method: 'DELETE' })

async function openMemory(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/memory${query}`)
  await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
  return page
}

const editorOf = (page: Page, path: string): Locator =>
  page.getByRole('article', { name: path }).getByRole('textbox', { name: path })

/** Text of the line at which the cursor of the editor is. */
const activeLine = (page: Page): Promise<string> =>
  page.locator('article .cm-line.cm-activeLine').first().innerText()

async function typeAtEnd(page: Page, path: string, text: string): Promise<void> {
  await editorOf(page, path).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

export const MEMORY: Scenarios = {
  async 'memory: a file is edited while an agent writes to it, and no text is lost'(stage) {
    const path = 'shared/desk.md'
    await writeFile(stage, path, '# Desk\n\n- Parcels go by post.\n')
    const page = await openMemory(stage)
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.getByRole('navigation', { name: 'Memory files' }).getByText('desk.md').click()
    const file = page.getByRole('article', { name: path })
    await typeAtEnd(page, path, '\n- Mine: refunds need a reason.')
    await file.getByText('Unsaved changes').waitFor()
    const call = `@call memory_write ${JSON.stringify({ path, content: '- Theirs: ask first.' })}`
    await stage.server.ask('/v1/files/base/.agents/agents/noter.md', { method: 'PUT', body: NOTER })
    await runToEnd(stage.server, { input: `${call}\n@then\n@say done`, agent: 'noter' })
    check(stage, (await textOf(stage, path)).includes('Theirs'), 'the agent has not written')
    await page.keyboard.press('Control+s')
    const conflict = file.getByRole('alert', { name: 'The file changed while you edited it' })
    await conflict.getByText('- Theirs: ask first.').waitFor()
    await conflict.getByText('- Mine: refunds need a reason.').waitFor()
    await judge(stage, page, 'conflict of memory')
    await page.setViewportSize(WIDE)
    await page.reload()
    await conflict.getByText('- Mine: refunds need a reason.').waitFor()
    await typeAtEnd(page, path, '\n- Theirs: ask first.')
    await conflict.getByRole('button', { name: 'Save my text' }).click()
    await file.getByText('Saved.', { exact: true }).waitFor()
    await conflict.waitFor({ state: 'detached' })
    const text = await textOf(stage, path)
    check(stage, /Parcels[\s\S]*Mine[\s\S]*Theirs/.test(text), text)
    await typeAtEnd(page, path, '\n- After the save.')
    await page.keyboard.press('Control+s')
    await until('the second save arrives', async () =>
      (await textOf(stage, path)).endsWith('- After the save.'),
    )
    await file.getByRole('button', { name: 'Append' }).click()
    const dialog = page.getByRole('dialog', { name: 'Append entries' })
    await dialog.getByLabel('Heading').fill('Wishes')
    await dialog.getByLabel('Entries').fill('- Replies by post')
    await dialog.getByRole('button', { name: 'Append' }).click()
    await file.getByText('1 entry was appended; 0 existed already.').waitFor()
    await editorOf(page, path).getByText('- Replies by post').waitFor()
    await typeAtEnd(page, path, '\n- Kept.')
    await removeFile(stage, path)
    await page.keyboard.press('Control+s')
    const deleted = file.getByRole('alert', { name: 'The file was deleted while you edited it' })
    await judge(stage, page, 'deleted file of memory')
    await page.setViewportSize(WIDE)
    await deleted.getByRole('button', { name: 'Save my text' }).click()
    await file.getByText('Saved.', { exact: true }).waitFor()
    const kept = await textOf(stage, path)
    check(stage, /Replies by post[\s\S]*Kept/.test(kept), kept)
    await removeFile(stage, path)
  },

  async 'memory: the editor shows what the server made of a saved text, without its secrets'(
    stage,
  ) {
    const path = 'shared/secrets.md'
    await writeFile(stage, path, '- Nothing.\n')
    const page = await openMemory(stage, `?file=${encodeURIComponent(path)}`)
    const file = page.getByRole('article', { name: path })
    await page.route(`**/v1/memory/${path}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      const written = await writeFile(stage, path, '- Key [removed].\n')
      return route.fulfill({ json: { ...written, redacted: true } })
    })
    await typeAtEnd(page, path, '\n- Key abc123.')
    await page.keyboard.press('Control+s')
    await file.getByText('Secret values were removed from the text.').waitFor()
    await editorOf(page, path).getByText('- Key [removed].').waitFor()
    check(stage, (await editorOf(page, path).getByText('abc123').count()) === 0, 'a secret stays')
    const drafts = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    check(stage, !drafts.includes('abc123'), 'the draft with the secret stays')
    await removeFile(stage, path)
  },

  async 'memory: a search marks its matches, and a passage opens at its line'(stage) {
    const path = 'agents/triage/notes.md'
    const lines = Array.from({ length: 200 }, (_, index) => `- Note ${index} of the desk.`)
    await writeFile(
      stage,
      path,
      `# Notes\n\n${lines.join('\n')}\n\n## Crane\n\nThe crane is blue.\n`,
    )
    const page = await openMemory(stage)
    await page.keyboard.press('/')
    await page.keyboard.type('crane')
    await page.waitForURL((url) => url.searchParams.get('q') === 'crane')
    const passages = page.getByRole('list', { name: 'Passages' })
    const passage = passages.getByRole('listitem').filter({ hasText: 'The crane is blue.' })
    await passage.locator('mark').first().waitFor()
    const matches = await passage.locator('mark').allInnerTexts()
    check(stage, matches.length > 0 && matches.every((text) => /crane/i.test(text)), `${matches}`)
    await passage.getByRole('button').click()
    await editorOf(page, path).waitFor()
    await until('the cursor is at the passage', async () => /crane/i.test(await activeLine(page)))
    const line = new URL(page.url()).searchParams.get('line')
    check(stage, Number(line) > 200, `line ${line}`)
    await judge(stage, page, 'passages of memory')
    await page.setViewportSize(WIDE)
    await page.getByRole('searchbox', { name: 'Search memory' }).fill('zebra zeppelin')
    await page.getByText('No passage contains these words.').waitFor()
    let isDown = true
    await page.route('**/v1/memory/search*', (route) => (isDown ? route.abort() : route.continue()))
    await page.getByRole('searchbox', { name: 'Search memory' }).fill('blue')
    await page.getByRole('button', { name: 'Retry' }).first().waitFor()
    isDown = false
    await page.getByRole('button', { name: 'Retry' }).first().click()
    await passage.waitFor()
    const index = page.getByRole('region', { name: 'Search index' })
    await index.getByRole('button', { name: 'Rebuild' }).click()
    await index.getByText('The index was rebuilt.').waitFor()
    await removeFile(stage, path)
  },

  async 'memory: a version is compared and restored, also after the file was deleted'(stage) {
    const path = 'shared/prices.md'
    await writeFile(stage, path, '- A cup costs 4 EUR.\n')
    await writeFile(stage, path, '- A cup costs 5 EUR.\n')
    const page = await openMemory(stage, `?file=${encodeURIComponent(path)}`)
    const file = page.getByRole('article', { name: path })
    await file.getByRole('button', { name: 'Versions' }).click()
    const versions = file.getByRole('region', { name: 'Versions' })
    await versions.getByRole('button', { name: /^Version 1/ }).click()
    const diff = versions.getByRole('group', { name: 'Current file and version' })
    check(stage, /5 EUR[\s\S]*4 EUR/.test(await diff.innerText()), await diff.innerText())
    await judge(stage, page, 'version of memory')
    await page.setViewportSize(WIDE)
    await versions.getByRole('button', { name: 'Restore this version' }).click()
    await versions.getByText('The version was restored.').waitFor()
    check(stage, (await textOf(stage, path)).includes('4 EUR'), await textOf(stage, path))
    await file.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click()
    await file.waitFor({ state: 'detached' })
    await page.goto(`${stage.server.url}/console/memory?file=${encodeURIComponent(path)}`)
    await file.getByText(`The file ${path} does not exist`).waitFor()
    await versions.getByRole('button', { name: /^Version 4/ }).click()
    await versions.getByText('this version has no text').waitFor()
    await versions.getByRole('button', { name: /^Version 3/ }).click()
    await versions.getByRole('button', { name: 'Restore this version' }).click()
    await file.getByRole('button', { name: 'Delete', exact: true }).waitFor()
    check(stage, (await textOf(stage, path)).includes('4 EUR'), 'the deleted text is not restored')
    await removeFile(stage, path)
  },

  async 'memory: a new file never replaces one, and keys see what their scopes allow'(stage) {
    const path = 'roles/support/notes.md'
    const page = await openMemory(stage)
    await page.getByRole('button', { name: 'New file' }).click()
    const form = page.getByRole('dialog', { name: 'New file' })
    await form.getByLabel('Path').fill('elsewhere/x.md')
    await form.getByLabel('Text').fill('- First.')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').waitFor()
    await judge(stage, page, 'form of a memory file')
    await page.setViewportSize(WIDE)
    await form.getByLabel('Path').fill(path)
    await form.getByRole('button', { name: 'Create' }).click()
    await editorOf(page, path).getByText('- First.').waitFor()
    await page.getByRole('button', { name: 'New file' }).click()
    await form.getByLabel('Path').fill(path)
    await form.getByLabel('Text').fill('- Second.')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').waitFor()
    check(stage, (await textOf(stage, path)) === '- First.', 'the file was replaced')
    for (const scopes of [['sessions:read', 'memory:read'], ['sessions:read']]) {
      const json = { name: 'reader', scopes }
      const { key } = await stage.server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
      const reader = await openBlank(stage.browser, stage)
      await reader.goto(`${stage.server.url}/console`)
      await reader.getByLabel('API key').fill(key)
      await reader.keyboard.press('Enter')
      await reader.locator('#main').waitFor()
      await reader.goto(`${stage.server.url}/console/memory?file=${encodeURIComponent(path)}`)
      const mayRead = scopes.includes('memory:read')
      const missing = mayRead ? 'memory:write' : 'memory:read'
      await reader.getByText(`does not have the scope ${missing}`).waitFor()
      if (mayRead) {
        const text = editorOf(reader, path)
        await text.getByText('- First.').waitFor()
        check(stage, (await text.getAttribute('contenteditable')) === 'false', 'an editable text')
      }
      const buttons = await reader.getByRole('button', { name: /Save|Append|Delete|New/ }).count()
      check(stage, buttons === 0, `${buttons} buttons with ${scopes}`)
      await judge(stage, reader, `memory with ${scopes}`)
    }
    await removeFile(stage, path)
  },
}
