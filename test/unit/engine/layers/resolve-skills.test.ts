import { describe, expect, it } from 'vitest'
import { agent, layerWorld, skill } from '../../../support/layers.ts'
import { codes, REPO, record, skills } from '../../../support/resolved.ts'

describe('skills of two layers', () => {
  const both = {
    'base/.agents/skills/deploy/SKILL.md': skill('base', 'deploy'),
    'repos/app/.agents/skills/deploy/SKILL.md': skill('repo', 'deploy'),
  }

  it('the repo skill’s body is used, and names the skill it hides [GC-10 SKO-01]', async () => {
    const resolved = await layerWorld(both).resolve(REPO)
    expect(skills(resolved)).toEqual([['deploy', true, 'repo']])
    expect(resolved.skills[0]?.origin).toMatchObject({
      kind: 'repo',
      layer: 'repos/app/',
      key: 'repos/app/.agents/skills/deploy/SKILL.md',
      shadows: [{ layer: 'base/', key: 'base/.agents/skills/deploy/SKILL.md' }],
    })
  })

  it('a toggle alone disables the inherited skill [GC-11]', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/deploy/SKILL.md': skill('base', 'deploy'),
      'repos/app/.agents/skills/deploy/.disabled': '',
    })
    const [deploy] = (await resolve(REPO)).skills
    expect(deploy).toMatchObject({ enabled: false, body: 'base\n' })
    expect(deploy?.reason).toBe('disabled by repos/app/.agents/skills/deploy/.disabled')
  })

  it('an overlay’s SKILL.md without a toggle is enabled, even when the base’s is disabled [GC-12]', async () => {
    const { resolve } = layerWorld({ ...both, 'base/.agents/skills/deploy/.disabled': '' })
    expect(skills(await resolve(REPO))).toEqual([['deploy', true, 'repo']])
    expect(skills(await resolve())).toEqual([['deploy', false, 'base']])
  })

  it('a toggle for a missing skill is an unused override [X-30]', async () => {
    const { resolve } = layerWorld({ ...both, 'repos/app/.agents/skills/gone/.disabled': '' })
    expect(codes(await resolve(REPO))).toEqual(['unused_override'])
  })

  it('an invalid later file never removes an earlier skill', async () => {
    const { resolve } = layerWorld({
      ...both,
      'repos/app/.agents/skills/deploy/SKILL.md': 'broken',
    })
    const resolved = await resolve(REPO)
    expect(skills(resolved)).toEqual([['deploy', true, 'base']])
    expect(record(resolved, 'repos/app/.agents/skills/deploy/SKILL.md')?.status).toBe('rejected')
  })

  it('within a layer take precedence as .neovate < .agents < .claude', async () => {
    const at = (place: string) => ({ [`base/${place}/skills/x/SKILL.md`]: skill(place, 'x') })
    const { resolve } = layerWorld({ ...at('.claude'), ...at('.neovate'), ...at('.agents') })
    const [x] = (await resolve()).skills
    expect(x?.body).toBe('.claude\n')
    expect(x?.origin.shadows.map((one) => one.key)).toEqual([
      'base/.neovate/skills/x/SKILL.md',
      'base/.agents/skills/x/SKILL.md',
    ])
  })

  it('resource files are listed with their ETags, independent of the layer’s other files', async () => {
    const { resolve } = layerWorld({
      ...both,
      'base/.agents/skills/deploy/scripts/run.sh': 'echo',
      'base/.agents/skills/deploy/agents/helper.md': agent('x', 'helper'),
      'base/.agents/skills/deployer/SKILL.md': skill('d', 'deployer'),
    })
    const [deploy] = (await resolve()).skills
    expect(deploy?.files.map((file) => [file.path, file.size])).toEqual([
      ['agents/helper.md', expect.any(Number)],
      ['scripts/run.sh', 4],
    ])
  })

  it('a lone skill.md is read, and is rejected next to SKILL.md [SK-13 GC-58]', async () => {
    const { resolve, write } = layerWorld({ 'base/.agents/skills/x/skill.md': skill('low', 'x') })
    expect(skills(await resolve())).toEqual([['x', true, 'low']])
    write({ 'base/.agents/skills/x/SKILL.md': skill('up', 'x') })
    const resolved = await resolve()
    expect(skills(resolved)).toEqual([['x', true, 'up']])
    expect(record(resolved, 'base/.agents/skills/x/skill.md')?.status).toBe('rejected')
  })

  it('deeply nested directories are not skills; an unmet requirement is listed with its reason [CX-15]', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/a/b/c/d/SKILL.md': skill('deep', 'd'),
      'base/.agents/skills/gated/SKILL.md':
        '---\nname: gated\ndescription: d\nmetadata: {x: {requires: {env: [TOKEN]}}}\n---\nb',
    })
    const resolved = await resolve()
    expect(resolved.skills.map((one) => [one.id, one.available, one.reason])).toEqual([
      ['gated', false, 'requires the secret TOKEN'],
    ])
  })

  it('.git/ and names with spaces are not skills [GC-57]', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/.git/SKILL.md': skill('x', 'git'),
      'base/.agents/skills/Bad Name/SKILL.md': skill('x', 'bad'),
      'base/.agents/skills/ok/SKILL.md': skill('x', 'ok'),
    })
    expect(skills(await resolve()).map(([id]) => id)).toEqual(['ok'])
  })
})
