/**
 * `npm run bench -- shell`: processor and wall time of `shell_execute` for 20 common commands, by the
 * shell's own port over 200 files of source and 1 MB of log, each in turn as Node and Lambda run it
 * (a process for each command), as the Worker does (in its own isolate, here in this process) and,
 * where this machine makes sandboxes, as `ALLOW_SHELL` does, which can do more than the others.
 * Milliseconds, the median of the rounds. Processor time of processes is Linux's count of children,
 * which has steps of 10 ms; elsewhere it is not printed.
 *
 *   --rounds N   default 5     --json   one JSON object
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machineOf } from '../../../src/hosts/node/machine.ts'
import { openMachineSandbox } from '../../../src/hosts/sandbox/open-sandbox.ts'
import { isolatedTools } from '../../../src/hosts/sandbox/processes.ts'
import { runShell } from '../../../src/hosts/sandbox/shell.ts'
import { encode } from '../../../src/lib/bytes.ts'
import type { Shell, ShellFile } from '../../../src/ports/shell.ts'

const COMMANDS: readonly string[] = [
  'ls -la src',
  'cat src/m001.ts',
  'pwd; echo "$HOME" done',
  'find . -name "*.ts" -type f | wc -l',
  'grep -rn "answer" src | head -20',
  'grep -c ERROR app.log',
  "sed -n '1,40p' app.log",
  "sed -i 's/answer/reply/g' src/m001.ts",
  "awk '{ n[$3]++ } END { for (k in n) print k, n[k] }' app.log",
  "cut -d' ' -f3 app.log | sort | uniq -c | sort -rn",
  "jq '.items | map(.price) | add' data.json",
  "jq -r '.items[] | [.id, .name] | @csv' data.json | tail -5",
  'wc -l app.log src/m001.ts',
  'head -n 20 app.log',
  'tail -n 20 app.log',
  'diff src/m001.ts src/m002.ts',
  'find src -name "m00*" | xargs md5sum | sort',
  'mkdir -p out && cp src/m00*.ts out/ && mv out/m001.ts out/first.ts && ls out',
  'for f in src/m00*.ts; do echo "$f: $(wc -l < "$f")"; done',
  'ls src | xargs -n 50 echo | wc -l',
]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
})
const ROUNDS = Number(values.rounds)

interface Way {
  readonly name: string
  readonly shell: Shell
  /** Milliseconds of processor time so far. */
  readonly cpu: () => number
}

/** Ticks of a hundredth of a second that children took who have ended: fields 16 and 17. */
function cpuOfChildren(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return Number.NaN
  }
}

function cpuOfThis(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The server writes and reads the files, children do the rest. */
const cpuOfAll = (): number => cpuOfChildren() + cpuOfThis()

const { has } = machineOf(process.env, new Map())
const real = await openMachineSandbox({ hidden: [process.cwd()], has })

const WAYS: readonly Way[] = [
  { name: 'process', shell: isolatedTools().shell, cpu: cpuOfChildren },
  { name: 'isolate', shell: { run: runShell }, cpu: cpuOfThis },
  ...(real.ok ? [{ name: 'sandbox', shell: real.value.shell, cpu: cpuOfAll }] : []),
]
if (!real.ok) console.log(`no sandbox: ${real.error}`)

const FILES = files()

function files(): ShellFile[] {
  const code = Array.from({ length: 200 }, (_, at) => {
    const name = `src/m${String(at).padStart(3, '0')}.ts`
    const lines = Array.from(
      { length: 60 },
      (_, line) => `export const answer${line} = ${at + line}`,
    )
    return { path: name, bytes: encode(`${lines.join('\n')}\n`) }
  })
  const levels = ['INFO', 'INFO', 'WARN', 'INFO', 'ERROR']
  const log = Array.from({ length: 14_000 }, (_, at) => {
    const level = levels[at % levels.length]
    return `2026-11-01T00:00:00Z host-${at % 7} ${level} request ${at} took ${at % 997} ms`
  })
  const items = Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}`, price: id / 4 }))
  return [
    ...code,
    { path: 'app.log', bytes: encode(`${log.join('\n')}\n`) },
    { path: 'data.json', bytes: encode(JSON.stringify({ items })) },
  ]
}

interface Figure {
  readonly wall: number
  readonly cpu: number
}

async function once({ name, shell, cpu }: Way, command: string): Promise<Figure> {
  const began = performance.now()
  const before = cpu()
  const request = { command, files: FILES, cwd: '', env: {}, timeoutMs: 30_000 }
  const ran = await shell.run(request, new AbortController().signal)
  if (!ran.ok) throw new Error(`${name}: ${command}: ${ran.error}`)
  // What diff says by 1 is no failure.
  if (ran.value.exit_code > 1) throw new Error(`${name}: ${command}: ${ran.value.stderr}`)
  return { wall: performance.now() - began, cpu: cpu() - before }
}

const median = (of: readonly number[]): number =>
  [...of].sort((one, other) => one - other)[Math.floor(of.length / 2)]!

async function measured(way: Way, command: string): Promise<Figure> {
  await once(way, command)
  const rounds: Figure[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await once(way, command))
  // A step is as long as a small command: of processor time the mean says more.
  const cpu = rounds.reduce((sum, one) => sum + one.cpu, 0) / ROUNDS
  return { wall: median(rounds.map(({ wall }) => wall)), cpu }
}

const rows: { command: string; figures: Readonly<Record<string, Figure>> }[] = []
for (const command of COMMANDS) {
  const figures: Record<string, Figure> = {}
  for (const way of WAYS) figures[way.name] = await measured(way, command)
  rows.push({ command, figures })
}

const shown = (ms: number): string => (Number.isNaN(ms) ? '–' : ms.toFixed(ms < 10 ? 1 : 0))

if (values.json) console.log(JSON.stringify(rows))
else {
  const widest = Math.max(...COMMANDS.map(({ length }) => length))
  const line = (first: string, cells: readonly string[]): string =>
    `${first.padEnd(widest)} ${cells.map((cell) => cell.padStart(12)).join('')}`
  const heads = WAYS.flatMap(({ name }) => [`${name} cpu`, 'wall'])
  console.log(line(`ms, ${FILES.length} files`, heads))
  for (const { command, figures } of rows) {
    const cells = WAYS.flatMap(({ name }) => [figures[name]!.cpu, figures[name]!.wall])
    console.log(line(command, cells.map(shown)))
  }
  const total = (of: (one: Figure) => number, name: string): number =>
    rows.reduce((sum, { figures }) => sum + of(figures[name]!), 0) / rows.length
  const means = WAYS.flatMap(({ name }) => [
    total((one) => one.cpu, name),
    total((one) => one.wall, name),
  ])
  console.log(line('mean', means.map(shown)))
}
