/** The table of proofs, and how they are run and recorded. The proofs here are small programs. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { until } from '../../support/patience.ts'
import { temporaryFolder } from '../../support/server.ts'
import { Contents, pathsOfTree, programOf, ROOT } from './guarded.ts'
import { busyWith, usedBetween, watchOthers } from './load.ts'
import { unmetNeeds } from './needs.ts'
import { PROOFS, type Proof } from './proofs.ts'
import { readRecords, standing, writeRecord } from './record.ts'
import { Runner, runProofs } from './run.ts'

const proof = (name: string, program: string, more: Partial<Proof> = {}): Proof => ({
  name,
  proves: 'It holds.',
  kind: 'long',
  guards: ['LICENSE'],
  command: ['node', '-e', program],
  minutes: 1,
  ...more,
})

async function places() {
  const folder = await temporaryFolder()
  return { progress: join(folder, 'proving'), records: join(folder, 'proofs.json') }
}

describe('the table of proofs', () => {
  const contents = new Contents()

  it.each(PROOFS.map((one) => [one.name, one] as const))('%s guards files that exist', (_, one) => {
    expect(contents.missing(one.guards)).toEqual([])
    expect(one.guards.length).toBeGreaterThan(0)
  })

  it('names each proof once, with a sentence and existing programs', () => {
    expect(new Set(PROOFS.map(({ name }) => name)).size).toBe(PROOFS.length)
    for (const { name, proves, command, minutes } of PROOFS) {
      expect(proves, name).toMatch(/^[A-Z].*\.$/)
      expect(minutes, name).toBeGreaterThan(0)
      const files = command.filter((word) => /^(?:test|infra)\/.*\.ts$/.test(word))
      expect(
        files.filter((file) => !existsSync(join(ROOT, file))),
        name,
      ).toEqual([])
    }
  })

  it('runs every test file that is a proof', () => {
    const run = new Set(PROOFS.flatMap(({ command }) => command))
    const files = pathsOfTree().filter((path) => path.endsWith('.proof.test.ts'))
    expect(files.filter((path) => !run.has(path))).toEqual([])
  })

  it('reports a path that matches nothing', () => {
    expect(contents.missing(['src', 'src/nowhere', 'LICENS'])).toEqual(['src/nowhere', 'LICENS'])
  })
})

describe('a proof', () => {
  const GUARDS = ['src']

  async function repository(): Promise<{
    hash: () => string
    write: (path: string, text: string) => void
    move: (from: string, to: string) => void
  }> {
    const root = await temporaryFolder()
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const move = (from: string, to: string): void => renameSync(join(root, from), join(root, to))
    write('src/a/one.ts', "import { two } from './two.ts'\nexport const one = two + 1\n")
    write('src/a/two.ts', 'export const two = 2\n')
    write('other.ts', 'export {}\n')
    return { hash: () => new Contents(root).hash(GUARDS), write, move }
  }

  it('is due when a file below its paths changes, and not when another file does', async () => {
    const { hash, write } = await repository()
    const before = hash()
    write('other.ts', 'export const other = 1\n')
    write('src/README.md', '# Source\n')
    expect(hash()).toBe(before)
    write('src/a/two.ts', 'export const two = 3\n')
    expect(hash()).not.toBe(before)
  })

  it('is not due when a folder or a file moves and its imports follow', async () => {
    const { hash, write, move } = await repository()
    const before = hash()
    move('src/a', 'src/b')
    expect(hash()).toBe(before)
    write('src/b/deep/two.ts', 'export const two = 2\n')
    move('src/b/deep/two.ts', 'src/two.ts')
    write('src/b/two.ts', '')
    expect(hash()).not.toBe(before)
  })

  it('is due for changed statements, not for comments, layout, folders, or the order of imports', () => {
    const one =
      "import { b } from '../../b.ts'\nimport { a } from './a.ts'\n\n/** Says. */\ncall(a, b)\n"
    const other = "import { a } from './x/a.ts'\nimport { b } from './b.ts'\ncall(\n  a, b)\n"
    expect(programOf(one)).toBe(programOf(other))
    expect(programOf(one)).not.toBe(programOf(one.replace('call(a, b)', 'call(b, a)')))
    expect(programOf(one)).not.toBe(programOf(one.replace('./a.ts', './c.ts')))
    expect(programOf("read('../x/a.md')")).toBe(programOf("read('./a.md')"))
  })
})

describe('records', () => {
  it('apply only to the contents for which they were made', () => {
    const record = { contents: 'a', date: '2026-11-28', result: 'red', seconds: 3 } as const
    expect(standing(record, 'a')).toEqual({ state: 'red', date: '2026-11-28' })
    expect(standing(record, 'b')).toEqual({ state: 'due', since: '2026-11-28' })
    expect(standing(undefined, 'b')).toEqual({ state: 'due', since: undefined })
  })

  it('are replaced as a whole, or kept', async () => {
    const { records } = await places()
    const record = { contents: 'a', date: '2026-11-28', result: 'green', seconds: 3 } as const
    writeRecord('b', record, records)
    writeRecord('a', { ...record, seed: 7 }, records)
    expect(Object.keys(readRecords(records))).toEqual(['a', 'b'])
    const nowhere = join(records, 'proofs.json')
    expect(() => writeRecord('c', record, nowhere)).toThrow(
      /proofs\.json could not be read: ENOTDIR/,
    )
    writeFileSync(records, '{"a": ')
    expect(() => writeRecord('c', record, records)).toThrow(/proofs\.json is not JSON/)
    expect(readFileSync(records, 'utf8')).toBe('{"a": ')
    expect(existsSync(`${records}.new`)).toBe(false)
  })
})

describe('a run of proofs', () => {
  it('records green and red, with a seed where one is drawn, and exits with 1', async () => {
    const where = await places()
    const proofs = [
      proof('good', 'process.exit(Number(process.env.SEED) > 0 ? 0 : 1)', {
        env: { SEED: '{seed}' },
      }),
      proof('bad', 'process.exit(3)'),
    ]
    expect(await runProofs(proofs, where)).toBe(1)
    const records = readRecords(where.records)
    expect(records).toMatchObject({ good: { result: 'green' }, bad: { result: 'red' } })
    expect(records.good?.seed).toBeGreaterThan(0)
    expect(records.bad).not.toHaveProperty('seed')
    expect(existsSync(where.progress)).toBe(false)
  })

  it('reports what was not run and why, and keeps its record', async () => {
    const where = await places()
    const log = vi.spyOn(console, 'log')
    const busy = `console.log('not measured: busy (the reference was 1 before and 2 after)'); process.exit(1)`
    const proofs = [
      proof('lacking', '', { needs: ['a program' as 'java'] }),
      proof('measured', busy, { kind: 'measured' }),
      proof('killed', 'process.kill(process.pid, "SIGKILL")'),
    ]
    try {
      expect(await runProofs(proofs, where)).toBe(75)
      const said = log.mock.calls.map(([line]) => String(line))
      expect(said).toContainEqual('not run: lacking: a program is not installed')
      expect(said).toContainEqual('not run: killed: ended by SIGKILL')
      expect(said).toContainEqual(expect.stringMatching(/^not run: measured: not measured: busy/))
    } finally {
      log.mockRestore()
    }
    expect(readRecords(where.records)).toEqual({})
  })

  it('that was stopped continues with the proof that was running', async () => {
    const where = await places()
    const flag = join(dirname(where.records), 'flag')
    const waits = `const { existsSync, writeFileSync } = require('node:fs')
      if (!existsSync('${flag}')) { writeFileSync('${flag}', ''); setInterval(() => {}, 1000) }`
    const proofs = [proof('first', ''), proof('second', waits), proof('third', '')]
    const runner = new Runner()
    const stopped = runProofs(proofs, where, runner)
    await until('the second proof runs', () => existsSync(flag))
    runner.end('SIGTERM')
    expect(await stopped).toBe(143)
    expect(Object.keys(readRecords(where.records))).toEqual(['first'])
    const before = readRecords(where.records).first
    writeRecord('first', { ...before!, seconds: 99 }, where.records)
    expect(await runProofs(proofs, where)).toBe(0)
    const records = readRecords(where.records)
    expect(Object.keys(records)).toEqual(['first', 'second', 'third'])
    expect(records.first?.seconds).toBe(99)
  })

  it('measures other processes, and reports the machine as busy above a tenth', async () => {
    const share = watchOthers()
    const other = spawn(process.execPath, ['-e', 'for (;;);'])
    try {
      await until('the other one is seen', () => share() > 0)
    } finally {
      other.kill('SIGKILL')
    }
    expect(busyWith(0.1)).toBeUndefined()
    expect(busyWith(0.5)).toBe('not measured: busy (others used 50 % of the machine)')
  })

  it('ignores the earlier usage of a process that ends', () => {
    const shell = { ms: 20, pid: '7', parent: '1' }
    const program = { ms: 9_000, pid: '8', parent: '7' }
    const before = new Map(Object.entries({ '7 a': shell, '8 b': program }))
    const after = new Map(Object.entries({ '7 a': { ...shell, ms: 9_030 } }))
    expect(usedBetween(before, after)).toBe(10)
    const another = { ms: 50, pid: '9', parent: '7' }
    expect(usedBetween(before, new Map([...before, ['9 c', another]]))).toBe(50)
    const grandchild = { ms: 3_000, pid: '9', parent: '8' }
    const three = new Map([...before, ['9 c', grandchild]])
    expect(usedBetween(three, new Map([['7 a', { ...shell, ms: 12_030 }]]))).toBe(10)
  })

  it('detects when the registry does not answer', () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
    expect(unmetNeeds(['registry'])).toEqual(['the npm registry does not answer'])
    vi.unstubAllEnvs()
  })
})

describe('npm run prove', () => {
  async function prove(...words: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = spawn(process.execPath, ['test/tools/prove/main.ts', ...words], { cwd: ROOT })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const [code] = (await once(child, 'close')) as [number]
    return { code, out, err }
  }

  it('refuses an unknown proof', async () => {
    const said = await prove('siege', 'nix')
    expect(said).toMatchObject({ code: 2, out: '' })
    expect(said.err).toMatch(/^there is no proof "nix": --status lists them/)
  })

  it('prints every proof, and one summary line at the end', async () => {
    const { code, out } = await prove('--status')
    expect(code).toBe(0)
    const lines = out.trim().split('\n')
    expect(lines).toHaveLength(PROOFS.length + 1)
    expect(lines.at(-1)).toMatch(/^proofs: \d+ of \d+ green, \d+ red.*, \d+ due$/)
  })
})
