import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandServer, neededNames } from '../../../../src/core/config/server/expand.ts'
import { parseConfig } from '../../../../src/core/config/server/file.ts'
import { parseToml } from '../../../../src/core/config/toml/parse.ts'
import { frontMatter } from '../../../../src/core/config/yaml/frontmatter.ts'
import { parseTemplate, render } from '../../../../src/core/webhook/template.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { INPUT_BOUND, measured } from '../../../support/measured.ts'

const SIZE = 65_000
const fill = (piece: string): string => piece.repeat(Math.floor(SIZE / piece.length))
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const parse = (block: string) => {
  const read = frontMatter(`---\n${block}\n---\nbody`)
  return `${read.kind} ${read.found[0]?.code ?? ''}`.trim()
}

describe('front matter', () => {
  it('parses or refuses any head of 64 KB within 50 ms [M15]', () => {
    const heads = [
      `name: a\n${fill('\n')}x: 1`,
      `name: a\n${fill(' \n')}x: 1`,
      fill('#\n'),
      fill('\t'),
      fill('- '),
      fill('? '),
      fill('"'),
      `a: [${fill('a,')}]`,
      `a: [${fill(' ')}`,
      `a: [${fill(' ')}x`,
      `k:${fill(' ')}\n@`,
      `k: ${fill('a ')}\n@`,
      `a: ${fill('[')}`,
      lines(5_000, (i) => `k${i}: 'v'`),
      lines(900, (i) => `k${i}: a: b`),
      lines(5_000, (i) => `k${i}: *x`),
      lines(900, (i) => `k${i}: !t x`),
      lines(900, (i) => `k${i}: &a x`),
      lines(340, (i) => `${' '.repeat(i)}a:`),
      lines(990, () => ' '.repeat(60)),
      `a: {${lines(1_400, (i) => `k${i}: 1,`)}}`,
      `a: '${'x\n'.repeat(990)}`,
      `a: ${'['.repeat(60)}${'a,'.repeat(1_400)}`,
      `${lines(900, () => '- - - - x')}`,
      fill('%a\n'),
      fill('...\n'),
    ]
    for (const head of heads)
      measured(JSON.stringify(head.slice(0, 60)), () => parse(head), INPUT_BOUND)
  })

  it('is bounded in lines, marks, keys, and depth, and no head within them is refused [M14 M15 M19]', () => {
    expect(parse(`a: 'x'\n${'\n'.repeat(997)}b: 1`)).toBe('parsed')
    expect(parse(`a: 'x'\n${'\n'.repeat(1_000)}b: 1`)).toBe('broken frontmatter_too_large')
    expect(parse(`a: ["${"','".repeat(300)}"]`)).toBe('parsed')
    expect(parse(`a: [${"'',".repeat(500)}'']`)).toBe('broken frontmatter_too_large')
    expect(parse(`a: ${'model: '.repeat(900)}`)).toBe('parsed value_requoted')
    expect(parse(`a: ${'model: '.repeat(1_100)}`)).toBe('broken frontmatter_too_large')
    expect(parse(lines(200, (i) => `k${i}: v`))).toBe('parsed')
    expect(parse(lines(201, (i) => `k${i}: v`))).toBe('broken frontmatter_too_large')
    expect(parse(`m:\n${lines(201, (i) => `  k${i}: '1'`)}`)).toBe('broken frontmatter_too_large')
    expect(parse(lines(70, (i) => `${' '.repeat(i)}a:`))).toBe('broken yaml_depth')
    for (const twice of [
      "a: '1'\n'a': 2",
      'a:\n  b: 1\n  b: 2',
      'a: {b: 1, "b": 2}',
      'a: [{b: 1, b: 1}]',
    ]) {
      expect(parse(twice), twice).toBe('broken duplicate_key')
    }
  })

  it('with a second document in a fence is refused [M09]', () => {
    for (const second of ['a: 1\n...\nb: 2', 'a: 1\n--- # next\nb: 2', '--- {a: 1}\n--- {b: 2}']) {
      expect(parse(second), second).toMatch(/^broken/)
    }
  })
})

describe('TOML', () => {
  it.each([
    ['a key', '[mcp_servers.x]\nurl = "https://a.example"\nurl = "https://b.example"\n', 3],
    ['a quoted key', '[mcp_servers.x]\nurl = "https://a.example"\n"url" = "x"\n', 3],
    ['a table', '[mcp_servers.x]\nurl = "https://a.example"\n[mcp_servers.x]\n', 3],
    ['a dotted key', 'mcp_servers.x.url = "https://a.example"\n[mcp_servers.x]\n', 2],
    ['an inline key', 'mcp_servers = {x = {url = "a", url = "b"}}\n', 1],
  ])('%s that appears twice rejects the file as duplicate_key [T02]', (_, text, line) => {
    expect(parseConfig(encode(text), 'config.toml').found).toMatchObject([
      { code: 'duplicate_key', severity: 'error', line, hint: 'keep only one of them' },
    ])
  })

  it('parses or refuses any file of 64 KB within 50 ms [T08 T09]', () => {
    const files = [
      `a${'.a'.repeat(20_000)} = 1`,
      `__proto__${'.a'.repeat(20_000)} = 1`,
      `"a"${'."a"'.repeat(12_000)} = 1`,
      `a = {${'a.'.repeat(20_000)}a = 1}`,
      `[${'a.'.repeat(20_000)}a]`,
      `a = [${fill('1,')}]`,
      `__proto__ = [${'1,'.repeat(3_900)}]`,
      `__proto__ = [${fill('1,')}]`,
      lines(1_499, (i) => `[constructor.k${i}]`),
      lines(3_000, (i) => `[constructor.k${i}]`),
      `a = "${fill('\\')}`,
      `a = "\\q${fill('\\')}`,
      `x = """\n[${fill(' ')}\n"""\nd = 2020-01-01`,
      `y = """\n${fill(' ')}\n"""\nd = 2020-01-01`,
      fill('['),
      fill('{a='),
      `a = ${'9'.repeat(60_000)}`,
      lines(1_499, (i) => `a.b${i}.c.d.e.f = 1`),
      fill("''"),
      fill('#\r'),
    ]
    for (const file of files) {
      for (const text of [file, `[mcp_servers.x]\n${file}`]) {
        measured(
          JSON.stringify(file.slice(0, 60)),
          () => parseConfig(encode(text), 'config.toml'),
          INPUT_BOUND,
        )
      }
    }
  })

  it('refuses a key of more than 32 parts with its line, ignoring dots in strings [T08]', () => {
    expect(parseToml(`a = 1\nb${'.c'.repeat(32)} = 1`)).toMatchObject({
      ok: false,
      found: { code: 'toml_depth', line: 2 },
    })
    expect(parseToml(`b${'.c'.repeat(31)} = 1`).ok).toBe(true)
    expect(
      parseToml(`a = "${'.['.repeat(500)}" # ${'.['.repeat(500)}\nb = '''\n${'.['.repeat(500)}'''`)
        .ok,
    ).toBe(true)
  })

  it('a JSON configuration with a duplicate server is refused like TOML [T02]', () => {
    const json = '{"mcpServers":{"a":{"url":"https://x.example"},"a":{"url":"https://y.example"}}}'
    expect(parseConfig(encode(json), 'mcp.json').found[0]?.code).toBe('duplicate_key')
  })
})

describe('references and templates', () => {
  it('are scanned in linear time when references do not end [T13]', () => {
    const server = {
      args: [],
      env: {},
      url: fill('${A:-'),
      http_headers: { x: `${fill('${A:-')}}` },
    }
    measured('${A:-', () => neededNames(server), INPUT_BOUND)
    measured('${A:-', () => expandServer(server as never, new Map()), INPUT_BOUND)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference as people write it
    const args = ['a${A:-b}c${']
    const filled = expandServer({ args, env: {}, url: null, http_headers: {} } as never, new Map())
    expect(filled).toMatchObject({ ok: true, value: { args: ['abc${'] } })
  })

  it('are filled within 50 ms for any template and payload at their limits [WH-30]', () => {
    const templates = [
      fill('{'),
      fill('{{'),
      fill('{{a'),
      fill('}}'),
      `{{${fill('a.')}`,
      `{{a${fill('[1]')}}}`,
      `{{a${'.a'.repeat(30_000)}}}`,
    ]
    for (const template of templates)
      measured(template.slice(0, 20), () => parseTemplate(template), INPUT_BOUND)
    const whole = parseTemplate(Array.from({ length: 50 }, () => '{{$}}').join(' '))
    const payload = { a: 'x'.repeat(250_000) }
    if (!whole.ok) throw new Error(whole.error)
    measured('fifty times the whole payload', () => render(whole.value, payload, null), INPUT_BOUND)
  })

  it('are quickly read or refused for any mixture of template syntax [WH-30]', () => {
    const piece = fc.constantFrom('{{', '}}', '{', 'a', '.', '[0]', '$', '$event', ' ', '-', '\n')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (all) => {
        const read = parseTemplate(all.join(''))
        if (read.ok) render(read.value, { a: { a: [1, { a: 'x' }] } }, 'e')
      }),
    )
  })
})
