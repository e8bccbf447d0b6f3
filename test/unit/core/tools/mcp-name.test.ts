import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcpToolName } from '../../../../src/core/tools/mcp-name.ts'

describe('the name of an MCP tool', () => {
  it('says server and tool when it fits', () => {
    expect(mcpToolName('figma', 'get_file')).toBe('mcp__figma__get_file')
    expect(mcpToolName('a', 'b'.repeat(56)).length).toBe(64)
  })
  it('MCP-09 is cut with a stable hash, and long beginnings do not collide', () => {
    const long = 'search_documents_in_the_company_wide_knowledge_base_'
    const one = mcpToolName('knowledge', `${long}by_title`)
    expect(one.length).toBe(64)
    expect(one).not.toBe(mcpToolName('knowledge', `${long}by_text`))
    expect(one).toBe('mcp__knowledge__search_documents_in_the_company_wide_kn_72698124')
  })
  it('MCP-09 other characters are replaced, and what differs only there stays different', () => {
    const names = ['a.b', 'a/b', 'a b', 'a_b', 'ä_b'].map((tool) => mcpToolName('s', tool))
    expect(new Set(names).size).toBe(names.length)
  })
  it('MCP-09 is always acceptable to models and one for each tool', () => {
    const server = fc.stringMatching(/^[A-Za-z0-9]{1,20}$/)
    const pair = fc.tuple(server, fc.string({ maxLength: 120 }))
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: (one) => JSON.stringify(one) }), (pairs) => {
        const names = pairs.map(([one, tool]) => mcpToolName(one, tool))
        expect(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })
})
