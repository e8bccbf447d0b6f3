/** What models read of the built-in tools, byte for byte, and the words that mean them. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { translate } from '../../../../src/core/config/agent/grants.ts'
import { OUR_TOOLS } from '../../../../src/core/config/agent/tool-names.ts'
import { isMemoryOperation } from '../../../../src/core/manage/memory.ts'
import { isManaging } from '../../../../src/core/manage/registry.ts'
import { ABSENT } from '../../../../src/core/tools/builtin/absent.ts'
import { BUILTINS } from '../../../../src/core/tools/builtin/index.ts'
import { sha256 } from '../../../../src/lib/digest.ts'
import { putFiles } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { agent, skill } from '../../../support/layers.ts'
import { requestsOf } from '../../../support/script.ts'

interface Pinned {
  /** Names in the order in which models are shown them, with the SHA-256 of each as JSON. */
  readonly offered: Readonly<Record<string, string>>
  readonly modes: Readonly<Record<string, string>>
  /** Words of other products, and what they mean. */
  readonly words: Readonly<Record<string, string>>
  readonly user_facing: string
}
const FILE = join(import.meta.dirname, '../../../fixtures/builtin-tools.json')
const pinned: Pinned = JSON.parse(readFileSync(FILE, 'utf8'))

async function offered(files: Readonly<Record<string, string>>, json: object) {
  const api = await testApi()
  await putFiles(api.world, files)
  const { status } = await api.call('POST', '/v1/runs', { json: { input: '@say x', ...json } })
  expect(status).toBe(202)
  await api.settle()
  return requestsOf(api.world)[0]!.tools
}
const SKILL = { 'base/.agents/skills/look/SKILL.md': skill('Looks.', 'look') }

/** Without its comments. */
const code = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:])\/\/.*$/gm, '$1')

const WRITTEN = /^(http\/|core\/builtin\/|cli\/init-files)/

describe('the built-in tools', () => {
  it('appear to models in this order, with these bytes', async () => {
    const tools = await offered(SKILL, { tools: ['*'] })
    const found = tools.map((tool) => [tool.name, sha256(JSON.stringify(tool))])
    // A new tool is red here until its line stands in test/fixtures/builtin-tools.json.
    expect(found).toEqual(Object.entries(pinned.offered))
  })

  it('have ASCII-only texts, because one other character doubles the memory of each request', async () => {
    for (const tool of await offered(SKILL, { tools: ['*'] })) {
      expect(JSON.stringify(tool), tool.name).toMatch(/^[ -~]*$/)
    }
  })

  it('have the pinned execution modes', async () => {
    const { body } = await (await testApi()).call('GET', '/v1/tools')
    const modes = body.data.map(({ name, mode }: Record<string, string>) => [name, mode])
    expect(Object.fromEntries(modes)).toMatchObject(pinned.modes)
  })

  it('accept the tool names of other products, in any capitalization', () => {
    for (const [word, meant] of Object.entries(pinned.words)) {
      for (const spelt of [word, word.toLowerCase(), word.toUpperCase()]) {
        expect([spelt, translate(spelt)?.join(' ')]).toEqual([spelt, meant])
      }
    }
    // Claude Code's `Edit` does not create files.
    expect(translate('Edit')).toEqual(['file_edit'])
  })

  it('are named in the code only by their own files', () => {
    const root = join(import.meta.dirname, '../../../../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      // Examples and the shipped agents are files that somebody else could have written.
      .filter((path) => path.endsWith('.ts') && !WRITTEN.test(path))
      .map((path) => [path, code(readFileSync(join(root, path), 'utf8'))] as const)
    const named = (name: string) =>
      files.flatMap(([path, text]) => (new RegExp(`\\b${name}\\b`).test(text) ? [path] : []))
    const absent = ABSENT.filter(({ name }) => name.includes('_'))
    for (const { name } of absent) {
      expect(named(name), name).toEqual(['core/tools/builtin/absent.ts'])
    }
    // A name of one word is a word of the language, too.
    const isShared = (name: string) => isManaging(name) || isMemoryOperation(name)
    const own = BUILTINS.filter(({ name }) => name.includes('_') && !isShared(name))
    for (const { name } of own) {
      expect(named(name), name).toEqual([`core/tools/builtin/${name.replaceAll('_', '-')}.ts`])
    }
    expect(own.length).toBeGreaterThan(7)
    expect(new Set(OUR_TOOLS).size).toBe(OUR_TOOLS.length)
    expect(OUR_TOOLS).toHaveLength(BUILTINS.length + ABSENT.length)
  })

  it('default to these, in this order, for a user-facing agent that lists none', async () => {
    const api = await testApi()
    const head = 'visibility: user-facing\n'
    await putFiles(api.world, { 'base/.agents/agents/desk.md': agent('Talks.', 'desk', head) })
    const { body } = await api.call('POST', '/v1/resolve', { json: {} })
    const desk = body.agents.find(({ id }: { id: string }) => id === 'desk')
    expect(desk.tools.join(' ')).toBe(pinned.user_facing)
  })
})
