import { describe, expect, it } from 'vitest'
import { frontMatter } from '../../../../src/core/config/yaml/frontmatter.ts'
import { INPUT_BOUND, measured } from '../../../support/measured.ts'

const codeOf = (text: string): string => {
  const result = frontMatter(text)
  return result.kind === 'parsed'
    ? 'parsed'
    : `${result.kind} ${result.found[0]?.code ?? ''}`.trim()
}
const headOf = (text: string): Record<string, unknown> => {
  const result = frontMatter(text)
  if (result.kind !== 'parsed') throw new Error(JSON.stringify(result))
  return Object.fromEntries([...result.head].map(([key, entry]) => [key, entry.value]))
}
const head = (block: string, body = 'body\n'): string => `---\n${block}\n---\n${body}`

describe('frontMatter', () => {
  it('refuses a word after the fence, and never selects an engine by it [M01 M02 M03 M04]', () => {
    const planted = '{a: (globalThis.planted = 1)}'
    const words = [
      'js',
      'javascript',
      ' JS ',
      '\tjs\t',
      'JavaScript',
      'js\r',
      'coffee',
      'json',
      'toml',
    ]
    for (const word of [...words, 'constructor', '__proto__', 'toString', 'yaml']) {
      expect([word, codeOf(`---${word}\n${planted}\n---\n`)]).toEqual([
        word,
        'broken unsupported_language',
      ])
    }
    expect(codeOf(`\uFEFF---js\n${planted}\n---\n`)).toBe('broken unsupported_language')
    expect((globalThis as { planted?: unknown }).planted).toBeUndefined()
  })

  it('does not accept a fence that ends only with CR [M02]', () => {
    expect(codeOf('---\rname: x\r---\r')).toBe('absent')
  })

  it('reports a broken head again when the same text is parsed again [M07]', () => {
    const text = head('a: "x')
    expect(codeOf(text)).toBe('broken yaml_invalid')
    expect(codeOf(text)).toBe('broken yaml_invalid')
  })

  it('never shares one mutable result between two callers [M07]', () => {
    const text = head('extra: {a: [1]}')
    const first = headOf(text).extra as { a: number[] }
    first.a.push(2)
    expect(headOf(text).extra).toEqual({ a: [1] })
  })

  it('refuses anchors and aliases in any order [M09 M10]', () => {
    expect(codeOf(head('a: &a [*a]'))).toBe('broken yaml_unsupported')
    expect(codeOf(head('base: &base {x: 1}\nother:\n  <<: *base'))).toBe('broken yaml_unsupported')
    const keys = Array.from({ length: 3_000 }, (_, i) => `k${i}: 1`).join(', ')
    const merges = Array.from({ length: 300 }, (_, i) => `m${i}: {<<: *b}`).join('\n')
    const text = head(`b: &b {${keys}}\n${merges}`)
    expect(measured('300 merges', () => codeOf(text), { cpuMs: 1_000 })).toMatch(/^broken/)
  })

  it('treats special-looking keys as plain data [M11 M12 M20]', () => {
    const data = headOf(
      head('__proto__: {isAdmin: true}\nconstructor: {prototype: {x: 1}}\nｎａｍｅ: y'),
    )
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
    expect(Object.getPrototypeOf(data.constructor)).toBeNull()
    expect(data.ｎａｍｅ).toBe('y')
    expect(data.name).toBeUndefined()
  })

  it('refuses tags, both those of the core schema and invented ones [M13]', () => {
    for (const tag of ['!!js/function', '!!python/object', '!!binary', '!Foo', '!!str', '!']) {
      expect([tag, codeOf(head(`a: ${tag} x`))]).toEqual([
        tag,
        expect.stringMatching(/broken yaml_(tag|unsupported)/),
      ])
    }
  })

  it('reports a duplicate key with its line [M14]', () => {
    const result = frontMatter(head('tools: read\ntools: bash'))
    expect(result.found[0]).toMatchObject({ code: 'duplicate_key', line: 3 })
  })

  it('refuses deep nesting at once, in every notation [M15]', () => {
    const deep = [
      '['.repeat(20_000),
      '{a: '.repeat(20_000),
      '- '.repeat(20_000),
      '? '.repeat(20_000),
    ]
    for (const text of deep) {
      const code = measured(text.slice(0, 20), () => codeOf(head(`a: ${text}`)), INPUT_BOUND)
      expect(code).toMatch(/^broken/)
    }
  })

  it('bounds front matter, closed or not [M19]', () => {
    expect(codeOf(head(`a: ${'x'.repeat(16_384)}`))).toBe('parsed')
    expect(codeOf(head(`a: ${'x'.repeat(65_537)}`))).toBe('broken frontmatter_too_large')
    expect(codeOf(`---\na: ${'x'.repeat(262_144)}`)).toBe('broken frontmatter_unclosed')
  })

  it('accepts a line with dashes in a block scalar [MC-41]', () => {
    expect(headOf(head('a: |\n  one\n  ---\n  two')).a).toBe('one\n---\ntwo\n')
  })

  it('returns the body byte for byte after the first closing line', () => {
    const body = '\r\n  text\n---\nmore\n---\n \t'
    for (const fence of ['---\n', '---  \n', '---\r\n']) {
      const result = frontMatter(`---\na: 1\n${fence}${body}`)
      expect(result.kind === 'parsed' && result.body).toBe(body)
    }
  })

  it('reports missing, unclosed, and list front matter as three different errors [SDK-05 SK-14]', () => {
    expect(codeOf('# text')).toBe('absent')
    expect(codeOf('---\nname: x\n')).toBe('broken frontmatter_unclosed')
    expect(codeOf(head('- a\n- b'))).toBe('broken frontmatter_not_mapping')
  })

  it.each([
    'context: fork',
    'context: [a.md, b.md]',
    'context:\n  - a.md\n  - b.md',
    'context: "Reads the notes first."',
    'Context: ./docs/context.md',
    'user: alice',
    'example: true',
    'context: fork\nuser: alice',
  ])('does not treat a key beside a re-quoted value as a dialogue: %j', (line) => {
    for (const block of [`description: Use it: often\n${line}`, `${line}\ndescription: a: b`])
      expect(codeOf(head(block)), block).toBe('parsed')
  })

  it.each([
    'user: "I need help with this"',
    'Context: The user is lost\nuser: "hi"\nassistant: "ok"',
    'example: the user asks for a review',
    'assistant: I will look: now',
    '  user: "hi there"',
  ])('reports turns of a dialogue below a value as an error: %j', (lines) => {
    expect(codeOf(head(`description: Use it: often\n${lines}`))).toMatch(/^broken/)
  })

  it('recovers a value identical to the raw text, and hints at the line to write [CC-13 CC-14]', () => {
    const value = 'Use when: "x" isn\'t enough\\n, e.g. user: "go"'
    const result = frontMatter(head(`name: a\ndescription: ${value}   `))
    if (result.kind !== 'parsed') throw new Error('not recovered')
    expect(result.head.get('description')?.value).toBe(value)
    const [found] = result.found
    expect(found).toMatchObject({ code: 'value_requoted', severity: 'warning', line: 3 })
    // The hint is YAML by itself, and means the same.
    expect(headOf(head(found?.hint ?? '')).description).toBe(value)
  })

  it('re-quotes only what does not parse', () => {
    const result = frontMatter(head('a: [1, 2]\nb: x: y\nc: "q: r"'))
    if (result.kind !== 'parsed') throw new Error('not recovered')
    expect([...result.head.values()].map((entry) => entry.value)).toEqual([[1, 2], 'x: y', 'q: r'])
    expect(result.found.map((one) => one.line)).toEqual([3])
  })

  it('refuses an unclosed list of tools instead of guessing', () => {
    expect(codeOf(head('tools: [Read, Bash'))).toMatch(/^broken/)
  })

  it('never keeps CR LF in a value', () => {
    expect(headOf('---\r\na: x\r\nb: y: z\r\nc: w\r\n---\r\n')).toEqual({
      a: 'x',
      b: 'y: z',
      c: 'w',
    })
  })
})

it('text with an error in each line is rejected, and later errors have stack traces', () => {
  const text = `---\nname: a-b\ntools: metadata:\nmetadata:\n  a: b\n${'   a: b\n'.repeat(900)}---\nBody.\n`
  expect(frontMatter(text)).toMatchObject({ kind: 'broken', found: [{ severity: 'error' }] })
  expect(new Error('later').stack).toContain('frontmatter.test.ts')
})
