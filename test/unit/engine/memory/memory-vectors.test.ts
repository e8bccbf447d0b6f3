/** Search by meaning, where an embedding model is configured. */

import { describe, expect, it } from 'vitest'
import { searchMemory } from '../../../../src/engine/memory/search.ts'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { putFiles, TENANT, testWorld } from '../../../support/drive.ts'
import { scriptEmbedding } from '../../../support/embedding.ts'
import { startModelServer } from '../../../support/model-server.ts'
import { scriptModel } from '../../../support/script.ts'

const NOTES = {
  'memory/shared/a.md': '- Ada drives a red car\n',
  'memory/shared/b.md': '- the surgeon comes on Monday\n',
  'memory/shared/c.md': '- the automobile club has a meeting\n',
}

async function worldWith(away = { now: false }) {
  const { embedding, asked } = scriptEmbedding(away)
  const world = testWorld({ model: { ...scriptModel(), embedding } })
  await putFiles(world, NOTES)
  const find = (query: string) =>
    searchMemory({ world, tenant: TENANT }, ['shared/'], { query, limit: 3 })
  return { world, asked, find }
}
const pathsOf = ({ passages }: Awaited<ReturnType<typeof searchMemory>>): string[] =>
  passages.map(({ path }) => path)

describe('semantic memory search', () => {
  it('finds passages without any query word, and ranks those in both orders first', async () => {
    const { find } = await worldWith()
    expect(pathsOf(await find('physician'))[0]).toBe('shared/b.md')
    expect(pathsOf(await find('automobile')).slice(0, 2)).toEqual(['shared/c.md', 'shared/a.md'])
  })

  it('requests the vector of a passage once, and again when its text has changed', async () => {
    const { world, asked, find } = await worldWith()
    await find('car')
    await find('doctor')
    expect(asked).toHaveLength(3 + 2)
    await putFiles(world, { 'memory/shared/a.md': '- Ada drives a blue car\n' })
    await find('car')
    expect(asked.slice(5)).toEqual(['car', '- Ada drives a blue car'])
    // Thrown away, it is made anew, and finds the same.
    const before = await find('vehicle')
    const { objects } = await world.objects.list(`${TENANT}/index/memory/`)
    expect(objects.some(({ key }) => key.endsWith('.vectors'))).toBe(true)
    for (const { key } of objects) await world.objects.delete(key, 'any')
    expect(await find('vehicle')).toEqual(before)
  })

  it('falls back to words alone while the model is unavailable, and reports it', async () => {
    const away = { now: true }
    const { find } = await worldWith(away)
    const found = await find('surgeon')
    expect(pathsOf(found)).toEqual(['shared/b.md'])
    expect(found.notes).toEqual(['test/embedding did not respond; only keywords were searched.'])
    away.now = false
    expect((await find('physician')).notes).toEqual([])
  })

  it('reports passages without a vector when there are more than one search embeds', async () => {
    const { world, find } = await worldWith()
    const long = Array.from({ length: 600 }, (_, at) => `# ${at}\n\nnote ${at}`).join('\n\n')
    await putFiles(world, { 'memory/shared/long.md': long })
    expect((await find('car')).notes.join()).toContain('91 passages have no test/embedding vector')
    expect((await find('car')).notes).toEqual([])
  })
})

describe('the embedding model of a deployment', () => {
  it('is the one named by the alias Embedding, called over HTTP, and absent without the alias', async () => {
    const server = await startModelServer()
    cleanup.push(() => server.close())
    const env = { OPENAI_BASE_URL: server.url, STRATA_MODEL: 'openai/x' }
    expect(createModel(modelConfigFromEnv(env)).embedding).toBeUndefined()
    const aliases = { STRATA_MODEL_ALIASES: '{"Embedding":"openai/text-embedding"}' }
    const { embedding } = createModel(modelConfigFromEnv({ ...env, ...aliases }))
    expect(embedding?.model).toBe('openai/text-embedding')
    const { signal } = new AbortController()
    const answer = await embedding!.embed(['a car', 'an automobile'], signal)
    expect(answer.ok && answer.value.map((one) => one.length)).toEqual([64, 64])
    await server.close()
    const gone = await embedding!.embed(['a car'], signal)
    expect(gone).toMatchObject({ ok: false, error: { code: 'unavailable' } })
    const other = { ANTHROPIC_API_KEY: 'sk-x', STRATA_MODEL_ALIASES: '{"Embedding":"anthropic/x"}' }
    const none = createModel(modelConfigFromEnv(other)).embedding!
    expect(await none.embed(['x'], signal)).toMatchObject({
      ok: false,
      error: { message: 'embeddings of anthropic are not supported' },
    })
  })
})
