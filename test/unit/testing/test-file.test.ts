/** Tests of packs: their grammar, and whether a run is what they expect. */

import { describe, expect, it } from 'vitest'
import { failuresOf } from '../../../src/testing/expectations.ts'
import { type AgentRun, runAgent } from '../../../src/testing/index.ts'
import { parseTest, type TestCase } from '../../../src/testing/test-file.ts'

const source = (head: string, body = 'Do it.') => `---\n${head}\n---\n${body}\n`
function read(head: string, body?: string): TestCase {
  const parsed = parseTest(source(head, body), 'stem')
  if (!parsed.ok) throw new Error(parsed.error.join('\n'))
  return parsed.value
}
const faults = (text: string): readonly string[] => {
  const parsed = parseTest(text, 'stem')
  return parsed.ok ? [] : parsed.error
}

describe('the test file format', () => {
  it('uses the file name unless a name is set, and short forms equal the long ones', () => {
    const short = read('expect:\n  calls: [file_read]\n  text: a\n  judge: It is short.')
    expect(short).toMatchObject({ name: 'stem', input: 'Do it.' })
    expect(short.expect).toEqual({
      ...{ status: 'completed', calls: [{ tool: 'file_read' }], calls_in_order: false },
      ...{ no_calls: [], text: { contains: ['a'], not_contains: [] } },
      judge: [{ criterion: 'It is short.' }],
    })
    expect(read('name: other\nexpect: {}').name).toBe('other')
    expect(read('expect: { text: [a, b] }').expect.text?.contains).toEqual(['a', 'b'])
  })

  it.each([
    ['no front matter', 'Do it.\n', ['line 1: missing front matter, which must define `expect`']],
    ['a head without an end', '---\nexpect: {}\nDo it.\n', [/no closing line `---`/]],
    ['YAML that is none', source('expect: [a'), [/^line \d/]],
    ['no expectation', source('agent: a'), ['line 1: `expect` is missing']],
    ['no input', source('expect: {}', ''), [/missing input/]],
    [
      'a key that is not known',
      source('agnet: a\nexpect: {}'),
      ['line 2: unknown key `agnet`; did you mean `agent`?'],
    ],
    [
      'one inside',
      source('expect:\n  calls:\n    - { tool: a, argument: {} }'),
      ['line 2: unknown key `argument` in `expect.calls`; did you mean `arguments`?'],
    ],
    [
      'one of a judge',
      source('expect: { judge: { criterium: x } }'),
      [/`expect.judge.criterion` must be a string/, /did you mean `criterion`/],
    ],
    [
      'a number for a text',
      source('expect: { text: { equals: 5 } }'),
      [/`expect.text.equals` must be a string/],
    ],
    [
      'a status that is none',
      source('expect: { status: done }'),
      [/`expect.status` must be completed, failed/],
    ],
    [
      'a pattern that is none',
      source("expect: { text: { matches: '(' } }"),
      [/missing closing `\)`/],
    ],
    [
      'a pattern that goes back',
      source("expect: { text: { matches: '(a)\\1' } }"),
      [/backreferences/],
    ],
    [
      'both a script and a recording',
      source("script: '@say a'\nreplay: a.json\nexpect: {}"),
      [/mutually exclusive/],
    ],
    [
      'a script in prose',
      source('script: hello\nexpect: {}'),
      [/must start with a line such as @say/],
    ],
    [
      'a directive that is none',
      source('script: "@say a\\n@sing b"\nexpect: {}'),
      [/unknown directive @sing/],
    ],
  ])('refuses %s with its line', (_, text, wanted) => {
    const found = faults(text)
    expect(found).toHaveLength(wanted.length)
    for (const [at, one] of wanted.entries())
      if (typeof one === 'string') expect(found[at]).toBe(one)
      else expect(found[at]).toMatch(one)
  })
})

describe('test expectations', () => {
  const FILES = { 'repos/app/a.txt': 'one', 'repos/app/b.txt': 'two' }
  const SCRIPT = [
    '@call file_read {"path":"a.txt","limit":5}',
    '@then',
    '@call file_read {"path":"b.txt"}',
    '@then',
    '@call file_read broken',
    '@say The answer is 42.',
  ].join('\n')
  const done = (): Promise<AgentRun> =>
    runAgent(FILES, { input: 'Read.', repo_dir: 'repos/app' }, { script: SCRIPT })
  const wrong = async (head: string, of = done()) =>
    failuresOf(await of, read(`expect:\n${head}`).expect)

  it('match calls in any order, each once, by a subset of their arguments', async () => {
    const b = '    - { tool: file_read, arguments: { path: b.txt } }\n'
    const a = '    - { tool: file_read, arguments: { path: a.txt } }\n'
    const any = '    - file_read\n'
    expect(await wrong(`  calls:\n${b}${a}`)).toEqual([])
    // The first could take the call that only another one can have.
    expect(await wrong(`  calls:\n${any}${any}${a}`)).toEqual([])
    expect(await wrong(`  calls:\n${a}${a}`)).toHaveLength(1)
    expect(await wrong(`  calls:\n${any}${any}${any}${any}`)).toHaveLength(1)
    const failed = '    - { tool: file_read, is_error: true }\n'
    expect(await wrong(`  calls:\n${failed}`)).toEqual([])
    expect(await wrong(`  calls:\n${failed}${failed}`)).toHaveLength(1)
  })

  it('match calls in order when configured to', async () => {
    const b = '    - { tool: file_read, arguments: { path: b.txt } }\n'
    const a = '    - { tool: file_read, arguments: { path: a.txt } }\n'
    expect(await wrong(`  calls_in_order: true\n  calls:\n${a}${b}`)).toEqual([])
    const [failure] = await wrong(`  calls_in_order: true\n  calls:\n${b}${a}`)
    expect(failure?.expected).toBe('a call file_read with {"path":"a.txt"}, in this position')
    expect(failure?.got).toContain('file_read {"path":"b.txt"}')
  })

  it('report a call that must not be made', async () => {
    expect(await wrong('  no_calls: [file_write]')).toEqual([])
    expect(await wrong('  no_calls: file_read')).toMatchObject([
      { expected: 'no call to file_read', got: expect.stringContaining('a.txt') },
    ])
  })

  it('check the text by what it contains, equals, or matches', async () => {
    expect(
      await wrong("  text: { contains: '42', matches: 'is \\d+', equals: The answer is 42. }"),
    ).toEqual([])
    const all = await wrong(
      "  text: { contains: [a, '43'], not_contains: answer, equals: x, matches: ^42 }",
    )
    expect(all.map(({ expected }) => expected)).toEqual([
      'text that contains "43"',
      'text that does not contain "answer"',
      'text that equals "x"',
      'text that matches /^42/',
    ])
    expect(all[0]?.got).toBe('"The answer is 42."')
  })

  it('require a completed run unless they state another status', async () => {
    const failed = runAgent({}, 'x', { script: '@fail 400' })
    const [failure] = await wrong('  text: a', failed)
    expect(failure?.expected).toBe('status completed')
    expect(failure?.got).toMatch(/^status failed: .+: scripted/)
    expect(await wrong('  status: failed', failed)).toEqual([])
    const asks = runAgent({}, 'x', { script: '@call ask_user {"questions":[{"question":"?"}]}' })
    expect(await wrong('  status: waiting\n  waiting_on: approval', asks)).toHaveLength(1)
  })

  it('compare the structured output with a subset', async () => {
    const output_schema = { type: 'object' }
    const script = '@say {"a":[{"b":1,"c":2}],"d":3}'
    const shaped = runAgent({}, { input: 'x', output_schema }, { script })
    expect(await wrong('  output: { a: [{ b: 1 }] }', shaped)).toEqual([])
    expect(await wrong('  output: { a: [] }', shaped)).toMatchObject([
      { expected: 'an output with {"a":[]}', got: '{"a":[{"b":1,"c":2}],"d":3}' },
    ])
    expect(await wrong('  output: { toString: 1 }', shaped)).toHaveLength(1)
  })
})
