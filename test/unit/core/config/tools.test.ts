import { describe, expect, it } from 'vitest'
import { parseAgentText } from '../../../../src/core/config/agent/agent.ts'
import { translate } from '../../../../src/core/config/agent/grants.ts'
import {
  grants,
  maySpawn,
  spawnable,
  type ToolRef,
} from '../../../../src/core/config/layer/catalog.ts'

const load = (head: string) => {
  const { agent, found } = parseAgentText(`---\nname: a\ndescription: d\n${head}\n---\nb`, 'a')
  const codes = found.filter((one) => one.severity !== 'note').map((one) => one.code)
  return { agent, codes, tools: agent?.tools, denied: agent?.disallowed_tools, found }
}
const ours = (name: string): ToolRef => ({ kind: 'builtin', name })
const remote = (server: string, name: string): ToolRef => ({ kind: 'mcp', server, name })

describe('tool list forms', () => {
  it('omitted and * inherit, and an empty list allows no tool [NC-04 NC-05 CC-05 M21]', () => {
    expect(load('color: red').tools).toBeNull()
    expect(load('tools: "*"').tools).toBeNull()
    expect(load('tools: *').tools).toBeNull()
    expect(load('tools: []').tools).toEqual([])
  })

  it('a comma string, a list, and an object mean the same [NV-13 NV-14 M23]', () => {
    const expected = ['file_read', 'content_search']
    expect(load('tools: read, grep').tools).toEqual(expected)
    expect(load('tools: [read, grep]').tools).toEqual(expected)
    expect(load('tools: {read: true, grep: true, bash: false}').tools).toEqual(expected)
    expect(load('tools: |\n  read\n  grep\n').tools).toEqual(expected)
    expect(load('tools: |\n  read\n  Agent(a, b)\n').tools).toEqual(['file_read', 'sessions_spawn'])
    expect(load('tools: read, grep , bash').tools).toEqual([...expected, 'shell_execute'])
  })

  it('an object with only denials leaves the rest', () => {
    const { tools, denied } = load('tools: {write: false, edit: false}')
    expect(tools).toBeNull()
    expect(denied).toEqual(['file_write', 'file_edit'])
  })

  it('commas inside parentheses do not split', () => {
    expect(load('tools: Read, Agent(a, b), Grep').tools).toEqual([
      'file_read',
      'sessions_spawn',
      'content_search',
    ])
  })
})

describe('unknown tool names', () => {
  it('are reported and dropped when misspelled [NC-12 CC-06]', () => {
    const { tools, codes, found } = load('tools: Read, Grpe')
    expect(tools).toEqual(['file_read'])
    expect(codes).toEqual(['unknown_tool'])
    expect(found[0]).toMatchObject({ line: 4, message: expect.stringContaining('Grpe') })
  })

  it('reject a list that keeps no tool, naming the entries [CC-04 CC-07 M22]', () => {
    const { agent, found } = load('tools: [frobnicate, twiddle]')
    expect(agent).toBeNull()
    expect(found.at(-1)?.message).toContain('[frobnicate, twiddle]')
    expect(load('tools: none').found.at(-1)?.hint).toContain('tools: []')
    expect(load('tools: 7').agent).toBeNull()
  })

  it('for spawn tools are translated, and * among others inherits [M22]', () => {
    expect(load('tools: [Task, sessions_spawn, Bash]').tools).toEqual([
      'sessions_spawn',
      'shell_execute',
    ])
    expect(load('tools: [Task, "*"]').tools).toBeNull()
  })

  it('for a tool that no platform has stay in the list, and are reported', () => {
    const { tools, codes } = load('tools: LSP')
    expect([tools, codes]).toEqual([['diagnostics'], ['tool_unavailable']])
  })
})

describe('denials', () => {
  it('win over allow, with a warning [NV-16]', () => {
    const { tools, denied, codes } = load('tools: read, grep\ndisallowedTools: read')
    expect([tools, denied, codes]).toEqual([['content_search'], ['file_read'], ['denied_wins']])
  })

  it('alone leave everything else [CC-08]', () => {
    const may = grants(load('disallowedTools: Bash').agent!)
    expect(may(ours('shell_execute'))).toBe(false)
    expect(may(ours('file_read'))).toBe(true)
    expect(may(remote('x', 'y'))).toBe(true)
  })

  it('with a specifier that cannot be enforced deny the whole tool', () => {
    const { tools, denied, codes } = load('tools: Read, Edit(~/x/**), WebSearch(cats)')
    expect([tools, denied]).toEqual([['file_read'], ['file_edit', 'web_search']])
    expect(codes).toEqual(['specifier_denied', 'specifier_denied'])
    expect(load('tools: WebSearch(cats)').agent).toBeNull()
  })

  it('with an enforceable specifier refuse only matching arguments; a list allows only those', () => {
    const list = 'tools: Bash(git:*), Bash(npm run *), Read(./src/**), WebFetch(domain:x.example)'
    const { tools, denied, codes, agent } = load(`${list}\ndisallowedTools: Bash(git push *)`)
    expect([denied, codes]).toEqual([[], []])
    expect(tools).toEqual(['shell_execute', 'file_read', 'web_fetch'])
    const only = { line: 4, own: true }
    expect(agent!.argument_rules).toEqual([
      { tool: 'shell_execute', ...only, rules: { allow: ['git:*', 'npm run *'], deny: ['*'] } },
      { tool: 'file_read', ...only, rules: { allow: ['src/**'], deny: ['*'] } },
      { tool: 'web_fetch', ...only, rules: { allow: ['x.example'], deny: ['*'] } },
      { tool: 'shell_execute', line: 5, rules: { deny: ['git push *'] } },
    ])
  })

  it.each([
    ['Read, Agent()', ['file_read'], 'sessions_spawn'],
    ['Read, Agent( , "")', ['file_read'], 'sessions_spawn'],
    ['Read, Task(), Task', ['file_read'], 'sessions_spawn'],
    ['Read, Bash()', ['file_read'], 'shell_execute'],
    ['[Read, "mcp__docs__find( )"]', ['file_read'], 'mcp:docs/find'],
    ['{read: true, "bash()": true}', ['file_read'], 'shell_execute'],
    ['Bash()', [], 'shell_execute'],
    ['["*", "Agent()"]', null, 'sessions_spawn'],
  ])('an empty restriction allows nothing, and is a finding: %s', (list, allowed, none) => {
    const { tools, denied, codes, agent } = load(`tools: ${list}`)
    expect([tools, denied, codes]).toEqual([allowed, [none], ['specifier_empty']])
    if (none === 'sessions_spawn') expect(grants(agent!)(ours(none))).toBe(false)
  })

  it('an empty restriction beside a restriction to named targets adds no target', () => {
    const { tools, agent, codes } = load('tools: Agent(), Agent(a)')
    expect([tools, agent?.spawns, codes]).toEqual([['sessions_spawn'], ['a'], ['specifier_empty']])
    expect(load('tools: Bash(*), Agent(*)').tools).toEqual(['shell_execute', 'sessions_spawn'])
    expect(load('disallowedTools: Bash()')).toMatchObject({
      ...{ tools: null, denied: ['shell_execute'], codes: ['specifier_denied'] },
    })
  })

  it('OpenCode patterns become rules by arguments or deny, and a plain deny removes the tool [OP-01 OP-03]', () => {
    const head =
      'permission:\n  bash: {"*": ask, "git status *": allow}\n  task: deny\n  read: allow'
    const { denied, agent } = load(head)
    expect(denied).toEqual(['sessions_spawn'])
    expect(agent!.argument_rules).toEqual([
      {
        ...{ tool: 'shell_execute', line: 4 },
        rules: { allow: ['git status *'], ask: ['*'], deny: [] },
      },
    ])
    expect(load('permission: {task: {"*": allow, "x": deny}}').denied).toEqual(['sessions_spawn'])
    expect(grants(agent!)(ours('sessions_spawn'))).toBe(false)
    expect(load('permission: {task: {"*": deny}}').denied).toEqual(['sessions_spawn'])
  })
})

describe('translation', () => {
  it('maps names of other products to ours, ignoring case', () => {
    const table: Readonly<Record<string, readonly string[]>> = {
      Read: ['file_read'],
      READ: ['file_read'],
      MultiEdit: ['file_edit'],
      Edit: ['file_edit'],
      edit: ['file_write', 'file_edit'],
      apply_patch: ['file_write', 'file_edit'],
      search: ['file_search', 'content_search'],
      'search/codebase': ['content_search'],
      web: ['web_fetch', 'web_search'],
      exec_command: ['shell_execute'],
      AskUserQuestion: ['ask_user'],
      TodoWrite: ['todo'],
      update_plan: ['todo'],
      runSubagent: ['sessions_spawn'],
      memory_get: ['memory_get'],
      LSP: ['diagnostics'],
    }
    for (const [name, tools] of Object.entries(table))
      expect([name, translate(name)]).toEqual([name, tools])
  })

  it('finds server tools in every notation', () => {
    expect(translate('mcp__figma__get_file')).toEqual(['mcp:figma/get_file'])
    expect(translate('mcp__figma')).toEqual(['mcp:figma/*'])
    expect(translate('mcp__figma__*')).toEqual(['mcp:figma/*'])
    expect(translate('mcp__my_server__a__b')).toEqual(['mcp:my_server/a__b'])
    expect(translate('figma/get_file')).toEqual(['mcp:figma/get_file'])
    expect(translate('figma/*')).toEqual(['mcp:figma/*'])
    expect(translate('context7_*')).toEqual(['mcp:context7/*'])
    expect(translate('__proto__')).toBeUndefined()
    expect(translate('constructor')).toBeUndefined()
  })
})

describe('engine queries', () => {
  it('grants of a server include its tools, and one denial inside them wins', () => {
    const may = grants({
      tools: ['mcp:figma/*', 'file_read'],
      disallowed_tools: ['mcp:figma/delete'],
    })
    expect(may(remote('figma', 'get'))).toBe(true)
    expect(may(remote('figma', 'delete'))).toBe(false)
    expect(may(remote('figma2', 'get'))).toBe(false)
    expect(may(ours('file_write'))).toBe(false)
    expect(grants({ tools: null, disallowed_tools: ['*'] })(ours('file_read'))).toBe(false)
  })

  it('internal agents are not offered to the model', () => {
    const one = (head: string) => load(head).agent!
    const agents = [one('visibility: internal'), one('visibility: user-facing'), one('color: red')]
    const named = agents.map((agent) => ({ ...agent, origin: builtin }))
    expect(spawnable({ agents: named }).map((agent) => agent.visibility)).toEqual([
      'user-facing',
      'listed',
    ])
  })

  it('Agent(a, b) limits the targets, ignoring case [GC-44]', () => {
    const agent = load('tools: Agent(other, explore)').agent!
    expect(maySpawn(agent, 'Other')).toBe(true)
    expect(maySpawn(agent, 'general')).toBe(false)
    expect(maySpawn(load('tools: Agent').agent!, 'general')).toBe(true)
  })
})

const builtin = { kind: 'builtin' as const, layer: 'builtin', key: 'k', etag: '', shadows: [] }
