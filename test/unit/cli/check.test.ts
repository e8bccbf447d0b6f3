import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { check } from '../../../src/cli/check.ts'
import type { FileRecord } from '../../../src/core/config/types.ts'
import { frontMatter } from '../../../src/core/config/yaml/frontmatter.ts'
import { agent, skill } from '../../support/layers.ts'

const made: string[] = []
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true })
})

function directory(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'strata-check-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

async function records(dir: string, loose: boolean): Promise<FileRecord[]> {
  const found: FileRecord[] = []
  await check(dir, { json: true, loose }, (line) => found.push(JSON.parse(line)))
  return found
}

describe('strata check', () => {
  it('checks models against STRATA_PROVIDERS when it is set', async () => {
    const dir = directory({
      '.agents/agents/known.md': '---\nname: known\ndescription: x\nmodel: a/one\n---\nDo.\n',
      '.agents/agents/lost.md': '---\nname: lost\ndescription: x\nmodel: foo/bar\n---\nDo.\n',
    })
    const a = { kind: 'anthropic', key: 'k' }
    const b = { kind: 'openai', key: 'k' }
    const env = { STRATA_PROVIDERS: JSON.stringify({ providers: { a, b } }) }
    const checked = async (more: object) => {
      const lines: string[] = []
      await check(dir, { json: false, loose: false, ...more }, (line) => lines.push(line))
      return lines.slice(0, -1)
    }
    expect(await checked({})).toEqual([])
    expect(await checked({ env })).toEqual([
      expect.stringMatching(
        /^\.agents\/agents\/lost\.md: warning: .*`foo\/bar`.* the providers are a, b\. \[model_unknown\]\n {4}write: model: inherit$/,
      ),
    ])
  })

  it('reports overridden files: within a layer by the overridden file, across layers by the other', async () => {
    const dir = directory({
      'base/.agents/agents/a.md': agent('x', 'a'),
      'base/.claude/agents/a.md': agent('y', 'a'),
      'base/.agents/skills/s/SKILL.md': skill('x', 's'),
      'repos/app/.agents/skills/s/SKILL.md': skill('y', 's'),
      'repos/app/README.md': '',
    })
    const lines: string[] = []
    expect(await check(dir, { json: false, loose: false }, (line) => lines.push(line))).toBe(0)
    expect(lines).toContain(
      'base/.agents/agents/a.md: note: overridden by base/.claude/agents/a.md [shadowed]',
    )
    expect(lines).toContain(
      'repos/app/.agents/skills/s/SKILL.md: note: overrides base/.agents/skills/s/SKILL.md [shadows]',
    )
  })

  it('reports servers at the root of a base or role layer, where no run reads them', async () => {
    const toml = '[mcp_servers.a]\nurl = "https://mcp.example/x"\n'
    const dir = directory({
      'base/config.toml': toml,
      'base/.agents/agents/a.md': agent('x', 'a'),
      'roles/dev/mcp.json': '{}',
      'roles/dev/.agents/agents/a.md': agent('x', 'a'),
      'repos/app/config.toml': toml,
    })
    const lines: string[] = []
    expect(await check(dir, { json: false, loose: false }, (line) => lines.push(line))).toBe(0)
    expect(lines.filter((line) => /not_read|write:/.test(line))).toEqual([
      'base/config.toml: note: no layer reads this location [not_read]\n    write: move ' +
        '[mcp_servers] to .agents/config.toml',
      'roles/dev/mcp.json: note: no layer reads this location [not_read]\n    write: ' +
        'define the servers as [mcp_servers.<name>] in .agents/config.toml',
    ])
  })

  it.each([
    ['AGENTS.md', 'AGENTS.md'],
    ['repos/app/CLAUDE.md', 'repos/app/CLAUDE.md'],
    ['repos/app/packages/a/AGENTS.md', 'repos/app/packages/a/AGENTS.md'],
    ['base/.cursorrules', 'base/.cursorrules'],
    ['repos/app/.github/copilot-instructions.md', 'repos/app/.github/copilot-instructions.md'],
    ['a link', 'repos/app/.claude/skills'],
    ['a link to nothing', 'base/.agents/agents/b.md'],
  ])('exits with 1 for %s and names it, unless .strataignore lists it', async (what, path) => {
    const dir = directory({
      'base/.agents/agents/a.md': agent('x', 'a'),
      'repos/app/.agents/skills/s/SKILL.md': skill('x', 's'),
    })
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    if (what === 'a link') symlinkSync('../.agents/skills', join(dir, path))
    else if (what.startsWith('a link')) symlinkSync('nowhere.md', join(dir, path))
    else writeFileSync(join(dir, path), 'Be brief.\n')
    for (const loose of [false, true]) {
      const lines: string[] = []
      expect(await check(dir, { json: false, loose }, (line) => lines.push(line))).toBe(1)
      expect(lines.join('\n')).toContain(`${path}: warning: `)
      const found = (await records(dir, loose)).find((one) => one.layer + one.path === path)
      expect(found).toMatchObject({ status: 'ignored', diagnostics: [{ severity: 'warning' }] })
    }
    writeFileSync(join(dir, '.strataignore'), `${path}\n`)
    expect(await check(dir, { json: true, loose: false }, () => {})).toBe(0)
  })

  it('prints file, line, finding, and fix, and exits with 1 when something is rejected', async () => {
    const dir = directory({
      '.agents/agents/a.md': '---\nname: a\ndescription: Use it: now\n---\nb',
      '.agents/agents/b.md': '---\nname: b\n---\nb',
    })
    const lines: string[] = []
    expect(await check(dir, { json: false, loose: false }, (line) => lines.push(line))).toBe(1)
    expect(lines[0]).toContain('.agents/agents/a.md:3: warning:')
    expect(lines[0]).toContain("write: description: 'Use it: now'")
    expect(lines[1]).toContain('.agents/agents/b.md: error: `description` is missing')
    expect(lines.at(-1)).toBe('2 files: 0 loaded, 1 loaded with warnings, 1 rejected, 0 ignored')
  })

  it('reports every file that was meant to be read, and how to make it readable', async () => {
    const dir = directory({
      '.claude/agents/My Agent.md': agent('x', 'My Agent'),
      '.claude/agents/C++.md': agent('x', 'C++'),
      '.claude/agents/team/review.md': agent('x', 'review'),
      '.claude/agents/team/README.md': '# What these are',
      '.claude/agents/anchor.md': '---\nname: anchor\ndescription: &me all of it\n---\nb',
      '.claude/skills/my skill/SKILL.md': skill('x', 'my-skill'),
      '.claude/skills/ops/deploy/SKILL.md': skill('x', 'deploy'),
      '.claude/skills/flat.md': skill('x', 'flat'),
      '.claude/skills/Big/SKILL.md': skill('x', 'Big'),
    })
    const lines: string[] = []
    await check(dir, { json: false, loose: false }, (line) => lines.push(line))
    const said = (path: string) => lines.filter((line) => line.startsWith(path)).join('\n')
    expect(said('.claude/agents/My Agent.md')).toContain('write: name: my-agent')
    // Nothing is proposed that would make two names one.
    expect(said('.claude/agents/C++.md')).not.toContain('write:')
    expect(said('.claude/agents/team/review.md')).toContain('move it to .agents/agents/review.md')
    expect(said('.claude/agents/team/README.md')).toBe('')
    expect(said('.claude/agents/anchor.md')).toMatch(/:3: error: .*\n\s+write: quote the text/)
    expect(said('.claude/skills/my skill/')).toContain(
      'warning: `my skill` is not a valid skill name',
    )
    expect(said('.claude/skills/ops/')).toContain('move the folder to .agents/skills/deploy/')
    expect(said('.claude/skills/flat.md')).toContain('move it to .agents/skills/flat/SKILL.md')
    expect(said('.claude/skills/Big/')).toContain('rename the folder to big')
  })

  it('exits with 0 when everything loads, warnings included, and with 2 without a directory', async () => {
    const dir = directory({ '.agents/agents/other.md': agent('x', 'a'), 'README.md': 'x' })
    expect(await check(dir, { json: true, loose: false }, () => {})).toBe(0)
    expect(await check(join(dir, 'none'), { json: true, loose: false }, () => {})).toBe(2)
  })

  it('exits with 1 for one invalid server among valid ones', async () => {
    const toml = '[mcp_servers.a]\nurl = "https://a.example/"\n[mcp_servers.b]\ntype = "x"\n'
    const dir = directory({ '.agents/config.toml': toml })
    expect(await check(dir, { json: true, loose: false }, () => {})).toBe(1)
  })

  it('checks a space with base/, roles/, and repos/ layer by layer, each file once', async () => {
    const dir = directory({
      'base/.agents/agents/a.md': agent('x', 'a'),
      'roles/fe/.agents/skills/s/SKILL.md': skill('x', 's'),
      'repos/app/.agents/config.toml': '',
      'repos/app/src/x.ts': 'x',
      'notes.md': 'x',
    })
    expect((await records(dir, false)).map((one) => [one.layer, one.path, one.status])).toEqual([
      ['base/', '.agents/agents/a.md', 'loaded'],
      ['', 'notes.md', 'ignored'],
      ['repos/app/', '.agents/config.toml', 'loaded'],
      ['', 'repos/app/src/x.ts', 'ignored'],
      ['roles/fe/', '.agents/skills/s/SKILL.md', 'loaded'],
    ])
  })

  it('--loose recognizes files by their content in any location', async () => {
    const dir = directory({
      'x/deploy/SKILL.md': skill('x', 'deploy'),
      'x/deploy/agents/helper.md': agent('x', 'helper'),
      'x/deploy/run.sh': 'x',
      'y/agent.md': agent('x', 'agent'),
      'y/broken.md': '---\nname: b\ndescription: d\n\ttab: 1\nx: [\n---\nx',
      'y/README.md': '# text',
      'y/post.md': '---\ntitle: x\n---\nx',
      'z/config.toml': 'model = "x"',
    })
    expect((await records(dir, true)).map((one) => [one.path, one.kind, one.status])).toEqual([
      ['x/deploy/SKILL.md', 'skill', 'loaded'],
      ['x/deploy/agents/helper.md', 'other', 'ignored'],
      ['x/deploy/run.sh', 'other', 'ignored'],
      ['y/README.md', 'other', 'ignored'],
      ['y/agent.md', 'agent', 'loaded'],
      ['y/broken.md', 'agent', 'rejected'],
      ['y/post.md', 'other', 'ignored'],
      ['z/config.toml', 'config', 'loaded'],
    ])
  })

  it('--loose judges the files of layers as check does without it', async () => {
    const dir = directory({
      'base/.agents/schedules/a.md': '---\ncron: 0 8 * * *\n---\nDo it.',
      'base/.agents/schedules/b.md': '---\ncron: never\n---\nDo it.',
      'repos/app/.claude/commands/c.md': '---\ndescription: x\n---\nx',
      'library/d.md': agent('x', 'd'),
    })
    const hintOf = ({ diagnostics }: FileRecord) => diagnostics[0]?.hint ?? null
    const judged = await records(dir, true)
    expect(judged.map((one) => [one.path, one.kind, one.status])).toEqual([
      ['.agents/schedules/a.md', 'schedule', 'loaded'],
      ['.agents/schedules/b.md', 'schedule', 'rejected'],
      ['library/d.md', 'agent', 'loaded'],
      ['.claude/commands/c.md', 'other', 'ignored'],
    ])
    expect(hintOf(judged[3]!)).toBe('convert it to a skill: .agents/skills/c/SKILL.md')
    expect(await check(dir, { json: true, loose: true }, () => {})).toBe(1)
  })

  it('--verbose lists ignored files with the reason', async () => {
    const dir = directory({ '.agents/agents/a.md': agent('x', 'a'), 'src/x.ts': 'x' })
    const linesOf = async (verbose: boolean) => {
      const lines: string[] = []
      await check(dir, { json: false, loose: false, verbose }, (line) => lines.push(line))
      return lines.slice(0, -1)
    }
    expect(await linesOf(false)).toEqual([])
    expect(await linesOf(true)).toEqual(['src/x.ts: note: no layer reads this location [not_read]'])
  })

  it('warns of hooks and permissions in Claude Code settings, which apply to no run', async () => {
    const permissions = { deny: ['Bash(rm:*)'] }
    const dir = directory({
      'repos/app/.claude/settings.json': JSON.stringify({ hooks: {}, permissions }),
      'repos/app/.claude/settings.local.json': JSON.stringify({ model: 'opus' }),
    })
    for (const loose of [false, true]) {
      const lines: string[] = []
      expect(await check(dir, { json: false, loose }, (line) => lines.push(line))).toBe(1)
      expect(lines[0]).toContain(
        'repos/app/.claude/settings.json: warning: the hooks and permissions in this file have no effect on runs',
      )
      expect(lines.filter((line) => line.includes('settings.local'))).toEqual([])
    }
  })

  it('warns of settings of Claude Code that are not JSON', async () => {
    const dir = directory({ 'repos/app/.claude/settings.json': '{"model": "opus",,}' })
    const lines: string[] = []
    expect(await check(dir, { json: false, loose: false }, (line) => lines.push(line))).toBe(1)
    expect(lines[0]).toContain(
      'repos/app/.claude/settings.json: warning: invalid JSON; any hooks and ' +
        'permissions in the file have no effect on runs',
    )
  })
})

/** The public packs lie beside the repository in development; elsewhere these tests are skipped. */
const PACKS = [1, 2, 3, 4]
  .map((up) => join(import.meta.dirname, '../../..', '../'.repeat(up), 'shared/packs'))
  .find((path) => existsSync(path))

describe.skipIf(PACKS === undefined)('strata check of five public libraries', () => {
  const files = () =>
    readdirSync(PACKS ?? '', { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice((PACKS ?? '').length + 1))
      .sort()

  it('gives every file exactly one record, and the same one each time', async () => {
    const first = await records(PACKS ?? '', true)
    expect(first.map((one) => one.path)).toEqual(files())
    expect(first.filter((one) => one.status !== 'ignored').length).toBeGreaterThanOrEqual(560)
    expect(await records(PACKS ?? '', true)).toEqual(first)
  })

  it('loads at least 98.5 % of the files with front matter, apart from loader fixtures', async () => {
    const real = (await records(PACKS ?? '', true)).filter(
      (one) => (one.kind === 'agent' || one.kind === 'skill') && !one.path.includes('/fixtures/'),
    )
    const loaded = real.filter((one) => one.status.startsWith('loaded'))
    expect(loaded.length / real.length).toBeGreaterThanOrEqual(0.985)
  })

  it('recovers values identical to the raw text of their line', async () => {
    const found = (await records(PACKS ?? '', true)).filter((one) =>
      one.diagnostics.some((finding) => finding.code === 'value_requoted'),
    )
    expect(found.length).toBeGreaterThanOrEqual(15)
    for (const { path, status, diagnostics } of found) {
      expect([path, status]).toEqual([path, 'loaded_with_warnings'])
      const text = readFileSync(join(PACKS ?? '', path), 'utf8')
      const matter = frontMatter(text)
      for (const { line } of diagnostics.filter((one) => one.code === 'value_requoted')) {
        const [, key = '', raw] =
          /^([\w-]+): *(.*?)\s*$/.exec(text.split('\n')[(line ?? 1) - 1] ?? '') ?? []
        expect(matter.kind === 'parsed' && matter.head.get(key)?.value).toBe(raw)
      }
    }
  })
})

it('gitignored files and installed packages are reported as a number and not judged', async () => {
  const dir = directory({
    '.gitignore': '.data/\n*.log\n',
    'base/.agents/agents/a.md': agent('x', 'a'),
    'base/AGENTS.log': 'x',
    '.data/AGENTS.md': 'x',
    'node_modules/x/AGENTS.md': 'x',
    'backup/strata.db': 'x',
    'backup/objects/base/.agents/agents/a.md': agent('x', 'a'),
  })
  const lines: string[] = []
  expect(await check(dir, { json: false, loose: false }, (line) => lines.push(line))).toBe(0)
  expect(lines).toEqual([
    '2 files: 1 loaded, 0 loaded with warnings, 0 rejected, 1 ignored, 4 ignored by git',
  ])
})
