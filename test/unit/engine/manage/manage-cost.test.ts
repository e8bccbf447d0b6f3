import { describe, expect, it } from 'vitest'
import { manage } from '../../../../src/engine/manage/index.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { agent, skill } from '../../../support/layers.ts'

describe('a typed configuration write', () => {
  it.each([
    ['agents_put', { agent_name: 'x', agent_md: agent('mine', 'x') }],
    ['skills_put', { skill_name: 'x', skill_md: skill('mine', 'x') }],
  ] as const)('%s lists the layer once before the write and once after it', async (name, input) => {
    const plain = memoryWorld()
    const calls: string[] = []
    const objects: typeof plain.objects = {
      ...plain.objects,
      list(prefix, cursor) {
        calls.push(`list ${prefix}`)
        return plain.objects.list(prefix, cursor)
      },
      put(key, body, expect) {
        calls.push(`put ${key}`)
        return plain.objects.put(key, body, expect)
      },
    }
    const world = { ...plain, objects }
    const done = await manage({ world, tenant: 'acme', by: 'key' }, name, input)
    expect(done.ok).toBe(true)
    const layer = calls.filter(
      (one) => one.endsWith('files/base/.') || one.includes('/base/.agents'),
    )
    expect(layer.map((one) => one.split(' ')[0])).toEqual(['list', 'put', 'list'])
  })
})
