/** The page of the effective configuration: its address, and the rows of each tab. */

import { describe, expect, it } from 'vitest'
import type { components } from '../../../src/client/index.ts'
import {
  entriesOf,
  matching,
  memberText,
  switchLayerOf,
} from '../../../src/console/effective/entries.ts'
import {
  choiceOf,
  cmpOf,
  comparedWith,
  effectiveSearch,
  inputOf,
  optionsOf,
} from '../../../src/console/effective/state.ts'

describe('the address of the effective configuration', () => {
  it('keeps the layers, a known tab, and texts, and drops anything else', () => {
    const search = { role: 'support', kind: 'skills', name: 'labels', q: ' lab ' }
    expect(effectiveSearch({ ...search, base: '', x: 1 })).toEqual({ ...search, q: 'lab' })
    expect(effectiveSearch({ kind: 'agents', repo: {}, role: 7 })).toEqual({ role: '7' })
  })

  it('is the input of the resolution', () => {
    const search = effectiveSearch({ role: 'support', repo: 'repos/shop', base: 'b', q: 'x' })
    expect(choiceOf(search)).toEqual({ role: 'support', repo: 'repos/shop', base: 'b' })
    const input = { role: 'support', repo_dir: 'repos/shop', base_dir: 'b' }
    expect(inputOf(search)).toEqual(input)
    expect(inputOf({})).toEqual({})
  })

  it('names the other side of a comparison: layers, the base layer, or a digest', () => {
    for (const choice of [{ role: 'a&b', repo: 'repos/shop' }, { base: 'b' }, {}])
      expect(comparedWith(cmpOf(choice))).toEqual(choice)
    expect(cmpOf({})).toBe('-')
    const digest = '0'.repeat(64)
    expect(comparedWith(digest)).toEqual({ digest })
    expect(comparedWith('role=x&other=y')).toEqual({ role: 'x' })
  })

  it('suggests the layers that exist', () => {
    const layers = [
      { layer: 'base/', kind: 'base' },
      { layer: 'roles/support/', kind: 'role' },
      { layer: 'repos/shop/', kind: 'repo' },
    ]
    const repo = ['repos/shop']
    expect(optionsOf(layers)).toEqual({ role: ['support'], repo, base: ['base', ...repo] })
  })
})

type Schemas = components['schemas']

const origin = (key: string, ...shadows: string[]) => ({
  ...{ kind: 'base', layer: 'base/', key, etag: 'e' },
  shadows: shadows.map((shadow) => ({ layer: 'base/', key: shadow })),
})

const finding = (code: string, message: string, line: number | null = null) => ({
  ...{ code, message, line, severity: code === 'bad' ? 'error' : 'warning', hint: null },
})

const RESOLVED = {
  agents: [{ id: 'triage', description: 'Answers.', tools: null, origin: origin('a.md') }],
  skills: [
    {
      ...{ id: 'labels', description: 'Prints.', enabled: true, available: true, reason: null },
      origin: origin('repos/shop/labels', 'base/labels'),
    },
    {
      ...{ id: 'browser', description: 'Opens.', enabled: true, available: false },
      ...{ reason: 'requires the program chromium', origin: origin('base/browser') },
    },
    {
      ...{ id: 'old', description: 'Was.', enabled: false, available: false },
      ...{ reason: 'disabled by base/old/.disabled', origin: origin('base/old') },
    },
  ],
  servers: [
    { name: 'docs', enabled: false, url: 'https://docs', origin: origin('base/config.toml') },
    {
      name: 'erp',
      enabled: true,
      command: 'erp',
      args: ['-v'],
      origin: origin('base/config.toml'),
    },
  ],
  schedules: [
    { name: 'nightly', request: { cron: '0 2 * * *', input: 'Go.' }, origin: origin('n') },
  ],
  unavailable: [
    { name: 'docs', code: 'disabled', message: 'disabled in base/config.toml' },
    { name: 'lost', code: 'invalid_server', message: 'it has neither url nor command' },
  ],
  records: [
    {
      ...{ layer: '', path: 'a.md', kind: 'agent', id: 'triage', status: 'loaded_with_warnings' },
      diagnostics: [finding('unknown_tool', 'unknown tool `nope`', 4)],
    },
    {
      ...{ layer: 'base/', path: 'labels', kind: 'skill', id: 'labels', status: 'loaded' },
      diagnostics: [finding('shadowed', 'overridden by repos/shop/labels')],
    },
    {
      ...{ layer: 'base/', path: 'bad.md', kind: 'agent', id: null, status: 'rejected' },
      diagnostics: [finding('odd', 'odd', 2), finding('bad', '`description` is missing')],
    },
    {
      ...{ layer: 'base/', path: 'config.toml', kind: 'config', id: null, status: 'loaded' },
      diagnostics: [finding('key', 'server erp: unknown key `foo`', 8), finding('key', 'x', 1)],
    },
  ],
  diagnostics: [
    finding('missing_secret', 'server erp: secret TOKEN is not set'),
    finding('role_layer_missing', 'roles/x/ has no files'),
  ],
  missing_secrets: [{ server: 'erp', name: 'TOKEN' }],
  secrets: [
    { server: 'erp', name: 'TOKEN', source: 'none' },
    { server: 'erp', name: 'KEY', source: 'tenant' },
  ],
  lacks: { shell: 'requires ALLOW_SHELL=true' },
  ...{ layers: [], digest: '0' },
} as unknown as Schemas['Resolved']

const TOOLS = [
  { name: 'file_read', description: 'Reads.', unavailable: null },
  { name: 'shell', description: 'Runs.', unavailable: null },
] as unknown as Schemas['Tool'][]

describe('entries of a configuration', () => {
  const entries = entriesOf(RESOLVED, TOOLS)
  const statesOf = (tab: keyof typeof entries) =>
    entries[tab].map(({ name, state, reason }) => [name, state, reason])

  it('have a state with its reason', () => {
    expect(statesOf('skills')).toEqual([
      ['labels', 'ready', null],
      ['browser', 'unavailable', 'requires the program chromium'],
      ['old', 'off', 'disabled by base/old/.disabled'],
    ])
    expect(statesOf('servers')).toEqual([
      ['docs', 'off', 'disabled in base/config.toml'],
      ['erp', 'ready', null],
      ['lost', 'unavailable', 'it has neither url nor command'],
    ])
    expect(statesOf('tools')[1]).toEqual(['shell', 'unavailable', 'requires ALLOW_SHELL=true'])
  })

  it('name the file that they come from, and the files that they hide', () => {
    const [labels] = entries.skills
    expect([labels?.path, labels?.hides]).toEqual(['repos/shop/labels', ['base/labels']])
    expect(labels?.findings).toEqual([])
    expect(entries.tools[0]?.isBuiltin).toBe(true)
  })

  it('have the findings of their own file, and servers those that name them', () => {
    const [triage] = entries.agents
    expect(triage?.findings.map(({ path, line }) => [path, line])).toEqual([['a.md', 4]])
    expect(entries.servers[0]?.findings).toEqual([])
    expect(entries.servers[1]?.findings.map(({ line }) => line)).toEqual([null, 8])
    expect(entries.servers[1]?.description).toBe('erp -v')
    expect(entries.servers[0]?.members.secrets).toBeUndefined()
    expect(entries.servers[1]?.members.secrets).toEqual({ TOKEN: 'none', KEY: 'tenant' })
  })

  it('that are missing include secrets, files, and findings that belong to no entry', () => {
    expect(entries.missing.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ['skill browser', 'unavailable', 'requires the program chromium'],
      ['server lost', 'unavailable', 'it has neither url nor command'],
      ['secret TOKEN erp', 'unavailable', null],
      ['tool shell', 'unavailable', 'requires ALLOW_SHELL=true'],
      ['file base/bad.md', 'unavailable', '`description` is missing'],
      ['file base/config.toml', 'noticed', 'x'],
      ['layers 0', 'noticed', 'roles/x/ has no files'],
    ])
    expect(entries.missing[2]?.of).toEqual({ tab: 'servers', name: 'erp' })
  })

  it('are found by name, origin, hidden file, and reason', () => {
    const found = (text: string) => matching(entries.skills, text).map(({ name }) => name)
    expect(found('LABELS')).toEqual(['labels'])
    expect(found('base/labels')).toEqual(['labels'])
    expect(found('chromium')).toEqual(['browser'])
    expect(found(' ')).toHaveLength(3)
  })

  it('are switched in the layer that disables them, or else in the layer that defines them', () => {
    const [labels, , old] = entries.skills
    const layers = ['base/', 'roles/base/']
    expect([labels, old].map((entry) => entry && switchLayerOf(entry, layers))).toEqual([
      ...['base/', 'base/'],
    ])
    const reason = 'disabled by roles/base/.agents/skills/old/.disabled'
    expect(old && switchLayerOf({ ...old, reason }, layers)).toBe('roles/base/')
    const [read] = entries.tools
    expect(read && switchLayerOf(read, layers)).toBe(null)
  })

  it('show each member as text', () => {
    expect([memberText('a'), memberText(['a', 2]), memberText(null), memberText([])]).toEqual([
      ...['a', 'a, 2', 'null', '[]'],
    ])
    expect(memberText({ a: 1 })).toBe('{\n  "a": 1\n}')
  })
})
