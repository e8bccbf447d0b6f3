/** Files that come in, are changed, and can be had back; two people in one of them. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { startEverything } from '../support/everything.ts'
import type { Open } from '../support/launch.ts'
import { type Check, holds, signedIn, unharmed } from './checks.ts'
import { type Host, until } from './host.ts'

const textOf = async ({ api }: Host, path: string): Promise<string | undefined> =>
  api.files.get(path).then(
    (file) => file && new TextDecoder().decode(file.bytes),
    () => undefined,
  )
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).last().click()

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').first().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

async function save(page: Page): Promise<void> {
  await press(page, 'Save')
  await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
}

/** A zip of stored files, as any packer writes it. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, body] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(body.length, 14)
    common.writeUInt32LE(body.length, 18)
    common.writeUInt16LE(path.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, path)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, body])
    parts.push(entry)
    at += entry.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listed, end])
}

async function withFolder(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-import-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const agentFile = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Of a check.\n---\n${body}\n`

const VERSIONS: Record<string, Check> = {
  'versions: a file saved in the editor is rolled back, and one that was deleted': async (
    given,
  ) => {
    const { host } = given
    for (const path of ['base/kept-notes.md', 'base/.agents/config.toml']) {
      const [first, more] = path.endsWith('.toml') ? ['# first\n', '# more'] : ['first\n', 'more']
      await host.api.files.put(path, first)
      const watched = await signedIn(given, {}, `/console/layers/${path}`)
      const { page } = watched
      await typeAtEnd(page, more)
      await save(page)
      await until('it is saved', async () => (await textOf(host, path)) === first + more)
      await press(page, 'Versions')
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`Versions of ${path}`).waitFor()
      await dialog.locator('ol > li').nth(1).getByRole('button').first().click()
      await dialog.getByRole('button', { name: 'Roll back to this version' }).click()
      await until('it is as it was', async () => (await textOf(host, path)) === first)
      await dialog.getByText('rollback', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await until(
        'the editor shows it',
        async () => !(await page.locator('.cm-content').first().innerText()).includes(more),
      )
      await press(page, 'Delete')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await until('it is gone', async () => (await textOf(host, path)) === undefined)
      await page.goto(`${host.url}/console/layers/${path}`)
      await press(page, 'Versions')
      await dialog.locator('ol > li').nth(1).getByRole('button').first().click()
      await dialog.getByRole('button', { name: 'Roll back to this version' }).click()
      await until('it is there again', async () => (await textOf(host, path)) === first)
      unharmed(watched)
    }
  },
}

const IMPORTS: Record<string, Check> = {
  'an import says what it would do before anything is written, of a folder and of a zip': async (
    given,
  ) => {
    const { host } = given
    const at = (name: string) => `base/.agents/agents/${name}.md`
    for (const kind of ['folder', 'zip'] as const) {
      const [fresh, over] = [`${kind}-new`, `${kind}-over`]
      await host.api.files.put(at(over), agentFile(over, 'Before.'))
      const files = {
        [`pack/.agents/agents/${fresh}.md`]: agentFile(fresh, 'New.'),
        [`pack/.agents/agents/${over}.md`]: agentFile(over, 'After.'),
        'pack/.env': 'TOKEN=of-a-check',
      }
      const watched = await signedIn(given, {}, '/console/layers?tab=import')
      const { page } = watched
      const inputs = page.locator('input[type=file]')
      await inputs.first().waitFor({ state: 'attached' })
      await withFolder(files, async (folder) => {
        if (kind === 'folder') await inputs.first().setInputFiles(join(folder, 'pack'))
        else {
          const zip = { name: 'pack.zip', mimeType: 'application/zip', buffer: zipOf(files) }
          await inputs.nth(1).setInputFiles(zip)
        }
        await page.getByRole('button', { name: 'Write 2 files' }).waitFor()
        const report = page.getByRole('region', { name: 'What happens' })
        await report.getByText(at(fresh)).waitFor()
        await report.getByText('.env').first().waitFor()
        holds((await textOf(host, at(fresh))) === undefined, 'it was written before it was asked')
        holds((await textOf(host, at(over))) === agentFile(over, 'Before.'), 'it was replaced')
        await page.getByRole('button', { name: 'Write 2 files' }).click()
        await page.getByText('2 of 2 written').first().waitFor()
      })
      holds((await textOf(host, at(fresh))) === agentFile(fresh, 'New.'), 'the new one is missing')
      holds((await textOf(host, at(over))) === agentFile(over, 'After.'), 'it was not replaced')
      holds((await textOf(host, 'base/.env')) === undefined, 'a secret was written')
      const { data } = await host.api.files.versions({ path: at(over) })
      holds(data.length === 2, `${data.length} versions of what was replaced`)
      unharmed(watched)
    }
  },
}

/** What a person's hand does: a folder of the machine is dropped on the middle of an element. */
async function dropFolder(page: Page, folder: string, on: Locator): Promise<void> {
  const { x, y, width, height } = (await on.boundingBox())!
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  const at = { x: x + width / 2, y: y + height / 2, data }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at })
  await session.detach()
}

const DROPS: Record<string, Check> = {
  'a folder that is dropped on the tree or beside it is read and reported, and not written': async (
    given,
  ) => {
    const { host } = given
    const path = 'base/.agents/agents/dropped.md'
    await host.api.files.put('base/dropped-on.md', 'Here.')
    const files = { 'pack/.agents/agents/dropped.md': agentFile('dropped', 'By hand.') }
    const watched = await signedIn(given, {}, '/console/layers')
    const { page } = watched
    await withFolder(files, async (folder) => {
      for (const where of ['the tree', 'beside the tree', 'the place for it']) {
        const place = where === 'the place for it'
        await page.goto(`${host.url}/console/layers${place ? '?tab=import' : ''}`)
        const tree = page.getByRole('tree')
        const all = page.getByRole('region', { name: 'Files, and where folders may be dropped' })
        const target = page.getByText('Drop a folder here')
        await (place ? target : tree.getByText('base', { exact: true }).first()).waitFor()
        const on = place ? target : where === 'the tree' ? tree : all
        await dropFolder(page, join(folder, 'pack'), on)
        await page.getByRole('button', { name: 'Write 1 file' }).waitFor()
        await page.getByRole('region', { name: 'What happens' }).getByText(path).waitFor()
        holds(page.url().includes('tab=import'), `${where}: ${page.url()}`)
        holds((await textOf(host, path)) === undefined, `${where}: it was written unasked`)
      }
      await page.getByRole('button', { name: 'Write 1 file' }).click()
      await page.getByText('1 of 1 written').first().waitFor()
    })
    holds((await textOf(host, path)) === files['pack/.agents/agents/dropped.md'], 'another text')
    unharmed(watched)
  },
}

/** Lines of the one editor of the page, or of the one that can be edited in a view of two. */
const mine = (page: Page) => page.locator('.cm-content[contenteditable=true]').first()

const EDITING: Record<string, Check> = {
  'a file edited by two people: theirs and mine are settled in the view, and saved': async (
    given,
  ) => {
    const { host } = given
    const path = 'base/.agents/agents/of-two.md'
    await host.api.files.put(path, agentFile('of-two', 'As it was.'))
    const watched = await signedIn(given, {}, `/console/layers/${path}`)
    const { page } = watched
    await typeAtEnd(page, 'Mine.')
    await host.api.files.put(path, agentFile('of-two', 'Theirs.'))
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Theirs and mine' }).waitFor()
    await page.getByRole('heading', { name: /Base and theirs/ }).waitFor()
    // Theirs is taken for the line that both changed; mine stays where only I wrote.
    await mine(page).getByText('As it was.').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.type('Theirs.')
    await press(page, 'Save mine over theirs')
    await until('it is saved', async () =>
      ((await textOf(host, path)) ?? '').endsWith('Theirs.\nMine.'),
    )
    await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
    const { data } = await host.api.files.versions({ path })
    holds(data.length === 3, `${data.length} versions: theirs is not kept`)
    unharmed(watched)
  },
  'what is wrong in a file is said as one types, with its line, before it is saved': async (
    given,
  ) => {
    const { host } = given
    const path = 'base/.agents/config.toml'
    const text = '[mcp_servers.docs]\nurl = "https://docs.example.com/mcp"\n'
    await host.api.files.put(path, text)
    const watched = await signedIn(given, {}, `/console/layers/${path}`)
    const { page } = watched
    await typeAtEnd(page, 'colour = "red"')
    const findings = page.getByRole('list', { name: 'Findings' })
    await findings.getByText('colour').first().waitFor()
    holds(/:3\b/.test(await findings.innerText()), await findings.innerText())
    holds((await textOf(host, path)) === text, 'it was saved')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type('[[broken')
    await findings.getByText('Error').first().waitFor()
    holds(/:1\b/.test(await findings.innerText()), await findings.innerText())
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type(text)
    await findings.waitFor({ state: 'detached' })
    unharmed(watched)
  },
}

const SERVERS: Record<string, Check> = {
  'skills and servers are switched off and on, and a server is tested': async (given) => {
    const { host } = given
    const open: Open = []
    try {
      const { url, close } = await startEverything('streamableHttp')
      open.push(close)
      await host.api.mcpServers.put('switched', { type: 'http', url } as never)
      await host.api.mcpServers.put('nobody', {
        type: 'http',
        url: 'http://127.0.0.1:9/mcp',
      } as never)
      await host.api.skills.put('switched', {
        skill_md: '---\nname: switched\ndescription: Of a check.\n---\nText.\n',
      } as never)
      const watched = await signedIn(given, {}, '/console/layers?tab=effective')
      const { page } = watched
      const isOn = async (kind: 'skill' | 'server') =>
        kind === 'skill'
          ? (await host.api.skills.get('switched')).enabled
          : (await host.api.mcpServers.get('switched')).enabled
      for (const [at, kind] of (['skill', 'server'] as const).entries()) {
        const one = page.getByRole('switch', { name: /: switched$/ }).nth(at)
        await one.click()
        await until(`the ${kind} is off`, async () => !(await isOn(kind)))
        await until('it is shown', async () => (await one.getAttribute('aria-checked')) === 'false')
        await one.click()
        await until(`the ${kind} is on`, async () => isOn(kind))
        await until('it is shown', async () => (await one.getAttribute('aria-checked')) === 'true')
      }
      const tested = async (name: string) => {
        const row = page
          .getByRole('listitem')
          .filter({ has: page.getByText(name, { exact: true }) })
        await row.getByRole('button', { name: 'Test', exact: true }).last().click()
        return page.getByRole('dialog')
      }
      const good = await tested('switched')
      await good.getByText(/Reachable in \d+ ms/).waitFor()
      await good.getByText('echo', { exact: true }).waitFor()
      await good.getByRole('button', { name: 'Close' }).click()
      const bad = await tested('nobody')
      await bad.getByText(/Not reachable: /).waitFor()
      unharmed(watched)
    } finally {
      for (const close of open.reverse()) await close()
    }
  },
  'a migration is a plan first, and then what the plan said, or nothing': async (given) => {
    const { host } = given
    const at = (path: string) => `repos/older/${path}`
    const older = { mcpServers: { docs: { url: 'https://docs.example.com/mcp' } } }
    await host.api.files.put(at('.goclaw/mcp.json'), JSON.stringify(older))
    const skill = '---\nname: tidy\ndescription: Of a check.\n---\nText.\n'
    await host.api.files.put(at('.goclaw/skills/tidy/SKILL.md'), skill)
    const watched = await signedIn(given, {}, '/console/layers?tab=migrate')
    const { page } = watched
    await page.getByRole('combobox', { name: 'Layer', exact: true }).fill('repos/older/')
    await press(page, 'Show the plan')
    await page.getByText(/nothing is written yet/).waitFor()
    const steps = page.getByRole('listitem')
    await steps.getByText(at('.agents/skills/tidy/SKILL.md'), { exact: true }).waitFor()
    await steps.getByText(at('.agents/config.toml'), { exact: true }).first().waitFor()
    holds((await textOf(host, at('.agents/config.toml'))) === undefined, 'it was written')
    // Somebody adds a file: the plan that was seen is not what would be done now.
    await host.api.files.put(at('.goclaw/skills/tidy/more.md'), 'More.')
    await press(page, 'Apply this plan')
    await page.getByText(/has changed since you saw the plan/).waitFor()
    await steps.getByText(at('.agents/skills/tidy/more.md'), { exact: true }).waitFor()
    holds(
      (await textOf(host, at('.agents/config.toml'))) === undefined,
      'it was written all the same',
    )
    await press(page, 'Apply this plan')
    await page.getByText('Done in repos/older/').waitFor()
    holds((await textOf(host, at('.agents/skills/tidy/SKILL.md'))) === skill, 'no skill')
    holds((await textOf(host, at('.goclaw/mcp.json'))) === undefined, 'the older file is there')
    const { data } = await host.api.files.versions({ path: at('.goclaw/mcp.json') })
    holds(data[0]?.action === 'delete' && data.length === 2, 'the older file has no way back')
    unharmed(watched)
  },
}

export const KEEPING: Record<string, Check> = {
  ...VERSIONS,
  ...IMPORTS,
  ...DROPS,
  ...EDITING,
  ...SERVERS,
}
