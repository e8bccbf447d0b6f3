import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { check } from '../../../src/cli/check.ts'
import type { FileRecord } from '../../../src/core/config/types.ts'
import { agent, skill } from '../../support/layers.ts'

const made: string[] = []
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true })
})

function directory(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'strata-library-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

async function loose(dir: string): Promise<Map<string, FileRecord>> {
  const found: FileRecord[] = []
  await check(dir, { json: true, loose: true }, (line) => found.push(JSON.parse(line)))
  const records = new Map(found.map((one) => [one.path, one]))
  expect(records.size, 'each file has one record').toBe(found.length)
  return records
}

const brief = (record: FileRecord | undefined) => [
  record?.kind,
  record?.status,
  record?.diagnostics.map((one) => one.code).join(' '),
]

describe('strata check of a local folder', () => {
  it('reports a link and does not follow it, even when it is circular [SKO-05]', async () => {
    const dir = directory({ 'skills/a/SKILL.md': skill('x', 'a'), 'agents/b.md': agent('x', 'b') })
    symlinkSync('.', join(dir, 'agents/circle'))
    symlinkSync('a', join(dir, 'skills/other'))
    symlinkSync('nowhere', join(dir, 'agents/c.md'))
    const records = await loose(dir)
    expect([...records.keys()]).toEqual([
      'agents/b.md',
      'agents/c.md',
      'agents/circle',
      'skills/a/SKILL.md',
      'skills/other',
    ])
    expect(brief(records.get('skills/other'))).toEqual(['other', 'ignored', 'not_read'])
    expect(records.get('skills/other')?.diagnostics[0]?.message).toContain('symbolic link')
  })

  it('continues after a name with a backslash or in another encoding', async () => {
    const dir = directory({ 'a\\b.md': agent('x', 'ab'), 'z.md': agent('x', 'z') })
    execFileSync('sh', ['-c', 'printf x > "$(printf "%s/\\377.md" "$1")"', 'sh', dir])
    const records = await loose(dir)
    expect(records.size).toBe(3)
    expect(brief(records.get('z.md'))).toEqual(['agent', 'loaded', ''])
    expect(brief(records.get('a\\b.md'))).toEqual([
      'agent',
      'loaded_with_warnings',
      'name_not_stem key_refused',
    ])
    expect(brief(records.get('\uFFFD.md'))).toEqual(['other', 'ignored', 'not_read'])
  })

  it('judges a file of gigabytes by its beginning', async () => {
    const dir = directory({ 'agents/big.md': agent('x', 'big') })
    truncateSync(join(dir, 'agents/big.md'), 5 * 2 ** 30)
    expect(brief((await loose(dir)).get('agents/big.md'))[1]).toBe('rejected')
  })

  it('reports a reason for every file that is not loaded, and a fix where one helps', async () => {
    const dir = directory({
      '.mcp.json': '{}',
      '.opencode/agent/oc.md': '---\ndescription: x\nmode: subagent\n---\nx',
      'agents/none.md': '---\nname: none\n---\nx',
      'commands/ship.md': '---\ndescription: x\n---\nx',
      'notes.md': 'x',
      'opencode.json': '{}',
      'run.sh': 'x',
    })
    const records = await loose(dir)
    expect(
      [...records.values()].map((one) => [one.path, one.status, one.diagnostics[0]?.hint]),
    ).toEqual([
      ['.mcp.json', 'ignored', 'define the servers as [mcp_servers.<name>] in .agents/config.toml'],
      ['.opencode/agent/oc.md', 'ignored', 'name: oc'],
      ['agents/none.md', 'rejected', null],
      ['commands/ship.md', 'ignored', null],
      ['notes.md', 'ignored', null],
      ['opencode.json', 'ignored', expect.stringContaining('[mcp_servers.<name>]')],
      ['run.sh', 'ignored', null],
    ])
  })

  it('does not load a skill inside a skill, a variant beside it, or a twin by case', async () => {
    const dir = directory({
      'skills/SKILL.md': skill('x', 'skills'),
      'skills/Twin/SKILL.md': skill('x', 'twin'),
      'skills/a/SKILL.md': skill('x', 'a'),
      'skills/a/deep/b/SKILL.md': skill('x', 'b'),
      'skills/a/skill.md': skill('x', 'a'),
      'skills/twin/SKILL.md': skill('x', 'twin'),
    })
    const records = await loose(dir)
    expect([...records.values()].map((one) => brief(one).slice(1))).toEqual([
      ['loaded', ''],
      ['loaded_with_warnings', 'name_not_directory'],
      ['loaded', ''],
      ['ignored', 'nested'],
      ['rejected', 'skill_variant'],
      ['rejected', 'duplicate_id'],
    ])
  })

  it('prints a finding as one line without terminal controls, for any file content', async () => {
    const tools = '"\\e[31mred\\nnext"'
    const dir = directory({
      'a.md': `---\nname: a\ndescription: x\ntools: [Read, ${tools}]\n---\nx`,
    })
    const lines: string[] = []
    await check(dir, { json: false, loose: true }, (line) => lines.push(line))
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line).not.toMatch(/\p{Cc}(?! {4}write: )/u)
  })

  it('suggests what to try when no file is in the place of a layer', async () => {
    const dir = directory({ 'agents/a.md': agent('x', 'a') })
    const lines: string[] = []
    expect(await check(dir, { json: false, loose: false }, (line) => lines.push(line))).toBe(0)
    expect(lines[0]).toContain('write: move it to .agents/agents/a.md')
    expect(lines.at(-1)).toContain('--loose')
  })
})

describe('suggested fixes', () => {
  it.each([
    ['description: "He said "hello" to me"', `description: 'He said "hello" to me'`],
    ['description: %50 better', "description: '%50 better'"],
    ["description: 'Don't do it'", "description: 'Don''t do it'"],
    ['description: - listed', "description: '- listed'"],
  ])('%s', async (line, instead) => {
    const dir = directory({ 'agents/a.md': `---\nname: a\n${line}\n---\nx` })
    const record = (await loose(dir)).get('agents/a.md')
    expect(record?.status).toBe('rejected')
    expect(record?.diagnostics[0]).toMatchObject({ line: 3, hint: instead })
  })

  it('include a table of servers under another common name', async () => {
    const dir = directory({ 'config.toml': '[mcpServers.a]\ncommand = "x"\n' })
    const record = (await loose(dir)).get('config.toml')
    expect(record?.diagnostics[0]?.hint).toBe('[mcp_servers.<name>]')
  })
})
