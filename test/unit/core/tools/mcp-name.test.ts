import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcpToolName } from '../../../../src/core/tools/mcp-name.ts'

describe('an MCP tool name', () => {
  it('contains server and tool when it fits', () => {
    expect(mcpToolName('figma', 'get_file')).toBe('mcp__figma__get_file')
    expect(mcpToolName('a', 'b'.repeat(56)).length).toBe(64)
  })
  it('is shortened with a stable hash, and long common prefixes do not collide [MCP-09]', () => {
    const long = 'search_documents_in_the_company_wide_knowledge_base_'
    const one = mcpToolName('knowledge', `${long}by_title`)
    expect(one.length).toBe(64)
    expect(one).not.toBe(mcpToolName('knowledge', `${long}by_text`))
    expect(one).toBe('mcp__knowledge__search_documents_in_the_company_wide_kn_72698124')
  })
  it('has other characters replaced, and names that differ only there stay distinct [MCP-09]', () => {
    const names = ['a.b', 'a/b', 'a b', 'a_b', 'ä_b'].map((tool) => mcpToolName('s', tool))
    expect(new Set(names).size).toBe(names.length)
  })
  it('is always acceptable to models and unique for each tool [MCP-09]', () => {
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
