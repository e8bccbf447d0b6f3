/** Tool lists with odd tools and odd pages: each tool is judged by itself, and what is odd is told. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ServerEntry } from '../../../../src/core/config/types.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { type CannedMcpOptions, type McpMessage, TOOL } from '../../../support/canned-mcp.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'

const json = { 'content-type': 'application/json' }
const GOOD = { ...TOOL, name: 'good' }

/** Answers each `tools/list` with what the test says. */
const pages = (result: (message: McpMessage) => unknown): CannedMcpOptions => ({
  onRequest(request, response: ServerResponse) {
    const message = request.method === 'POST' ? JSON.parse(request.body) : {}
    if (message.method !== 'tools/list') return false
    response.writeHead(200, json)
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: result(message) }))
    return true
  },
})

async function listed(options: CannedMcpOptions, entry: Partial<ServerEntry> = {}) {
  const made = await canned(options, entry)
  const tools = mcp()
  const list = await tools.list('default', made.entry)
  const probed = await tools.probe('default', made.entry)
  if (!list.ok || !probed.ok) throw new Error(JSON.stringify([list, probed]))
  const { value, findings = [] } = list
  // A test of the server tells the same.
  expect({ tools: value, findings }).toEqual({
    tools: probed.value.tools,
    findings: probed.value.findings ?? [],
  })
  return { ...made, tools: value, names: value.map(({ name }) => name), findings }
}

describe('a malformed tool', () => {
  const { inputSchema: _, ...bare } = { ...TOOL, name: 'odd' }
  const anything = { type: 'object' }

  it.each([
    ['no inputSchema', bare, anything],
    ['an inputSchema that is null', { ...bare, inputSchema: null }, anything],
    ['an empty inputSchema', { ...bare, inputSchema: {} }, anything],
    ['an empty list in place of a map', { ...bare, inputSchema: [] }, anything],
    ['true as inputSchema', { ...bare, inputSchema: true }, anything],
    ['a schema as text', { ...bare, inputSchema: '{"type":"object"}' }, anything],
    ['a schema of another name', { ...bare, input_schema: { type: 'object' } }, anything],
    ['the type OBJECT', { ...bare, inputSchema: { type: 'OBJECT' } }, anything],
    ['the type null', { ...bare, inputSchema: { type: null } }, anything],
    ['two types', { ...bare, inputSchema: { type: ['object', 'null'] } }, anything],
    [
      'properties are ignored because they are null',
      { ...bare, inputSchema: { ...anything, properties: null } },
      anything,
    ],
    [
      'properties are ignored because they are a list',
      { ...bare, inputSchema: { ...anything, properties: [] } },
      anything,
    ],
    [
      '"required" is ignored because it is null',
      { ...bare, inputSchema: { ...anything, required: null } },
      anything,
    ],
    [
      '"required" is ignored because it is true',
      { ...bare, inputSchema: { ...anything, required: true } },
      anything,
    ],
  ])(
    'with %s is repaired and reported, and the others are unchanged',
    async (_name, tool, schema) => {
      const { tools, findings } = await listed({ tools: [GOOD, tool, { ...TOOL, name: 'last' }] })
      expect(tools.map(({ name, input_schema }) => [name, input_schema])).toEqual([
        ['good', anything],
        ['odd', schema],
        ['last', anything],
      ])
      expect(findings).toEqual([
        { tool: 'odd', left_out: false, message: expect.stringMatching(/^the tool "odd": ./) },
      ])
    },
  )

  it.each([
    ['a description of null', { description: null, title: 'Odd' }, 'Odd', 0],
    ['the description is ignored because it is a map', { description: { en: 'x' } }, '', 1],
    ['the description is ignored because it is a number', { description: 7 }, '', 1],
    [
      'a description without end',
      { description: 'x'.repeat(100_000) },
      `${'x'.repeat(32_768)}…`,
      1,
    ],
    ['annotations of null', { annotations: null }, 'Acts.', 0],
    ['annotations are ignored because they are a list', { annotations: [] }, 'Acts.', 1],
    ['hints that are texts', { annotations: { readOnlyHint: 'yes' } }, 'Acts.', 0],
    ['a title and icons of null', { title: null, icons: null, _meta: null }, 'Acts.', 0],
    ['an outputSchema of null', { outputSchema: null }, 'Acts.', 0],
    ['an outputSchema that is a list', { outputSchema: [1] }, 'Acts.', 0],
    ['an outputSchema of a text', { outputSchema: { type: 'string' } }, 'Acts.', 0],
  ])('with %s is kept', async (_name, members, description, told) => {
    const { tools, findings } = await listed({
      tools: [GOOD, { ...TOOL, name: 'odd', ...members }],
    })
    expect(tools[1]).toEqual({
      name: 'odd',
      description,
      input_schema: anything,
      repeatable: false,
    })
    expect(findings).toHaveLength(told)
  })

  it.each([
    ['is null', null, /^entry 2 of its list is null, not a tool$/],
    ['is a text', 'odd', /^entry 2 of its list is a text/],
    ['has no name', { inputSchema: anything }, /^tool 2 of its list has no name$/],
    ['has an empty name', { name: '', inputSchema: anything }, /^tool 2 of its list has a name/],
    ['has a number as its name', { name: 7, inputSchema: anything }, /a name that is a number$/],
    ['has a name without end', { ...TOOL, name: 'n'.repeat(2_000) }, /longer than 1024 characters/],
    ['has a list as its schema', { ...bare, inputSchema: [1] }, /its inputSchema is a list/],
    ['has words as its schema', { ...bare, inputSchema: 's3cret' }, /its inputSchema is a text/],
    ['takes nothing', { ...bare, inputSchema: false }, /its inputSchema is a boolean/],
    ['takes a text', { ...bare, inputSchema: { type: 'string' } }, /has type "string", not/],
    [
      'refers elsewhere',
      {
        ...bare,
        inputSchema: { ...anything, properties: { a: { $ref: 'https://evil.example' } } },
      },
      /refers to another document/,
    ],
  ])(
    'that %s is omitted with its reason, and the others are unchanged',
    async (_name, tool, says) => {
      const { names, findings } = await listed({
        tools: [GOOD, tool as Record<string, unknown>, { ...TOOL, name: 'last' }],
      })
      expect(names).toEqual(['good', 'last'])
      expect(findings).toMatchObject([{ left_out: true, message: expect.stringMatching(says) }])
      expect(JSON.stringify(findings)).not.toContain('s3cret')
    },
  )

  it('nested without end is omitted', async () => {
    const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    const { entry } = await canned({
      onRequest(request, response) {
        const { id, method } = request.method === 'POST' ? JSON.parse(request.body) : ({} as never)
        if (method !== 'tools/list') return false
        const tool = `{"name":"odd","inputSchema":${deep}}`
        const tools = `[${tool},${JSON.stringify(GOOD)}]`
        response
          .writeHead(200, json)
          .end(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}`)
        return true
      },
    })
    const list = await mcp().list('default', entry)
    expect(list).toMatchObject({
      ok: true,
      value: [{ name: 'good' }],
      findings: [{ tool: 'odd', message: expect.stringContaining('deeper than 500 levels') }],
    })
  })

  it('whose texts contain lone surrogates has them replaced', async () => {
    const properties = { 'a\ud83d': { description: '\udc00b' } }
    const inputSchema = { type: 'object', properties: { a: { properties } } }
    const odd = { name: 'odd', description: 'x\ud83d', inputSchema }
    const { tools, findings } = await listed({ tools: [GOOD, odd] })
    expect(tools[1]).toMatchObject({
      description: 'x\ufffd',
      input_schema: {
        properties: { a: { properties: { 'a\ufffd': { description: '\ufffdb' } } } },
      },
    })
    expect(findings).toMatchObject([{ message: expect.stringContaining('unpaired surrogates') }])
  })

  it('disabled by the entry is not reported', async () => {
    const tools = [GOOD, { ...bare, inputSchema: [1] }]
    const { entry } = await canned({ tools }, { disabled_tools: ['odd'] })
    const list = await mcp().list('default', entry)
    expect(list).toEqual({ ok: true, value: [expect.objectContaining({ name: 'good' })] })
  })

  it('among a thousand of its kind may be named, and the rest are summarized by number', async () => {
    const odd = Array.from({ length: 1_000 }, (_, nth) => ({ name: `t${nth}`, inputSchema: 7 }))
    const { names, findings } = await listed({ tools: [...odd, GOOD] })
    expect(names).toEqual(['good'])
    expect(findings).toHaveLength(LIMITS.tool_findings + 1)
    expect(findings.at(-1)?.message).toBe(
      `${1_000 - LIMITS.tool_findings} more of its tools are omitted`,
    )
  })

  it('listed twice appears once', async () => {
    const { names, findings } = await listed({ tools: [GOOD, GOOD] })
    expect(names).toEqual(['good'])
    expect(findings).toMatchObject([{ tool: null, message: expect.stringContaining('twice') }])
  })
})

describe('a malformed tool list', () => {
  it.each([null, '', undefined, false])('ends at the cursor %j', async (nextCursor) => {
    let asked = 0
    const { names, findings } = await listed(
      pages(() => {
        asked += 1
        return { tools: [GOOD], nextCursor }
      }),
    )
    expect([names, findings, asked]).toEqual([['good'], [], 2])
  })

  it('with numeric page cursors is read to the end', async () => {
    const { names, findings } = await listed(
      pages(({ params }) =>
        params?.cursor === '2'
          ? { tools: [{ ...TOOL, name: 'second' }], nextCursor: null }
          : { tools: [GOOD], nextCursor: 2 },
      ),
    )
    expect([names, findings]).toEqual([['good', 'second'], []])
  })

  it.each([
    ['the same cursor', () => 'x', /a cursor repeats/],
    ['cursors in a circle', (nth: number) => ['a', 'b', 'c'][nth % 3], /a cursor repeats/],
    ['ever new cursors', (nth: number) => `c${nth}`, /does not end within 100 pages/],
    ['a cursor that is a map', () => ({ page: 2 }), /next cursor of its tool list is a map/],
  ])('with %s ends with the tools read so far and reports that', async (_name, cursorOf, says) => {
    let nth = 0
    const { names, findings } = await listed(
      pages(({ params }) => {
        if (params?.cursor === undefined) nth = 0
        nth += 1
        return { tools: [{ ...TOOL, name: `t${nth}` }], nextCursor: cursorOf(nth) }
      }),
    )
    expect(names[0]).toBe('t1')
    expect(names.length).toBeLessThanOrEqual(LIMITS.tool_list_pages)
    expect(findings).toMatchObject([
      { tool: null, left_out: false, message: expect.stringMatching(says) },
    ])
  })

  it.each([
    ['on one page', undefined],
    ['on many pages', 500],
  ])('of 10,000 tools %s is used up to its limit and reports that', async (_name, page) => {
    const tools = Array.from({ length: 10_000 }, (_, nth) => ({ ...TOOL, name: `t${nth}` }))
    const { names, findings } = await listed({ tools, ...(page ? { page } : {}) })
    expect(names).toHaveLength(LIMITS.tools_per_server)
    expect(findings).toMatchObject([{ message: expect.stringContaining('more than 1000 tools') }])
  })

  it('whose later page is unreadable is used up to that page and requested again', async () => {
    let isWell = false
    const { entry } = await canned(
      pages(({ params }) => {
        if (params?.cursor === undefined) return { tools: [GOOD], nextCursor: 'x' }
        return isWell ? { tools: [{ ...TOOL, name: 'second' }] } : undefined
      }),
      { startup_timeout_sec: 1 },
    )
    const tools = mcp()
    expect(await tools.list('default', entry)).toMatchObject({
      ok: true,
      value: [{ name: 'good' }],
      findings: [{ message: expect.stringContaining('page 2 of its tool list could not be read') }],
    })
    isWell = true
    const list = await tools.list('default', entry)
    expect(list.ok && list.value.map(({ name }) => name)).toEqual(['good', 'second'])
  })

  it.each([
    ['null', { tools: null }],
    ['nothing', {}],
  ])('whose tools are %s is empty and reports that', async (_name, result) => {
    const { names, findings } = await listed(pages(() => result))
    expect(names).toEqual([])
    expect(findings).toMatchObject([{ message: expect.stringContaining('has no tools') }])
  })

  it('that arrives as a bare array is accepted', async () => {
    expect((await listed(pages(() => [GOOD]))).names).toEqual(['good'])
  })
})

it('of a server without list support is empty', async () => {
  const { entry } = await canned({
    capabilities: {},
    onRequest(request, response) {
      const message = request.method === 'POST' ? JSON.parse(request.body) : {}
      if (message.method !== 'tools/list') return false
      const error = { code: -32_601, message: 'Method not found' }
      response.writeHead(200, json)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
      return true
    },
  })
  expect(await mcp().list('default', entry)).toEqual({ ok: true, value: [] })
})

it('that the entry reduces to malformed tools reports what is malformed', async () => {
  const tools = [GOOD, { name: 'odd', inputSchema: 7 }]
  const { entry } = await canned({ tools }, { enabled_tools: ['odd'] })
  expect(await mcp().list('default', entry)).toEqual({
    ok: false,
    error:
      'enabled_tools and disabled_tools exclude all of its 1 tools; ' +
      'the tool "odd": its inputSchema is a number, not an object',
  })
})

describe('a malformed handshake', () => {
  const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} } }
  const serverInfo = { name: 's', version: '1' }
  it.each([
    ['instructions of null', { ...hello, serverInfo, instructions: null }],
    ['no version of the server', { ...hello, serverInfo: { name: 's' } }],
    ['no word about the server', { ...hello, serverInfo: null }],
    ['capabilities of null', { ...hello, serverInfo, capabilities: null }],
    ['tools of true', { ...hello, serverInfo, capabilities: { tools: true, logging: null } }],
    ['no revision', { ...hello, serverInfo, protocolVersion: null }],
    ['empty capabilities', { ...hello, serverInfo, capabilities: {} }],
    ['_meta of null', { ...hello, serverInfo, _meta: null }],
  ])('with %s does not lose the server', async (_name, result) => {
    const { entry } = await canned({
      onRequest(request, response) {
        const message = request.method === 'POST' ? JSON.parse(request.body) : {}
        if (message.method !== 'initialize') return false
        response.writeHead(200, json)
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        return true
      },
    })
    expect(await mcp().list('default', entry)).toMatchObject({ ok: true, value: [{ name: 'act' }] })
  })
})
