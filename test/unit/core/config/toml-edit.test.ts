import TOML from '@iarna/toml'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editTable } from '../../../../src/core/config/toml/edit.ts'
import { cases } from '../../../support/full.ts'

const FILE = `# my servers
title = "kept"   # as it is

[mcp_servers.docs]   # the docs
command = "npx"  # run
args = [
  "-y", # yes
  "docs",
]

  # comment before env
  [mcp_servers.docs.env]
  TOKEN = "t" # secret

[projects."/home/x"]
trust_level = "high"

[mcp_servers]
inline = { url = "https://i.example/mcp", enabled = true }
dotted.url = "https://d.example/mcp"
dotted.env_http_headers = { "X-A" = "A" }

[model_providers.x]
ratio = 1.50 # spelled like this
`

function edit(source: string, name: string, after: Record<string, unknown> | undefined): string {
  const edited = editTable(source, ['mcp_servers', name], after)
  if (!edited.ok) throw new Error(edited.error)
  return edited.value
}
const server = (source: string, name: string) =>
  (TOML.parse(source).mcp_servers as Record<string, Record<string, unknown>>)[name]
/** Lines of the file that the edit did not keep, and lines that it brought. */
function changes(before: string, after: string): { gone: string[]; come: string[] } {
  const left = before.split('\n')
  const right = after.split('\n')
  const gone = [...left]
  const come: string[] = []
  for (const line of right) {
    const at = gone.indexOf(line)
    if (at >= 0) gone.splice(at, 1)
    else come.push(line)
  }
  return { gone, come }
}

describe('an edit of one server value', () => {
  it('changes its line alone, and keeps comments and unknown tables [CX-18]', () => {
    const after = edit(FILE, 'docs', { ...server(FILE, 'docs'), command: 'bunx' })
    expect(changes(FILE, after)).toEqual({
      gone: ['command = "npx"  # run'],
      come: ['command = "bunx"  # run'],
    })
  })

  it('in an inline table changes only that value', () => {
    const after = edit(FILE, 'inline', { url: 'https://i.example/mcp', enabled: false })
    expect(after).toBe(FILE.replace('enabled = true', 'enabled = false'))
  })

  it('puts a new value after the last one of its table, with its indentation', () => {
    const docs = server(FILE, 'docs')!
    const after = edit(FILE, 'docs', { ...docs, enabled: false, env: { TOKEN: 't', B: '2' } })
    expect(after).toContain('  "docs",\n]\nenabled = false\n')
    expect(after).toContain('  TOKEN = "t" # secret\n  B = "2"\n')
    expect(changes(FILE, after).gone).toEqual([])
  })

  it('changes its line alone when lines end with CR LF, comments included', () => {
    const source = FILE.replaceAll('\n', '\r\n')
    const after = edit(source, 'docs', { ...server(FILE, 'docs'), command: 'bunx' })
    expect(after).toBe(source.replace('command = "npx"', 'command = "bunx"'))
  })

  it('writes dotted keys dotted', () => {
    const after = edit(FILE, 'dotted', { ...server(FILE, 'dotted'), enabled: false })
    expect(changes(FILE, after)).toEqual({ gone: [], come: ['dotted.enabled = false'] })
  })

  it('inserts the table of a server that has only a sub-table before it', () => {
    const source = '# c\n[mcp_servers.x.env]\nA = "1"\n'
    const after = edit(source, 'x', { env: { A: '1' }, command: 'c' })
    expect(after).toBe('# c\n[mcp_servers.x]\ncommand = "c"\n[mcp_servers.x.env]\nA = "1"\n')
  })

  it('writes an emptied map as {}', () => {
    const after = edit(FILE, 'docs', { command: 'npx', args: ['-y', 'docs'], env: {} })
    expect(server(after, 'docs')).toEqual({ command: 'npx', args: ['-y', 'docs'], env: {} })
    expect(after).toContain('  # comment before env\n')
  })
})

describe('an edit of a whole server', () => {
  it('appends a new one at the end, after a blank line', () => {
    const after = edit(FILE, 'new', { url: 'https://n.example/mcp', http_headers: { 'X A': 'b' } })
    const table =
      '\n[mcp_servers.new]\nurl = "https://n.example/mcp"\nhttp_headers = { "X A" = "b" }\n'
    expect(after).toBe(FILE + table)
  })

  it('removes it with its sub-tables and nothing else', () => {
    const after = edit(FILE, 'docs', undefined)
    expect(server(after, 'docs')).toBeUndefined()
    expect(changes(FILE, after).come).toEqual([])
    expect(after).toContain('# comment before env')
    expect(after).toContain('[projects."/home/x"]\ntrust_level = "high"\n')
  })

  it('removes it from and adds it to an inline table of servers', () => {
    const source = 'mcp_servers = { a = { url = "https://a" }, b = { url = "https://b" } } # all\n'
    expect(edit(source, 'a', undefined)).toBe('mcp_servers = { b = { url = "https://b" } } # all\n')
    expect(edit(source, 'b', undefined)).toBe('mcp_servers = { a = { url = "https://a" } } # all\n')
    expect(server(edit(source, 'c', { url: 'https://c' }), 'c')).toEqual({ url: 'https://c' })
  })

  it('works in an empty text, a text without newline, with CRLF, or with a BOM', () => {
    const value = { url: 'https://n' }
    expect(edit('', 'n', value)).toBe('[mcp_servers.n]\nurl = "https://n"\n')
    expect(edit('a = 1', 'n', value)).toBe('a = 1\n\n[mcp_servers.n]\nurl = "https://n"\n')
    expect(edit('a = 1\r\n', 'n', value)).toBe(
      'a = 1\r\n\r\n[mcp_servers.n]\r\nurl = "https://n"\r\n',
    )
    expect(edit('\uFEFFa = 1\n', 'n', value).startsWith('\uFEFFa = 1\n')).toBe(true)
  })

  it('is refused in a text that is not TOML', () => {
    expect(editTable('a = [', ['mcp_servers', 'x'], { url: 'u' }).ok).toBe(false)
  })
})

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => one.isWellFormed())
const map = fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true })
const entry = fc.record(
  {
    url: text,
    enabled: fc.boolean(),
    tool_timeout_sec: fc.integer({ min: 1, max: 99 }),
    args: fc.array(text, { maxLength: 3 }),
    env: map,
    'odd key': text,
  },
  { requiredKeys: [], noNullPrototype: true },
)
/** The same entry in one of the ways in which people write it. */
const style = fc.constantFrom('table', 'subtable', 'inline', 'dotted')

function written(name: string, value: Record<string, unknown>, how: string): string {
  const line = (key: string, one: unknown) => TOML.stringify({ [key]: one } as never).trim()
  const key = JSON.stringify(name)
  const { env, ...rest } = value as { env?: Record<string, string> }
  const flat = Object.entries(rest).map(([k, v]) => `${line(k, v)} # ${k}`.replace(/\n/g, ' '))
  const pairs = Object.entries(env ?? {}).map(([k, v]) => line(k, v))
  if (how === 'inline') {
    const members = [
      ...Object.entries(rest).map(([k, v]) => line(k, v).replace(/\n/g, ' ')),
      ...(env ? [`env = {${pairs.length > 0 ? ` ${pairs.join(', ')} ` : ''}}`] : []),
    ]
    return `[mcp_servers]\n${key} = { ${members.join(', ')} } # inline\n`
  }
  if (how === 'dotted') {
    const all = [
      ...flat.map((one) => `${key}.${one}`),
      ...(env ? [`${key}.env = { ${pairs.join(', ')} }`] : []),
    ]
    return `[mcp_servers]\n${all.join('\n')}\n# end of dotted\n`
  }
  if (how === 'subtable') {
    const sub = env ? `\n# above env\n[mcp_servers.${key}.env]\n${pairs.join('\n')}\n` : ''
    return `[mcp_servers.${key}]\n${flat.join('\n')}\n${sub}`
  }
  const last = env ? `env = { ${pairs.join(', ')} }\n` : ''
  return `[mcp_servers.${key}] # head\n${flat.join('\n')}\n${last}`
}

describe('any edit', () => {
  it('parses to the requested value, and leaves every line outside the entry unchanged', () => {
    fc.assert(
      fc.property(
        entry,
        style,
        fc.option(entry, { nil: undefined }),
        text,
        (old, how, next, head) => {
          const before = `# ${head.replace(/[^ -~]/g, '')}\ntop = 0x1F # hex\n\n`
          const after = '\n\n[other] # last\nlist = [ 1,2 , # two\n 3 ]\n'
          const source = before + written('the server', old, how) + after
          const expected = TOML.parse(source) as { mcp_servers?: Record<string, unknown> }
          const edited = edit(source, 'the server', next)
          const servers: Record<string, unknown> = { ...expected.mcp_servers }
          if (next === undefined) delete servers['the server']
          else servers['the server'] = next
          expect(TOML.parse(edited).mcp_servers ?? {}).toEqual(servers)
          expect(edited.startsWith(before)).toBe(true)
          expect(edited).toContain(after.slice(1))
          // The same again changes nothing.
          expect(edit(edited, 'the server', next)).toBe(edited)
        },
      ),
      { numRuns: cases(400) },
    )
  })
})
