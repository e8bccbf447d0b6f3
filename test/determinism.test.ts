/**
 * The gate gives the same answer every time: what `npm test` runs reads no clock, draws no chance,
 * knows nothing of CI, and waits for minutes before it calls something missing. Each check is a
 * function, which is shown to find a planted violation.
 */

import { describe, expect, it } from 'vitest'
import { sources } from './support/source.ts'

/** Tests of other commands than `npm test`; what tests of the gate import from their folders is checked. */
const isProof = (path: string): boolean =>
  /\.proof\.test\.ts$|^test\/platforms\/(?:aws|cloudflare)\//.test(path)

interface File {
  readonly path: string
  readonly text: string
}
type Check = (file: File) => readonly string[]

/** Tests of the projects `unit` and `e2e`, their setup, and all that they import. */
function filesOfGate(): readonly File[] {
  const all = new Map(sources('test').map((file) => [file.path, file]))
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path) || !all.has(path)) return
    reached.add(path)
    for (const to of all.get(path)!.imports) visit(to)
  }
  for (const path of ['test/support/setup.ts', 'test/support/property.ts']) visit(path)
  for (const path of all.keys()) if (path.endsWith('.test.ts') && !isProof(path)) visit(path)
  return [...reached].map((path) => all.get(path)!)
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')

/** The lines of the code in which a pattern is found, with the file. */
const linesWith =
  (pattern: RegExp): Check =>
  ({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`)

const clocks = linesWith(
  /\bperformance\.now\b|\bDate\.now\b|\bnew Date\(\)|\b(?:memory|cpu|threadCpu|resource)Usage\b|\bhrtime\b/,
)
const continuousIntegration = linesWith(/\benv(?:\.CI\b|\[['"]CI['"]\])/)

const CHANCE = /\bMath\.random\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/
/** Chance on a line that names a seed, or beside one. */
const randomSeeds: Check = ({ path, text }) => {
  const lines = withoutComments(text).split('\n')
  return lines.flatMap((line, at) => {
    const beside = lines.slice(Math.max(0, at - 1), at + 2).join('\n')
    return CHANCE.test(line) && /seed/i.test(beside) ? [`${path}: ${line.trim()}`] : []
  })
}

/** Property tests take seed and number of cases from `property.ts` and `full.ts`. */
const ownProperties: Check = (file) => {
  if (!/from 'fast-check'/.test(file.text)) return []
  const own = linesWith(/\bseed\s*:|\bnumRuns\s*:(?!\s*cases\()|\bconfigureGlobal\b/)(file)
  return file.path.startsWith('test/e2e/') ? [`${file.path} has no seed`, ...own] : own
}

const OPENS = /^( *)(?:it|test|beforeAll|beforeEach|afterAll|afterEach)\b/
const NUMBER = /^\s*(?:\}, )?[\d_]+(?:\s*\*[\s\d_*]+)?,?\)?$/
/** Time-outs of tests, hooks and waits that are written as a number of milliseconds. */
const timeouts: Check = (file) => {
  const lines = withoutComments(file.text).split('\n')
  const ofTests = lines.flatMap((line, from) => {
    const [, indent] = OPENS.exec(line) ?? []
    if (indent === undefined) return []
    const end = lines.findIndex(
      (one, at) => at > from && (one.startsWith(`${indent}}`) || one.startsWith(`${indent})`)),
    )
    const last = lines[end]?.startsWith(`${indent})`) ? lines[end - 1] : lines[end]
    return last !== undefined && NUMBER.test(last) ? [`${file.path}: ${line.trim()} … ${last}`] : []
  })
  return [
    ...ofTests,
    ...linesWith(/\btimeout:\s*[1-9]|\bwaited\s*<\s*\d/)(file),
    // Without an option they wait for a second.
    ...linesWith(/\bvi\.wait(?:For|Until)\b|\.poll\(/)(file),
  ]
}

type Reasons = Readonly<Record<string, string>>

/** A file, or a folder with a slash at its end, and why it may. */
const MAY_READ_CLOCKS: Reasons = {
  'test/support/measured.ts': 'asserts bounds under MEASURE=1 alone',
  'test/support/cpu.ts': 'is the stopwatch of measured.ts and of the fuzz programs',
  'test/support/hostile/peer.ts': 'waits for minutes until connections are closed',
  'test/support/workerd.ts': 'kills workerd, as no test of the gate does',
  'test/hostile/chaos/': 'is a program; tests of the gate call its laws with times of their own',
  'test/tools/prove/':
    'is a program that says how long proofs took, and whether others are at work',
  'test/sim/cli/': 'is a program that says how long it took, and ends processes that hang',
  'test/sim/contract.test.ts': 'dates objects, as a bucket does',
  'test/contract/objects.ts': 'compares the date of an object with the date of today',
  'test/contract/store/kit.ts': 'makes names that no earlier run on the same table has used',
  'test/contract/host-time.ts': 'asks a host of any platform for a slot of its real clock',
  'test/unit/hosts/shared/ports.test.ts': 'sets the clock of the system, which must go on',
  'test/e2e/schedules.test.ts': 'asks a real server for a slot of its real clock',
  'test/e2e/backup.test.ts': 'asks a real server for a slot of its real clock, twenty seconds away',
  'test/e2e/hook-loop.test.ts': 'signs as of now, which counts for five minutes',
  'test/e2e/hook-previews.test.ts': 'signs as of now, which counts for five minutes',
}
const MAY_READ_CI: Reasons = { 'test/e2e/machine.test.ts': 'forbids a skip where CI is set' }
const MAY_DRAW_SEEDS: Reasons = {
  'test/tools/prove/run.ts': 'draws seeds for proofs; no test of the gate depends on one',
}
const MAY_SEED: Reasons = { 'test/support/property.ts': 'sets the one seed of all' }

/** What a check finds in the files of the gate, but for those of the list. */
const foundIn = (files: readonly File[], check: Check, allowed: Reasons = {}): readonly string[] =>
  files.filter(({ path }) => !Object.keys(allowed).some((of) => covers(of, path))).flatMap(check)

const covers = (of: string, path: string): boolean =>
  of.endsWith('/') ? path.startsWith(of) : of === path

const planted = (text: string, path = 'test/planted.test.ts'): File => ({ path, text })
/** The texts that a check overlooks. */
const overlooked = (check: Check, texts: readonly string[]): readonly string[] =>
  texts.filter((text) => check(planted(text)).length === 0)

describe('the determinism gate', () => {
  // This file plants what it looks for.
  const files = filesOfGate().filter(({ path }) => path !== 'test/determinism.test.ts')

  it('allows no clock or memory reads except a list with reasons', () => {
    expect(foundIn(files, clocks, MAY_READ_CLOCKS)).toEqual([])
  })

  it('allows no random seed', () => {
    expect(foundIn(files, randomSeeds, MAY_DRAW_SEEDS)).toEqual([])
  })

  it('requires one seed and at most 100 cases for property tests', () => {
    expect(foundIn(files, ownProperties, MAY_SEED)).toEqual([])
  })

  it('allows a check for CI only to forbid a skip', () => {
    expect(foundIn(files, continuousIntegration, MAY_READ_CI)).toEqual([])
  })

  it('requires time-outs of minutes to come from one helper', () => {
    expect(foundIn(files, timeouts)).toEqual([])
  })

  it('has no exception for a file that needs none', () => {
    const lists: readonly [Check, Reasons][] = [
      [clocks, MAY_READ_CLOCKS],
      [continuousIntegration, MAY_READ_CI],
      [ownProperties, MAY_SEED],
    ]
    const idle = lists.flatMap(([check, reasons]) =>
      Object.keys(reasons).filter(
        (of) => files.filter(({ path }) => covers(of, path)).flatMap(check).length === 0,
      ),
    )
    expect(idle).toEqual([])
  })

  it('covers everything that unit and e2e tests import, without proofs', () => {
    const paths = files.map(({ path }) => path)
    const some = ['test/tidy.test.ts', 'test/e2e/cli.test.ts', 'test/contract/store/kit.ts']
    expect(paths).toEqual(expect.arrayContaining([...some, 'test/support/setup.ts']))
    expect(paths.filter((path) => path.endsWith('.test.ts') && isProof(path))).toEqual([])
  })
})

describe('a planted violation', () => {
  it('of the clock rule is found', () => {
    const texts = [
      'const began = performance.now()',
      'const real = Date.now',
      'const at = new Date()',
      'const before = process.memoryUsage().rss',
      'const { user } = process.cpuUsage()',
      'process.threadCpuUsage(began)',
      'const ns = process.hrtime.bigint()',
    ]
    expect(overlooked(clocks, texts)).toEqual([])
    const harmless = '// Date.now\n/* performance.now() */\nconst at = new Date(0)\nclock.now()'
    expect(clocks(planted(harmless))).toEqual([])
  })

  it('of the seed rule is found', () => {
    const texts = [
      'const seed = Math.floor(Math.random() * 9)',
      'const seed = Number(\n  process.env.SEED ?? randomInt(9),\n)',
      'chaos({ seed: randomBytes(4).readUInt32LE() })',
      'const SEED = crypto.randomUUID()',
      'crypto.getRandomValues(seeds)',
    ]
    expect(overlooked(randomSeeds, texts)).toEqual([])
    expect(randomSeeds(planted('const id = crypto.randomUUID()'))).toEqual([])
  })

  it('of the property-test rule is found', () => {
    const from = (text: string) => `import fc from 'fast-check'\n${text}`
    const texts = ['fc.assert(p, { seed: 7 })', 'fc.assert(p, { numRuns: 4_000 })'].map(from)
    expect(overlooked(ownProperties, texts)).toEqual([])
    expect(ownProperties(planted(from('fc.assert(p, { numRuns: cases(9) })')))).toEqual([])
    expect(ownProperties(planted(from('fc.assert(p)'), 'test/e2e/x.test.ts'))).toHaveLength(1)
  })

  it('of the CI rule is found', () => {
    const texts = ['const slower = process.env.CI ? 3 : 1', "if (env['CI']) skip()"]
    expect(overlooked(continuousIntegration, texts)).toEqual([])
    expect(continuousIntegration(planted("const env = { CI: '1' }"))).toEqual([])
  })

  it('of the time-out rule is found', () => {
    const texts = [
      "it('x', async () => {\n  act()\n}, 60_000)",
      "  it.each([\n    [1],\n  ])('x', async () => {\n    act()\n  }, 5000)",
      "it(\n  'x',\n  async () => {},\n  20_000,\n)",
      'beforeAll(async () => {\n  act()\n}, 2 * 60_000)',
      "it('x', { timeout: 180_000 }, act)",
      'await vi.waitFor(act)',
      'await expect.poll(act).toBe(1)',
      'for (let waited = 0; waited < 5_000; waited += 20) act()',
    ]
    expect(overlooked(timeouts, texts)).toEqual([])
    const harmless = [
      "it('x', async () => {\n  setTimeout(() => {\n    act()\n  }, 20)\n}, minutes(2))",
      "it('x', () => {\n  act()\n})",
      'const options = { timeout: minutes(1), timeout_seconds: 30 }',
    ]
    expect(harmless.flatMap((text) => timeouts(planted(text)))).toEqual([])
  })
})
