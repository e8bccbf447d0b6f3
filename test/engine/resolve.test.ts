import { describe, expect, it } from 'vitest'
import { agent, layerWorld, skill } from '../support/layers.ts'

describe('resolveLayers', () => {
  it('GC-10 the repo skill’s body is used', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/deploy/SKILL.md': skill('base', 'deploy'),
      'repos/app/.agents/skills/deploy/SKILL.md': skill('repo', 'deploy'),
      'repos/app/.claude/agents/explore.md': agent('mine', 'explore'),
    })
    const resolved = await resolve({ repo_dir: 'repos/app' })
    expect(resolved.skills[0]?.body).toBe('repo\n')
    expect(resolved.skills[0]?.origin.shadows).toEqual([
      { layer: 'base/', key: 'base/.agents/skills/deploy/SKILL.md' },
    ])
    expect(resolved.agents.find((one) => one.id === 'explore')?.system_prompt).toBe('mine\n')
  })
})
