/** A planted bug follows the code: line breaks and moves leave it where it is, anything else is said. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { declarations } from './declarations.ts'
import { inside, type Patch, patched as patchedSource, sourceOf } from './patch.ts'
import { type Planting, planted, sources } from './plant.ts'
import { tokens } from './tokens.ts'

const texts = (source: string): string[] => tokens(source).map(({ text }) => text)
const patched = (source: string, patches: readonly Patch[]): string =>
  patchedSource(sourceOf(source), patches)
const names = (source: string): string[] => declarations(tokens(source)).map(({ name }) => name)

describe('tokens', () => {
  it.each([
    ['white space and comments are none', 'a /* { */ + // }\n b', ['a', '+', 'b']],
    ['a string keeps its brackets', `f('}', "\\"{")`, ['f', '(', `'}'`, ',', `"\\"{"`, ')']],
    ['a slash after a value divides', 'a / b / c(d) / 2', 'a / b / c ( d ) / 2'.split(' ')],
    ['elsewhere it begins a pattern', 'x = /[/}]\\/{/g', ['x', '=', '/[/}]\\/{/g']],
    ['after return too', 'return /}/', ['return', '/}/']],
    ['a value that is there for certain', 'a! / b! / c', 'a ! / b ! / c'.split(' ')],
    [
      'a template has parts',
      ['`a}$', '{b + `{$', '{c}`}$d`'].join(''),
      ['`a}${', 'b', '+', '`{${', 'c', '}`', '}$d`'],
    ],
    ['private names', 'this.#a ??= b?.c', ['this', '.', '#a', '??=', 'b', '?.', 'c']],
    ['numbers', '1_000.5e-3 + 0xff + .5', ['1_000.5e-3', '+', '0xff', '+', '.5']],
    ['types in types', 'Map<a, Set<b>>', ['Map', '<', 'a', ',', 'Set', '<', 'b', '>', '>']],
  ])('%s', (_, source, wanted) => {
    expect(texts(source)).toEqual(wanted)
  })

  it('refuse unterminated text', () => {
    expect(() => tokens("a = 'b")).toThrow('not a token')
    expect(() => tokens('`a ${b')).not.toThrow()
    expect(() => tokens('`a')).toThrow('a template does not end')
  })

  it('close every bracket of every source', () => {
    const open = [...sources()].filter(([, text]) => tokens(text).at(-1)?.depth !== 0)
    expect(open.map(([path]) => path)).toEqual([])
  })
})

const CLASS = `
export abstract class Box<T extends { a: 1 }> extends Base<{ b: 2 }> {
  static readonly #count = 0
  readonly at: Map<string, () => void>
  then: () => void
  #last: { a: string } | null =
    null; more = [1,
    2]
  static { setUp() }
  constructor(readonly world: World) { super() }
  get size(): number { return 1 }
  set size(value: number) { this.#last = value }
  async *walk<U>(by: U = {} as U): AsyncGenerator<{ a: U }> { yield { a: by } }
  #commit = async (): Promise<void> => {
    await 1
  }
  find(one: string): { found: boolean } | undefined
  find(one: unknown) { return { found: true } }
}
`

describe('declarations', () => {
  it('are functions, constants, and classes with their members, and no types', () => {
    const source = `${CLASS}
type Size = { of: number }
interface Sized { size: number }
const limit = 3, other = 4
let made: (() => void) | undefined
export default async function* walk(): AsyncGenerator<void> {}
export const plus = (a: number): number =>
  a + 1
function over(a: string): void
function over(a: unknown): void {}`
    expect(names(source)).toEqual([
      'Box',
      ...['#count', 'at', 'then', '#last', 'more', 'constructor', 'size', 'walk'].map(
        (name) => `Box.${name}`,
      ),
      ...['Box.#commit', 'Box.find', 'limit', 'made', 'walk', 'plus', 'over'],
    ])
  })

  it('end where the next one begins', () => {
    const read = tokens(CLASS)
    const at = new Map(declarations(read).map((one) => [one.name, one]))
    const textOf = (name: string): string => {
      const { from, to } = at.get(name)!
      return read
        .slice(from, to)
        .map(({ text }) => text)
        .join(' ')
    }
    expect(textOf('Box.then')).toBe('then : ( ) => void')
    expect(textOf('Box.#last')).toBe('#last : { a : string } | null = null ;')
    expect(textOf('Box.more')).toBe('more = [ 1 , 2 ]')
    expect(textOf('Box.constructor')).toBe('constructor ( readonly world : World ) { super ( ) }')
    expect(textOf('Box.size')).toMatch(/^get size .* = value \}$/)
    expect(textOf('Box.#commit')).toMatch(/^#commit = async .* await 1 \}$/)
  })

  it('of every source have the names at the start of its lines', () => {
    const line =
      /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|(?:abstract )?class) (\w+)/gm
    const missing = [...sources()].flatMap(([path, text]) => {
      const known = new Set(names(text))
      // A text of many lines may hold a program of its own.
      const own = text.replace(/^const [A-Z]+ = `[\s\S]*?\n`$/gm, '')
      const wanted = [...own.matchAll(line)].map(([, name]) => name!)
      return wanted.filter((name) => !known.has(name)).map((name) => `${path}: ${name}`)
    })
    expect(missing).toEqual([])
  })
})

const SOURCE = `
const LIMIT = 5 // five
export function judge(count: number, at: number): string {
  if (count < LIMIT || at === 0) return 'go'
  // Nobody may come here twice.
  return note(count, { at, says: 'stop' })
}
export const other = (): string => note(1, { at: 2, says: 'stop' })
`
const FORMATTED = `
const LIMIT =
  5
export function judge(
  count: number,
  at: number
): string {
  if (
    count < LIMIT ||
    at === 0
  )
    return 'go'
  return note(
    count,
    {
      at,
      says: 'stop',
    },
  )
}
export const other = (): string => note(1, { at: 2, says: 'stop' })
`

describe('a patch', () => {
  const patches = [
    inside('LIMIT', 'LIMIT = 5', 'LIMIT = 2'),
    inside('judge', "count < LIMIT || at === 0) return 'go'", "false) return 'go'"),
    inside('judge', "note(count, { at, says: 'stop' })", "'never'"),
  ]

  it.each([
    ['as it was', SOURCE],
    ['with other line breaks', FORMATTED],
  ])('changes the function that it names: %s', (_, source) => {
    const wanted = SOURCE.replace('LIMIT = 5', 'LIMIT = 2')
      .replace('count < LIMIT || at === 0', 'false')
      .replace("note(count, { at, says: 'stop' })", "'never'")
    expect(texts(patched(source, patches))).toEqual(texts(wanted))
  })

  it('may have other line breaks than the source', () => {
    const find = "note(\n  count,\n  {\n    at,\n    says: 'stop',\n  },\n)"
    expect(patched(SOURCE, [inside('judge', find, "'never'")])).toContain("return 'never'\n}")
  })

  it('leaves the rest unchanged', () => {
    const [before, after] = [
      SOURCE.indexOf('note(count'),
      SOURCE.indexOf('\n}\nexport const other'),
    ]
    const changed = patched(SOURCE, [patches[2]!])
    expect(changed).toBe(`${SOURCE.slice(0, before)}'never'${SOURCE.slice(after)}`)
  })

  const BROKEN = `
const both = (): boolean => {
  return (
    first(
      1,
    ) &&
    second
  )
}
const list = [
  1,
  2,
]
const flat = [1, 2]`

  it.each([
    [
      'brackets around what is returned',
      'both',
      'return first(1) && second',
      'return x',
      'return x\n}',
    ],
    ['a part of what is returned', 'both', 'first(1) &&', '!', '!\n    second\n  )'],
    ['its end', 'both', '&& second', '', ') \n  )'],
    ['a comma before a bracket', 'list', '[1, 2]', '[]', '= []'],
    ['a comma that the patch puts back', 'list', '2,', '3,', '1,\n  3,\n]'],
    ['a comma that the patch looks for', 'flat', '2,', '3,', 'flat = [1, 3,]'],
  ])('matches text that a formatter has changed: %s', (_, name, find, put, wanted) => {
    expect(patched(BROKEN, [inside(name, find, put)])).toContain(wanted)
  })

  it('splits no pair of brackets', () => {
    const half = inside('both', 'return first(1)', 'return true')
    expect(() => patched(BROKEN, [half])).toThrow('both no longer has')
  })

  it('matches whole words only', () => {
    expect(() => patched(SOURCE, [inside('judge', 'coun', 'x')])).toThrow('no longer has: coun')
  })

  it.each<[string, Patch, string]>([
    ['a text that is gone', inside('judge', 'count > LIMIT', ''), 'judge no longer has'],
    ['a text of another function', inside('other', 'LIMIT', ''), 'other no longer has'],
    ['a text that is there twice', inside('judge', 'at', 'to'), 'judge has it 3 times'],
    ['a name that is gone', inside('judged', 'at', 'to'), 'judged is not declared'],
    ['no text', inside('judge', ' \n', 'to'), 'looks for nothing'],
  ])('refuses %s', (_, patch, why) => {
    expect(() => patched(SOURCE, [patch])).toThrow(why)
  })

  it('refuses text that another patch changes', () => {
    const twice = [inside('judge', 'count < LIMIT', 'a'), inside('judge', 'LIMIT || at', 'b')]
    expect(() => patched(SOURCE, twice)).toThrow('two patches change the same text')
  })
})

describe('a planted bug', () => {
  const bug: Planting = { name: 'no limit', patches: [inside('judge', 'count < LIMIT', 'true')] }

  it('follows its function to another file', () => {
    for (const path of ['/src/here.ts', '/src/there/else.ts']) {
      const all = new Map([
        ['/src/one.ts', 'export const judged = 1\n'],
        [path, SOURCE],
      ])
      const [[file, text] = []] = planted(bug, all)
      expect(file).toBe(path)
      expect(text).toContain('if (true || at === 0)')
    }
  })

  it('names the file when several declare it, and a folder when that is not enough', () => {
    const all = new Map([
      ['/src/a/one.ts', SOURCE],
      ['/src/b/one.ts', SOURCE],
      ['/src/two.ts', SOURCE],
    ])
    const of = (name: string): string[] => {
      const patches = [inside(name, 'count < LIMIT', 'true')]
      return [...planted({ name: 'no limit', patches }, all).keys()]
    }
    expect(of('two:judge')).toEqual(['/src/two.ts'])
    expect(of('b/one:judge')).toEqual(['/src/b/one.ts'])
    expect(() => of('one:judge')).toThrow('cannot plant "no limit": one:judge is declared in')
    expect(() => of('judge')).toThrow('name the file too')
    expect(() => of('three:judge')).toThrow('three:judge is declared nowhere')
  })

  it('is what Node loads', () => {
    const program = `
      import { plantInNode } from './test/sim/planting/plant.ts'
      const patches = [{ inside: 'POISON_CRASHES', find: '5', put: '77' }]
      plantInNode({ name: 'patience', patches })
      const loaded = await import('./src/core/crash-count.ts')
      console.log(loaded.POISON_CRASHES)`
    const [path] = [...sources()].find(([, text]) => /const POISON_CRASHES = 5\b/.test(text))!
    expect(basename(path)).toBe('crash-count.ts')
    expect(readFileSync(path, 'utf8')).toContain('export const POISON_CRASHES')
    const cwd = join(import.meta.dirname, '../../..')
    const args = ['--input-type=module', '--eval', program]
    expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }).trim()).toBe('77')
  })
})
