import { describe, expect, it } from 'vitest'
import { parseRole } from '../../../../src/core/config/agent/role.ts'

const parsed = (task: string, label?: string, role?: string) => {
  const outcome = parseRole({ task, label, role })
  return outcome.ok ? [outcome.value.role, outcome.value.task] : outcome.error
}

describe('parseRole', () => {
  it('GC-34 the label decides, and the task’s prefix is stripped all the same', () => {
    expect(parsed('[backend] x', '[frontend] fix css')).toEqual(['frontend', 'x'])
  })

  it('GC-34 the parameter decides before the label', () => {
    expect(parsed('[backend] x', '[frontend] y', ' QA ')).toEqual(['qa', 'x'])
  })

  it('GC-34b only a whole, valid prefix is one; unknown roles are allowed', () => {
    expect(parsed('[] x')).toEqual([null, '[] x'])
    expect(parsed('[frontend')).toEqual([null, '[frontend'])
    expect(parsed('  [ api_v2 ] go')).toEqual(['api_v2', 'go'])
  })

  it('GC-34c an empty or blank task is refused', () => {
    expect(parsed('')).toBe('task is required')
    expect(parsed(' \n ')).toBe('task is required')
    expect(parsed('[frontend]  ')).toBe('task is required')
  })

  it('GC-35 the role is lower-cased, the task keeps its letters', () => {
    expect(parsed('[FrontEnd] Build page')).toEqual(['frontend', 'Build page'])
  })

  it('GC-36 a bracket with a blank inside is text', () => {
    expect(parsed('[qa team] test')).toEqual([null, '[qa team] test'])
  })

  it('a task without a prefix stays byte for byte', () => {
    expect(parsed('  two\n lines ')).toEqual([null, '  two\n lines '])
  })

  it('K25 a role that is none is refused, not ignored', () => {
    expect(parsed('x', undefined, 'main/../backend')).toContain('role')
  })
})
