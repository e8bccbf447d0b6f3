import { describe, expect, it } from 'vitest'
import { changeOf } from '../../../src/core/audit-change.ts'
import { LIMITS } from '../../../src/core/limits.ts'

describe('changeOf', () => {
  it('names the changed members by path, with their values before and after', () => {
    const before = { agent: 'triage', run: { label: 'a', steps: 3 }, tags: ['x'], note: null }
    const after = { agent: 'triage', run: { label: 'b', steps: 3 }, tags: ['x', 'y'], note: 'n' }
    expect(changeOf(before, after).changes).toEqual([
      { field: 'note', before: null, after: 'n' },
      { field: 'run.label', before: 'a', after: 'b' },
      { field: 'tags', before: '["x"]', after: '["x","y"]' },
    ])
  })

  it('has a null digest for a missing resource, and equal digests without a change', () => {
    const resource = { name: 'a', list: [1, { b: 2 }] }
    const created = changeOf(null, resource)
    expect(created).toMatchObject({ before: null, after: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(changeOf(resource, null)).toMatchObject({ before: created.after, after: null })
    expect(changeOf(resource, { ...resource })).toEqual({
      ...{ before: created.after, after: created.after },
    })
  })

  it('shows and digests no secret, however deep it is', () => {
    const secrets = ['client_secret', 'api_key', 'apiKey', 'password', 'Authorization', 'hash']
    const withValue = (value: string) => ({
      ...Object.fromEntries(secrets.map((name) => [name, value])),
      run: { webhook: { secret: value }, headers: { 'x-any': value } },
      servers: [{ token: value }],
    })
    const result = changeOf(withValue('one'), withValue('two'))
    expect(result.before).toBe(result.after)
    expect(JSON.stringify(changeOf(null, withValue('canary')))).not.toContain('canary')
    const counted = changeOf({ max_output_tokens: 1 }, { max_output_tokens: 2 })
    expect(counted.changes).toEqual([{ field: 'max_output_tokens', before: '1', after: '2' }])
  })

  it('shows only the origin of a URL', () => {
    const before = { url: 'https://hooks.example/services/canary?key=canary' }
    const { changes } = changeOf(before, { url: 'https://user:canary@other.example/' })
    expect(changes).toEqual([
      { field: 'url', before: 'https://hooks.example/…', after: 'https://other.example' },
    ])
    expect(JSON.stringify(changeOf(null, { url: 'not a canary' }))).not.toContain('canary')
  })

  it('has a limited number of members of limited length', () => {
    const large = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`member_${index}`, 'x'.repeat(10_000)]),
    )
    const { changes = [] } = changeOf(null, large)
    expect(changes).toHaveLength(LIMITS.audit_changes)
    for (const { after } of changes) expect(after).toHaveLength(LIMITS.audit_change_characters + 1)
  })
})
