import { describe, expect, it } from 'vitest'
import { agent, layerWorld, skill } from '../../../support/layers.ts'
import { agentBody, REPO, record } from '../../../support/resolved.ts'

describe('agents of several sources', () => {
  it('within a layer .netclaw < .neovate < .agents < .claude; the repo layer wins over all [NV-02 CC-09]', async () => {
    const at = (layer: string, place: string) => ({
      [`${layer}/${place}/agents/a.md`]: agent(`${layer} ${place}`, 'a'),
    })
    const base = ['.claude', '.netclaw', '.agents', '.neovate'].map((place) => at('base', place))
    const { resolve } = layerWorld(Object.assign({}, ...base, at('repos/app', '.netclaw')))
    expect(agentBody(await resolve(), 'a')).toBe('base .claude')
    const [a] = (await resolve(REPO)).agents
    expect(a?.system_prompt).toBe('repos/app .netclaw\n')
    expect(a?.origin.shadows).toHaveLength(4)
  })

  it('a file replaces a built-in agent [NV-18]', async () => {
    const { resolve } = layerWorld({ 'base/.agents/agents/explore.md': agent('mine', 'explore') })
    const resolved = await resolve()
    expect(agentBody(resolved, 'explore')).toBe('mine')
    expect(resolved.agents).toHaveLength(6)
  })

  it('a missing directory is not an error: the built-in agents remain [NV-03 NC-19]', async () => {
    const resolved = await layerWorld().resolve()
    expect(resolved.agents).toHaveLength(6)
    expect([resolved.records, resolved.diagnostics]).toEqual([[], []])
  })

  it('an invalid later file leaves the earlier agent in place and is reported [NV-19 NC-23]', async () => {
    const { resolve } = layerWorld({
      'base/.agents/agents/a.md': agent('good', 'a'),
      'base/.agents/agents/b.md': agent('other', 'b'),
      'repos/app/.agents/agents/a.md': '---\nname: a\n---\nx',
    })
    const resolved = await resolve(REPO)
    expect([agentBody(resolved, 'a'), agentBody(resolved, 'b')]).toEqual(['good', 'other'])
    expect(record(resolved, 'repos/app/.agents/agents/a.md')?.status).toBe('rejected')
  })

  it('a duplicate ID in a directory resolves to the first in key order, with an error on the later file [SDK-09 CC-10]', async () => {
    const { resolve } = layerWorld({
      'base/.agents/agents/2.md': agent('second', 'twin'),
      'base/.agents/agents/1.md': agent('first', 'twin'),
    })
    const resolved = await resolve()
    expect(agentBody(resolved, 'twin')).toBe('first')
    const late = record(resolved, 'base/.agents/agents/2.md')
    expect(late?.status).toBe('rejected')
    expect(late?.diagnostics.at(-1)?.message).toContain('1.md')
  })

  it('on_duplicate: shadow by default, reject on request; built-in agents may be replaced [NC-10]', async () => {
    const { resolve, refusal } = layerWorld({
      'base/.agents/agents/a.md': agent('x', 'a'),
      'base/.agents/agents/explore.md': agent('x', 'explore'),
      'repos/app/.agents/agents/a.md': agent('y', 'a'),
    })
    expect(agentBody(await resolve(REPO), 'a')).toBe('y')
    expect(await refusal({ ...REPO, on_duplicate: 'reject' })).toMatchObject({
      code: 'invalid_config',
      errors: [{ pointer: '/repos/app/.agents/agents/a.md' }],
    })
    await resolve({ on_duplicate: 'reject' })
  })

  it('the next resolve reflects an edit and drops old errors [NC-22 NV-21]', async () => {
    const { resolve, write } = layerWorld({ 'base/.agents/agents/a.md': 'no head' })
    expect(agentBody(await resolve(), 'a')).toBeUndefined()
    write({ 'base/.agents/agents/a.md': agent('now', 'a') })
    const resolved = await resolve()
    expect(agentBody(resolved, 'a')).toBe('now')
    expect(resolved.records.map((one) => one.status)).toEqual(['loaded'])
  })

  it('a deleted skill is absent from the next resolve [MC-42 X-32]', async () => {
    const { resolve, objects } = layerWorld({ 'base/.agents/skills/x/SKILL.md': skill('b', 'x') })
    expect((await resolve()).skills).toHaveLength(1)
    objects.remove('acme/files/base/.agents/skills/x/SKILL.md')
    expect((await resolve()).skills).toHaveLength(0)
  })

  it('an unknown model is replaced by the inherited one, with a warning on the file [M24]', async () => {
    const { resolve } = layerWorld(
      { 'base/.agents/agents/a.md': agent('x', 'a', 'model: opus\n') },
      { unknownModels: ['opus'] },
    )
    const resolved = await resolve()
    expect(resolved.agents[0]?.model).toBeNull()
    expect(resolved.records[0]).toMatchObject({
      status: 'loaded_with_warnings',
      diagnostics: [{ code: 'model_unknown' }],
    })
  })
})
