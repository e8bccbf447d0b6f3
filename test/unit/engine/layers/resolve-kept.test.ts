/** Listings that several processes share: what is seen at once, what within 30 s, what is not asked. */

import { describe, expect, it } from 'vitest'
import {
  bringFile,
  deleteFile,
  type FilePath,
  filePath,
  putFile,
} from '../../../../src/engine/layers/files.ts'
import { resolveLayers } from '../../../../src/engine/layers/resolve.ts'
import { isShown, KEPT_MS, Listings } from '../../../../src/engine/layers/stored-listings.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import type { Objects, World } from '../../../../src/ports/world.ts'
import { look, putFiles, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'
import { agent, skill } from '../../../support/layers.ts'

const FILES = {
  'base/.agents/agents/scout.md': agent('Look around.', 'scout'),
  'base/.agents/skills/one/SKILL.md': skill('first', 'one'),
}
const PATH = 'base/.agents/skills/two/SKILL.md'
const path = (text: string): FilePath => {
  const judged = filePath(text)
  if (!judged.ok) throw new Error(judged.error)
  return judged.value
}

/** As in a cloud: others may write, and nothing is remembered but by the store. */
async function cloud(files: Readonly<Record<string, string>> = FILES) {
  const memory = testWorld({ settings: { singleProcess: false } })
  await putFiles(memory, files)
  const lists: string[] = []
  const counted = (objects: Objects): Objects => ({
    ...objects,
    list(prefix, cursor) {
      lists.push(prefix)
      return objects.list(prefix, cursor)
    },
  })
  const objects = counted(memory.objects)
  const world: MemoryWorld = { ...memory, objects }
  /** A process that has just begun. */
  const process = (): World => ({
    ...world,
    store: { ...world.store },
    objects: { ...world.objects },
  })
  const skills = async (by: World = process()): Promise<readonly string[]> => {
    const listings = new Listings(by, TENANT, 'kept')
    const resolved = await resolveLayers(by, TENANT, {}, { listings })
    if (!resolved.ok) throw new Error(resolved.error.detail)
    await new Promise(setImmediate)
    return resolved.value.skills.map(({ id }) => id).sort()
  }
  const listed = async (work: () => Promise<unknown>): Promise<number> => {
    lists.length = 0
    await work()
    return lists.length
  }
  return { world, process, skills, listed }
}

describe('a cached layer listing', () => {
  it('saves all listings of the next run, in a process that has never seen the layer', async () => {
    const { skills, listed } = await cloud()
    expect(await listed(skills)).toBeGreaterThan(0)
    expect(await listed(skills)).toBe(0)
    expect(await skills()).toEqual(['one'])
  })

  it('is invalid in every process once a file is written or deleted through the API', async () => {
    const { process, skills, listed } = await cloud()
    const [a, b] = [process(), process()]
    await skills(a)
    await skills(b)
    await putFile({ world: a, tenant: TENANT }, path(PATH), encode(skill('new', 'two')), 'any')
    expect(await skills(b)).toEqual(['one', 'two'])
    expect(await listed(() => skills(b))).toBe(0)
    await deleteFile({ world: b, tenant: TENANT }, PATH, 'any')
    expect(await skills(a)).toEqual(['one'])
  })

  it('includes external bucket changes after 30 s, and at once in a fresh listing', async () => {
    const { world, process, skills } = await cloud()
    await skills()
    await putFiles(world, { [PATH]: skill('new', 'two') })
    expect(await skills()).toEqual(['one'])
    world.clock.advance(KEPT_MS)
    expect(await skills()).toEqual(['one', 'two'])
    await putFiles(world, { 'base/.agents/skills/three/SKILL.md': skill('new', 'three') })
    const fresh = await resolveLayers(process(), TENANT, {})
    expect(fresh.ok && fresh.value.skills.length).toBe(3)
    await new Promise(setImmediate)
    // Whoever looks for himself has looked for all.
    expect(await skills()).toEqual(['one', 'three', 'two'])
  })

  it('does not hide an externally changed file', async () => {
    const { world, skills, process } = await cloud()
    await skills()
    await putFiles(world, { 'base/.agents/skills/one/SKILL.md': skill('other', 'one') })
    const listings = new Listings(process(), TENANT, 'kept')
    const resolved = await resolveLayers(process(), TENANT, {}, { listings })
    expect(resolved.ok && resolved.value.skills[0]?.body).toBe('other\n')
  })

  it('is discarded when it started before a write that completed meanwhile', async () => {
    const { world, process, skills } = await cloud()
    const slow = process()
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { list } = slow.objects
    const late: World = {
      ...slow,
      objects: {
        ...slow.objects,
        async list(prefix, cursor) {
          const page = await list(prefix, cursor)
          await gate
          return page
        },
      },
    }
    const before = skills(late)
    await new Promise(setImmediate)
    await putFile({ world, tenant: TENANT }, path(PATH), encode(skill('new', 'two')), 'any')
    release()
    expect(await before).toEqual(['one'])
    expect(await skills()).toEqual(['one', 'two'])
  })

  it('is valid for 30 s under any clock skew, and never when corrupt', async () => {
    const { world, skills, listed } = await cloud()
    world.clock.set(world.clock.now() + 3_600_000)
    await skills()
    world.clock.set(world.clock.now() - 3_600_000)
    expect(await listed(skills)).toBeGreaterThan(0)
    const hurt: World = {
      ...world,
      store: {
        ...world.store,
        read: async (partition, after) =>
          (await world.store.read(partition, after)).map((row) => ({ ...row, body: '{' })),
      },
    }
    expect(await skills(hurt)).toEqual(['one'])
  })

  it('is not written for a layer of hundreds of files', async () => {
    const many = Array.from({ length: 200 }, (_, at) => {
      const name = `s${at}`
      return [`base/.agents/skills/${name}/SKILL.md`, skill('x', name)] as const
    })
    const { skills, listed } = await cloud(Object.fromEntries(many))
    await skills()
    expect(await listed(skills)).toBeGreaterThan(0)
  })

  it('never fails a run: an agent missing from it is looked up in the bucket', async () => {
    const { world, skills } = await cloud({})
    await skills()
    await putFiles(world, FILES)
    const input = '@spawn 1 {"task":"@say found","agent":"scout"}\n@await\n@say {results}'
    const id = await startRun(world, { input })
    await settle(world)
    const { state } = await look(world, id)
    expect(state.output?.text).toBe('1')
  })

  it('is not used by a single process', async () => {
    const memory = testWorld()
    await putFiles(memory, FILES)
    const resolve = () =>
      resolveLayers(memory, TENANT, {}, { listings: new Listings(memory, TENANT, 'kept') })
    await resolve()
    await putFiles(memory, { [PATH]: skill('new', 'two') })
    const resolved = await resolve()
    expect(resolved.ok && resolved.value.skills.length).toBe(2)
  })

  it('stays valid when a file outside every layer is written', async () => {
    const { world, skills, listed } = await cloud()
    await skills()
    const space = { world, tenant: TENANT, by: 'key' }
    await bringFile(space, path('workspaces/run_1/notes.md'), encode('text'), 'any')
    expect(await listed(skills)).toBe(0)
  })
})

it.each([
  ['base/.agents/config.toml', true],
  ['.agents/x', true],
  ['repos/app/.claude/agents/a.md', true],
  ['base/skills/main/x/SKILL.md', true],
  ['roles/fe/agents/a.md', true],
  ['base/skills', false],
  ['repos/app/src/main.ts', false],
  ['repos/app/src/myskills/x.md', false],
])('%s may be part of a layer: %s', (text, shown) => {
  expect(isShown(text)).toBe(shown)
})
