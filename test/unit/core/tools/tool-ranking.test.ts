/** Which tools a search means, and what they cost to look through. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import type { Route } from '../../../../src/core/run/log/pin.ts'
import {
  deferredOf,
  deferredText,
  foundIn,
  isDeferred,
} from '../../../../src/core/tools/deferred-tools.ts'
import { ranked } from '../../../../src/core/tools/tool-ranking.ts'
import { measured } from '../../../support/measured.ts'

const of = (server: string, tool: string): Route => ({ kind: 'mcp', server, tool, mode: 'once' })

function searched(texts: Readonly<Record<string, string>>) {
  const input_schema = { type: 'object' }
  const tools = Object.entries(texts).map(([name, description]) => ({
    name: `mcp__hub__${name}`,
    description,
    input_schema,
  }))
  const routes = Object.fromEntries(
    Object.keys(texts).map((name) => [`mcp__hub__${name}`, of('hub', name)]),
  )
  return { tools, routes }
}
const HUB = searched({
  issue: 'An issue.',
  issue_create: 'Opens one.',
  list_issues: 'Lists all.',
  close: 'Ends an issue for good.',
  star: 'Likes a project.',
})
const found = (query: string) => ranked(HUB, query).tools.map(({ name }) => name.slice(10))

describe('tool search', () => {
  it('ranks exact names first, then prefixes, words of names, and words of descriptions', () => {
    expect(found('issue')).toEqual(['issue', 'issue_create', 'list_issues', 'close'])
    expect(found('MCP__hub__star')[0]).toBe('star')
    expect(found('create an issue')[0]).toBe('issue_create')
    expect(found('+likes')).toEqual(['star'])
    expect(found('weather')).toEqual([])
    expect(found(' , ')).toEqual([])
  })

  it('selects by name, as the server or as models know it', () => {
    expect(found('select:star, MCP__HUB__close')).toEqual(['star', 'close'])
    expect(ranked(HUB, 'Select: star,no,,star')).toMatchObject({ unknown: ['no'] })
    expect(ranked(HUB, 'select:').tools).toEqual([])
  })

  it('treats a query as words, never as a pattern', () => {
    expect(found('.*')).toEqual([])
    expect(found('(issue')[0]).toBe('issue')
  })

  it('is fast over the maximum number of tools of a run', () => {
    const names = Array.from({ length: 32_000 }, (_, at) => [`tool_${at}`, 'Does it. '.repeat(10)])
    const many = searched(Object.fromEntries(names))
    const query = 'does it well and often '.repeat(40)
    const { tools } = measured('a search', () => ranked(many, query), { cpuMs: 2_000 })
    expect(tools.length).toBeGreaterThan(0)
  })
})

describe('deferred tools', () => {
  const routes = (count: number, server = 's') =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${server}${at}`, of(server, `${at}`)]),
    )

  it('are the servers’ tools, when there are more tools than are offered', () => {
    const deferred = (all: Readonly<Record<string, Route>>) => deferredOf(all, false).deferred
    expect(deferred(routes(LIMITS.offered_tools))).toBeUndefined()
    expect(deferred(routes(LIMITS.offered_tools + 1))).toEqual({ s: LIMITS.offered_tools + 1 })
    const own = { a: { kind: 'builtin', tool: 'a', mode: 'once' } } as const
    expect(deferred({ ...routes(LIMITS.offered_tools), ...own })).toEqual({ s: 40 })
    const ours = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`t${at}`, own.a]))
    expect(deferred(ours)).toBeUndefined()
  })

  it('are the servers’ tools, when together they fill too much of the window', () => {
    const large = { name: 's0', description: 'x'.repeat(3_000), input_schema: {} }
    const of = [large, { ...large, name: 's1' }]
    expect(deferredOf(routes(2), false, { of, window: 100_000 }).deferred).toBeUndefined()
    expect(deferredOf(routes(2), false, { of, window: 10_000 }).deferred).toEqual({ s: 2 })
    expect(deferredOf(routes(2), false, { of }).deferred).toBeUndefined()
    expect(deferredOf({}, false, { of: [], window: 1 }).deferred).toBeUndefined()
  })

  it('include the management tools when tools were not named explicitly', () => {
    const ours = {
      skills_put: { kind: 'builtin', tool: 'skills_put', mode: 'once' },
      file_read: { kind: 'builtin', tool: 'file_read', mode: 'repeatable' },
      ...routes(LIMITS.offered_tools - 1),
    } as const
    expect(deferredOf(ours, true)).toEqual({ deferred_operations: true })
    expect(deferredOf(ours, false)).toEqual({ deferred: { s: LIMITS.offered_tools - 1 } })
    expect(deferredOf({ file_read: ours.file_read }, true)).toEqual({})
    const pin = { routes: ours, deferred_operations: true } as const
    expect(Object.keys(ours).filter((name) => isDeferred(name, pin))).toEqual(['skills_put'])
  })

  it('are summarized by server with a total, with names as data', () => {
    expect(deferredText({ 'a"\n': 3 })).toMatch(/^3 tools of the MCP server "a\\"\\n" \(3\) are/)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}`, 1]))
    expect(deferredText(many)).toContain('and 10 more servers')
  })

  it('are recovered from any earlier message text', () => {
    const result = (text: string) => ({
      role: 'tool' as const,
      results: [{ call: 'c', tool: 'tool_search', text, is_error: false }],
    })
    const call = { type: 'call', id: 'c', provider_id: 'c', tool: 'x', arguments: '{}' } as const
    expect(
      foundIn([
        { role: 'user', text: '{"tools":[{"name":"no"}]}' },
        { role: 'assistant', parts: [call] },
        result('{"tools":[{"name":"a"},{"name":1},null]}'),
        result('{"tools":7}'),
        result('{"tools":[{"na'),
        result('null'),
      ]),
    ).toEqual(['x', 'a'])
  })
})
