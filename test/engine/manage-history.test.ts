import { expect, it } from 'vitest'
import { manage } from '../../src/engine/manage/index.ts'
import { auditList } from '../../src/engine/names.ts'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import type { Store } from '../../src/ports/world.ts'
import { skill } from '../support/layers.ts'

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
  'a change is in the audit once, also when its commit was in doubt (applied: %s)',
  async (applied) => {
    const plain = memoryWorld()
    const world = { ...plain, store: unsure(plain.store, applied) }
    const given = { skill_name: 'deploy', skill_md: skill('how', 'deploy') }
    const done = await manage({ world, tenant: TENANT, by: 'key' }, 'skills_put', given)
    expect(done.ok).toBe(true)
    expect(await plain.store.list(auditList(TENANT))).toHaveLength(1)
  },
)
