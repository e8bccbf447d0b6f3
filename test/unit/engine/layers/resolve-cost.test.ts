import { describe, expect, it } from 'vitest'
import { dropCaches } from '../../../../src/engine/layers/resolve.ts'
import { agent, type LayerWorld, layerWorld, skill, TENANT } from '../../../support/layers.ts'

const layer = (prefix: string, count: number): Record<string, string> => {
  const files: Record<string, string> = {
    [`${prefix}.agents/config.toml`]: '[mcp_servers.x]\nurl = "https://x.example/mcp"\n',
    [`${prefix}.claude/agents/a.md`]: agent('a', 'a'),
  }
  for (let i = 0; i < count; i += 1) {
    files[`${prefix}.agents/skills/s${i}/SKILL.md`] = skill(`body ${i}`, `s${i}`)
  }
  return files
}

/** Trips of one resolve, one after another, once what runs beside it has ended. */
async function trips({ objects, resolve }: LayerWorld, selection = {}): Promise<number> {
  await settle()
  objects.reset()
  await resolve(selection)
  return objects.trips()
}

/** What is still written beside an answer takes turns of the event loop, not time. */
const settle = (): Promise<void> => turns(2_000)
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}
const touching = (calls: readonly string[], text: string) =>
  calls.filter((one) => one.includes(text))

describe('the cost of a resolve', () => {
  for (const [count, pages] of [
    [0, 1],
    [10, 1],
    [100, 3],
    [250, 6],
  ] as const) {
    it(`${count} skills: cold ≤ 1 + p trips, warm ≤ p, after an edit ≤ p + 2, with and without memory`, async () => {
      const world = layerWorld(layer('base/', count), { page: 50 })
      expect(await trips(world)).toBeLessThanOrEqual(1 + pages)
      expect(await trips(world)).toBeLessThanOrEqual(pages)
      world.write({ 'base/.agents/skills/s3/SKILL.md': skill('edited', 's3') })
      expect(await trips(world)).toBeLessThanOrEqual(pages + 2)
      dropCaches(world.objects, TENANT)
      expect(await trips(world)).toBeLessThanOrEqual(pages + 2)
      expect((await world.resolve()).skills.find((one) => one.id === 's3')?.body).toBe('edited\n')
    })
  }

  it('layers are listed in parallel: base and repo need no more trips than the longer one', async () => {
    const world = layerWorld({ ...layer('base/', 100), ...layer('repos/app/', 100) }, { page: 50 })
    expect(await trips(world, { repo_dir: 'repos/app' })).toBeLessThanOrEqual(4)
    expect(await trips(world, { repo_dir: 'repos/app' })).toBeLessThanOrEqual(3)
  })

  it('with a valid role layer no object of the base layer is listed or read', async () => {
    const world = layerWorld({ ...layer('base/', 5), ...layer('roles/fe/', 5), 'repos/app/x': '' })
    await world.resolve({ role: 'fe', repo_dir: 'repos/app' })
    expect(touching(world.objects.calls, '/base/')).toEqual([])
    expect(touching(world.objects.calls, '/roles/fe/').length).toBeGreaterThan(0)
  })

  it('an invalid role layer needs one more listing', async () => {
    const world = layerWorld(layer('base/', 5))
    expect(await trips(world, { role: 'fe' })).toBe(3)
    expect(await trips(world, { role: 'fe' })).toBe(2)
    expect(touching(world.objects.calls, 'get ')).toEqual([])
  })

  it('a changed file re-reads that file only', async () => {
    const world = layerWorld(layer('base/', 60))
    await world.resolve()
    world.write({ 'base/.agents/skills/s7/SKILL.md': skill('new', 's7') })
    await settle()
    world.objects.reset()
    await world.resolve()
    expect(touching(world.objects.calls, 'get ')).toEqual([
      'get acme/files/base/.agents/skills/s7/SKILL.md',
    ])
  })

  it('only layer directories are walked: source files and .git cost nothing', async () => {
    const files = layer('repos/app/', 60)
    for (let i = 0; i < 300; i += 1) {
      files[`repos/app/.git/objects/${i}`] = 'x'
      files[`repos/app/src/${i}.ts`] = 'x'
    }
    const world = layerWorld(files, { page: 50 })
    await world.resolve({ repo_dir: 'repos/app' })
    expect(await trips(world, { repo_dir: 'repos/app' })).toBeLessThanOrEqual(2)
  })

  it('without changes the identical result object is returned', async () => {
    const world = layerWorld(layer('base/', 20))
    const first = await world.resolve()
    expect(await world.resolve()).toBe(first)
  })
})

describe('a layer that changes while it is read', () => {
  it('is listed and read again, so the result matches its listing', async () => {
    const world = layerWorld(layer('base/', 2))
    const { get } = world.objects
    let raced = false
    Object.assign(world.objects, {
      get: async (key: string) => {
        if (!raced && key.endsWith('s1/SKILL.md')) {
          raced = true
          world.write({ 'base/.agents/skills/s1/SKILL.md': skill('newer', 's1') })
        }
        return get(key)
      },
    })
    const resolved = await world.resolve()
    const [, s1] = resolved.skills
    expect(s1?.body).toBe('newer\n')
    const page = await world.objects.list('acme/files/base/.agents/skills/s1/')
    expect(s1?.origin.etag).toBe(page.objects[0]?.etag)
  })

  it('omits a file that vanished before it was read', async () => {
    const world = layerWorld(layer('base/', 2))
    const { get } = world.objects
    Object.assign(world.objects, {
      get: async (key: string) => {
        if (key.endsWith('s1/SKILL.md')) world.objects.remove(key)
        return get(key)
      },
    })
    expect((await world.resolve()).skills.map((one) => one.id)).toEqual(['s0'])
  })
})

describe('the compiled index', () => {
  const indexes = (world: LayerWorld) =>
    world.objects.keys().filter((key) => key.startsWith('acme/index/'))

  async function cold(world: LayerWorld): Promise<string[]> {
    await settle()
    dropCaches(world.objects, TENANT)
    world.objects.reset()
    await world.resolve()
    return touching(world.objects.calls, 'get ')
  }

  it('is stored outside every layer, and a cold process reads it instead of the files', async () => {
    const world = layerWorld(layer('base/', 60))
    const before = await world.resolve()
    await settle()
    expect(indexes(world)).toHaveLength(1)
    expect(await cold(world)).toEqual([
      `get ${indexes(world)[0]}`,
      'get acme/files/base/.agents/config.toml',
    ])
    const after = await world.resolve()
    expect(after).toEqual(before)
  })

  it('is not written for a small layer', async () => {
    const world = layerWorld(layer('base/', 5))
    await world.resolve()
    await settle()
    expect(indexes(world)).toEqual([])
  })

  it('is ignored and rebuilt from the files when broken, truncated, or foreign', async () => {
    const world = layerWorld(layer('base/', 60))
    const expected = await world.resolve()
    await settle()
    const good = (await world.objects.get(indexes(world)[0] ?? ''))!.body
    for (const body of [
      new Uint8Array([0xff, 0xfe]),
      good.subarray(0, good.length - 9),
      new TextEncoder().encode('{}\n'),
      new TextEncoder().encode(
        '{"magic":"strata-layer-index-1","length":0,"entries":[[1,2,null]]}\n',
      ),
      new TextEncoder().encode('not an index'),
    ]) {
      world.objects.write({ [indexes(world).at(-1) ?? '']: body })
      expect((await cold(world)).length).toBeGreaterThan(60)
      expect(await world.resolve()).toEqual(expected)
      expect((await cold(world)).length).toBe(2)
      expect(indexes(world).length).toBeLessThanOrEqual(2)
    }
  })

  it('is replaced after many edits, and at most two are kept', async () => {
    const world = layerWorld(layer('base/', 60))
    await world.resolve()
    for (let round = 0; round < 4; round += 1) {
      await settle()
      for (let i = 0; i < 40; i += 1) {
        world.write({ [`base/.agents/skills/s${i}/SKILL.md`]: skill(`round ${round}`, `s${i}`) })
      }
      await world.resolve()
    }
    await settle()
    expect(indexes(world).length).toBeLessThanOrEqual(2)
    expect((await cold(world)).length).toBeLessThanOrEqual(2)
  })

  it('returns consistent layers, old or new, to concurrent resolves while files change', async () => {
    const world = layerWorld(layer('base/', 60))
    const answers = Array.from({ length: 12 }, async (_, i) => {
      await turns(i)
      const edit = { 'base/.agents/skills/s1/SKILL.md': skill(`edit ${i}`, 's1') }
      world.write(edit)
      return world.resolve()
    })
    for (const resolved of await Promise.all(answers)) {
      expect(resolved.skills).toHaveLength(60)
      expect(resolved.skills.find((one) => one.id === 's1')?.body).toMatch(/^(body 1|edit \d+)\n$/)
    }
    expect((await world.resolve()).skills.find((one) => one.id === 's1')?.body).toBe('edit 11\n')
  })
})
