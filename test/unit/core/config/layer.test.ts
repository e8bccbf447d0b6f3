import { describe, expect, it } from 'vitest'
import { filesToRead, planLayer } from '../../../../src/core/config/layer/layer.ts'
import type { LayerKind } from '../../../../src/core/config/types.ts'

const plan = (paths: readonly string[], kind: LayerKind = 'base') =>
  planLayer(
    kind,
    'p/',
    paths.map((path) => ({ path, etag: 'e', size: 1 })),
  )

describe('planLayer', () => {
  it('reads only config, agents, and SKILL.md files, and records everything else at once', () => {
    const paths = [
      '.agents/config.toml',
      '.agents/agents/a.md',
      '.agents/agents/notes.txt',
      '.agents/agents/team/b.md',
      '.agents/skills/README.md',
      '.agents/skills/s/SKILL.md',
      '.agents/skills/s/.disabled',
      '.agents/skills/s/data.csv',
      '.claude/settings.json',
    ]
    const layer = plan(paths)
    expect(filesToRead(layer).map((file) => file.path)).toEqual([
      '.agents/config.toml',
      '.agents/agents/a.md',
      '.agents/skills/s/SKILL.md',
    ])
    const all = [...layer.records, ...filesToRead(layer)].map((one) => one.path)
    expect(all.sort()).toEqual(paths.sort())
  })

  it('accepts skills/main/ only as an older location of the base layer', () => {
    const path = 'skills/main/x/SKILL.md'
    expect(plan([path]).skills.map((slot) => slot.id)).toEqual(['x'])
    expect(plan([path], 'repo').skills).toEqual([])
    expect(plan([path], 'role').valid).toBe(false)
  })

  it('treats special-looking names as names [X-36 K23]', () => {
    const layer = plan(['.agents/skills/constructor/SKILL.md', '.agents/agents/__proto__.md'])
    expect(layer.skills.map((slot) => slot.id)).toEqual(['constructor'])
    expect(layer.agents.map((slot) => slot.stem)).toEqual(['__proto__'])
  })

  it('selects the first in key order of two skill directories that differ only in case', () => {
    const layer = plan([
      '.agents/skills/A/SKILL.md',
      '.agents/skills/a/SKILL.md',
      '.agents/skills/a/x',
    ])
    expect(layer.skills.map((slot) => slot.id)).toEqual(['A'])
    expect(layer.records.map((one) => [one.path, one.status])).toEqual([
      ['.agents/skills/a/SKILL.md', 'rejected'],
      ['.agents/skills/a/x', 'rejected'],
    ])
  })
})
