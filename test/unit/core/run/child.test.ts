import { expect, it } from 'vitest'
import { childSpec } from '../../../../src/core/run/decide/child.ts'
import { created, given, parentOf } from '../../../support/facts.ts'

it('a subagent inherits the hook depth of its chain', () => {
  const child = { agent: 'general', agent_entry: null, role: null, repo_dir: null, input: 'x' }
  const hopsOf = (more: Parameters<typeof created>[0]) => {
    const [, ...rest] = parentOf({}, 'a')
    const state = given(created(more), ...rest)
    const [call] = state.calls.values()
    return childSpec(state, call!, { request: { task: 'x' }, ...child }).hops
  }
  expect(hopsOf({ hops: 3 })).toBe(3)
  expect(hopsOf({ hops: 0 })).toBe(0)
  expect(hopsOf({})).toBeUndefined()
})
