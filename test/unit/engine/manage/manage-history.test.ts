import { expect, it } from 'vitest'
import { manage } from '../../../../src/engine/manage/index.ts'
import { migrateLayer } from '../../../../src/engine/manage/migrate.ts'
import { auditList } from '../../../../src/engine/partition/keys.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { fileKey } from '../../../../src/lib/key.ts'
import type { Objects, Store } from '../../../../src/ports/world.ts'
import { agent, skill } from '../../../support/layers.ts'

const TENANT = 'acme'

/** Nobody is sure of the first commit: it was applied, or it was lost. */
function unsure(store: Store, applied: boolean): Store {
  let first = true
  return {
    ...store,
    async commit(partition, writes, head) {
      if (!first) return store.commit(partition, writes, head)
      first = false
      if (applied) await store.commit(partition, writes, head)
      return 'ambiguous'
    },
  }
}

it.each([true, false])(
  'a change is audited once, even when its commit was in doubt (applied: %s)',
  async (applied) => {
    const plain = memoryWorld()
    const world = { ...plain, store: unsure(plain.store, applied) }
    const given = { skill_name: 'deploy', skill_md: skill('how', 'deploy') }
    const done = await manage({ world, tenant: TENANT, by: 'key' }, 'skills_put', given)
    expect(done.ok).toBe(true)
    expect(await plain.store.list(auditList(TENANT))).toHaveLength(1)
  },
)

it('a migration overtaken by a concurrent write deletes nothing', async () => {
  const plain = memoryWorld()
  const key = (path: string) => fileKey(TENANT, `base/${path}`)
  const legacy = '{"servers":{"old":{"command":"x"}}}'
  await plain.objects.put(key('.goclaw/mcp.json'), encode(legacy), 'any')
  const objects: Objects = {
    ...plain.objects,
    async put(at, body, expect) {
      // Written between the look and the put.
      if (at === key('.agents/config.toml'))
        await plain.objects.put(at, encode('[mcp_servers.new]\ncommand = "y"\n'), 'any')
      return plain.objects.put(at, body, expect)
    },
  }
  const manager = { world: { ...plain, objects }, tenant: TENANT, by: 'key' }
  const done = await migrateLayer(manager, { kind: 'base', prefix: 'base/' }, { dry_run: false })
  expect(done.ok ? 'done' : done.error.code).toBe('conflict')
  expect(await plain.objects.get(key('.goclaw/mcp.json'))).not.toBeNull()
})

it.each([
  ['skills_delete', { skill_name: 'x' }, 'skills/x/SKILL.md', skill('mine', 'x')],
  ['agents_delete', { agent_name: 'x' }, 'agents/x.md', agent('mine', 'x')],
] as const)(
  '%s never deletes a text that was not saved first',
  async (operation, given, path, text) => {
    const plain = memoryWorld()
    const key = fileKey(TENANT, `base/.agents/${path}`)
    await plain.objects.put(key, encode(text), 'any')
    const edited = encode(text.replace('mine', 'yours'))
    const objects: Objects = {
      ...plain.objects,
      async delete(at, expect) {
        // Somebody writes between the look and the delete.
        if (at === key) await plain.objects.put(at, edited, 'any')
        return plain.objects.delete(at, expect)
      },
    }
    const manager = { world: { ...plain, objects }, tenant: TENANT, by: 'key' }
    const done = await manage(manager, operation, given)
    expect(done.ok ? 'done' : done.error.code).toBe('conflict')
    expect((await plain.objects.get(key))?.body).toEqual(edited)
  },
)
