import { describe, expect, it } from 'vitest'
import { parseRole } from '../../../../src/core/config/agent/role.ts'

const parsed = (task: string, label?: string, role?: string) => {
  const outcome = parseRole({ task, label, role })
  return outcome.ok ? [outcome.value.role, outcome.value.task] : outcome.error
}

describe('parseRole', () => {
  it('uses the label, and still strips the task’s prefix [GC-34]', () => {
    expect(parsed('[backend] x', '[frontend] fix css')).toEqual(['frontend', 'x'])
  })

  it('prefers the parameter to the label [GC-34]', () => {
    expect(parsed('[backend] x', '[frontend] y', ' QA ')).toEqual(['qa', 'x'])
  })

  it('accepts only a complete, valid prefix, and allows unknown roles [GC-34b]', () => {
    expect(parsed('[] x')).toEqual([null, '[] x'])
    expect(parsed('[frontend')).toEqual([null, '[frontend'])
    expect(parsed('  [ api_v2 ] go')).toEqual(['api_v2', 'go'])
  })

  it('refuses an empty or blank task [GC-34c]', () => {
    expect(parsed('')).toBe('task is required')
    expect(parsed(' \n ')).toBe('task is required')
    expect(parsed('[frontend]  ')).toBe('task is required')
  })

  it('lowercases the role and keeps the task’s case [GC-35]', () => {
    expect(parsed('[FrontEnd] Build page')).toEqual(['frontend', 'Build page'])
  })

  it('treats a bracket with a blank inside as text [GC-36]', () => {
    expect(parsed('[qa team] test')).toEqual([null, '[qa team] test'])
  })

  it('keeps a task without a prefix byte for byte', () => {
    expect(parsed('  two\n lines ')).toEqual([null, '  two\n lines '])
  })

  it('refuses an invalid role instead of ignoring it [K25]', () => {
    expect(parsed('x', undefined, 'main/../backend')).toContain('role')
  })
})
