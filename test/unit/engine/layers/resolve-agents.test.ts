import { describe, expect, it } from 'vitest'
import { agent, layerWorld, skill } from '../../../support/layers.ts'
import { agentBody, REPO, record } from '../../../support/resolved.ts'

describe('agents of several places', () => {
  it('NV-02 CC-09 in one layer .netclaw < .neovate < .agents < .claude; the repo is above all', async () => {
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

  it('NV-18 a file replaces a built-in agent', async () => {
    const { resolve } = layerWorld({ 'base/.agents/agents/explore.md': agent('mine', 'explore') })
    const resolved = await resolve()
    expect(agentBody(resolved, 'explore')).toBe('mine')
    expect(resolved.agents).toHaveLength(6)
  })

  it('NV-03 NC-19 no directory is no error: the built-in agents are there', async () => {
    const resolved = await layerWorld().resolve()
    expect(resolved.agents).toHaveLength(6)
    expect([resolved.records, resolved.diagnostics]).toEqual([[], []])
  })

  it('NV-19 NC-23 an invalid later file leaves the earlier agent, and is reported', async () => {
    const { resolve } = layerWorld({
      'base/.agents/agents/a.md': agent('good', 'a'),
      'base/.agents/agents/b.md': agent('other', 'b'),
      'repos/app/.agents/agents/a.md': '---\nname: a\n---\nx',
    })
    const resolved = await resolve(REPO)
    expect([agentBody(resolved, 'a'), agentBody(resolved, 'b')]).toEqual(['good', 'other'])
    expect(record(resolved, 'repos/app/.agents/agents/a.md')?.status).toBe('rejected')
  })

  it('SDK-09 CC-10 one id twice in a directory: the first in key order, an error on the later', async () => {
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

  it('NC-10 on_duplicate: shadow by default, reject on demand; built-in agents may be replaced', async () => {
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

  it('NC-22 NV-21 the next resolve sees an edit, and old errors are gone', async () => {
    const { resolve, write } = layerWorld({ 'base/.agents/agents/a.md': 'no head' })
    expect(agentBody(await resolve(), 'a')).toBeUndefined()
    write({ 'base/.agents/agents/a.md': agent('now', 'a') })
    const resolved = await resolve()
    expect(agentBody(resolved, 'a')).toBe('now')
    expect(resolved.records.map((one) => one.status)).toEqual(['loaded'])
  })

  it('MC-42 X-32 a deleted skill is gone from the next resolve', async () => {
    const { resolve, objects } = layerWorld({ 'base/.agents/skills/x/SKILL.md': skill('b', 'x') })
    expect((await resolve()).skills).toHaveLength(1)
    objects.remove('acme/files/base/.agents/skills/x/SKILL.md')
    expect((await resolve()).skills).toHaveLength(0)
  })

  it('M24 a model that the deployment does not know is inherited, with a warning on the file', async () => {
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
