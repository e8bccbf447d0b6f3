/**
 * `npm run mutate:resolve`: flips what is promised of layers, one sentence at a time, in
 * the source as it is loaded, and runs the resolve tests on it in a child process. A mutant that
 * no test notices is a sentence that nothing proves. Prints `<n> mutants, <n> killed`.
 */

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'

interface Mutant {
  /** The sentence that no longer holds. */
  readonly says: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const CORE = 'src/core/config'
const mutant = (says: string, file: string, from: string, to: string): Mutant => ({
  says,
  file,
  from,
  to,
})

const MUTANTS: readonly Mutant[] = [
  mutant(
    'a valid role layer is the base',
    'src/engine/layers/resolve.ts',
    'if (role !== null) {\n    const layer',
    "if (role === '') {\n    const layer",
  ),
  mutant(
    'a config key makes a role layer valid',
    `${CORE}/layer.ts`,
    'this.config = file\n      this.valid = true',
    'this.config = file',
  ),
  mutant(
    'an agents directory makes a role layer valid',
    `${CORE}/layer.ts`,
    'if (agents !== undefined) {\n      this.valid = true',
    'if (agents !== undefined) {',
  ),
  mutant(
    'a skills directory makes a role layer valid',
    `${CORE}/layer.ts`,
    'if (skills.legacy !== true) this.valid = true',
    '',
  ),
  mutant(
    'an invalid role layer is reported',
    'src/engine/layers/invalid-role.ts',
    "return [warning('role_layer_invalid', message, { hint })]",
    'return message === hint ? [] : []',
  ),
  mutant(
    'the workspace of a run is never a layer',
    `${CORE}/select.ts`,
    'if (!prefix.value.startsWith(WORKSPACES)) return prefix',
    'return prefix',
  ),
  mutant(
    'an invalid role layer is not used',
    'src/engine/layers/load.ts',
    'if (question.onlyIfValid === true && !plan.valid) return undefined',
    '',
  ),
  mutant(
    'repo == base is one layer',
    'src/engine/layers/resolve.ts',
    'const same = overlay === undefined ||',
    'const same = overlay === undefined || false &&',
  ),
  mutant(
    'the repository is on top',
    'src/engine/layers/resolve.ts',
    '[first.layer, overlay]',
    '[overlay, first.layer]',
  ),
  mutant(
    'role main is the base layer',
    `${CORE}/select.ts`,
    'role === MAIN_ROLE ? null : rolePath(role)',
    "role === MAIN_ROLE + '' + '?' ? null : rolePath(role)",
  ),
  mutant(
    'base_dir replaces base/',
    `${CORE}/select.ts`,
    'base: base.value ?? DEFAULT_BASE',
    'base: DEFAULT_BASE',
  ),
  mutant(
    'skills/main belongs to the base layer',
    `${CORE}/layer.ts`,
    "(place.baseOnly !== true || this.kind === 'base')",
    'true',
  ),
  mutant(
    'a label’s role comes before the task’s',
    `${CORE}/role.ts`,
    'labelled?.role ?? prefix?.role',
    'prefix?.role ?? labelled?.role',
  ),
  mutant(
    'a valid prefix is stripped whoever decided',
    `${CORE}/role.ts`,
    'prefix === undefined ? asked.task : prefix.rest',
    'asked.task',
  ),
  mutant(
    'a role is read in lower case',
    'src/lib/name.ts',
    'text.trim().toLowerCase()',
    'text.trim()',
  ),
  mutant(
    'a missing repo_dir is refused',
    'src/engine/layers/resolve.ts',
    'if (!exists) {',
    'if (!exists && !repo) {',
  ),
  mutant(
    'repo_dir means whole segments',
    'src/lib/key.ts',
    'ok(`$' + '{path.value}/`) : path',
    'path : path',
  ),
  mutant(
    'the overlay’s skill wins',
    `${CORE}/resolve.ts`,
    'if (candidate.skill !== null) {\n      const shadows',
    'if (candidate.skill !== null && before === undefined) {\n      const shadows',
  ),
  mutant(
    'a .disabled alone disables an inherited skill',
    `${CORE}/resolve.ts`,
    '{ ...before, disabledBy: candidate.disabledBy }',
    'before',
  ),
  mutant(
    'an overlay skill without .disabled is enabled',
    `${CORE}/resolve.ts`,
    '{ candidate, shadows, disabledBy: candidate.disabledBy }',
    '{ candidate, shadows, disabledBy: candidate.disabledBy ?? before?.disabledBy ?? null }',
  ),
  mutant(
    'an unused switch is noted',
    `${CORE}/resolve.ts`,
    "unused.push(note('unused_override', message))",
    'void message, void note',
  ),
  mutant(
    'an entry that names a transport replaces',
    `${CORE}/server.ts`,
    'if (base === undefined || namesTransport(over)) return over',
    'if (base === undefined) return over',
  ),
  mutant(
    'one that does not amends',
    `${CORE}/server.ts`,
    'if (base === undefined || namesTransport(over)) return over',
    'if (base === undefined || over) return over',
  ),
  mutant(
    'maps merge per key',
    `${CORE}/server.ts`,
    'const merges = MAPS.includes(key) &&',
    'const merges = false &&',
  ),
  mutant(
    'an explicit {} clears the map',
    `${CORE}/server.ts`,
    'Object.keys(value as object).length > 0',
    'value !== null',
  ),
  mutant(
    'a disabled server stays listed',
    `${CORE}/fold-servers.ts`,
    'servers.push(entry)',
    'if (entry.enabled) servers.push(entry)',
  ),
  mutant(
    'a disabled server is unavailable',
    `${CORE}/fold-servers.ts`,
    'if (!server.enabled) {',
    'if (false) {',
  ),
  mutant(
    'an inherited fault makes the amended server invalid',
    `${CORE}/server.ts`,
    '[...base.faults, ...over.faults]',
    'over.faults',
  ),
  mutant(
    'an unparsable overlay leaves the base servers',
    `${CORE}/fold-servers.ts`,
    'for (const raw of source.parsed.servers) {',
    'if (source.parsed.broken) merged.clear()\n    for (const raw of source.parsed.servers) {',
  ),
  mutant(
    'the later agent wins',
    `${CORE}/resolve.ts`,
    'agents.set(agent.id, { ...agent, origin })',
    'if (hidden === undefined) agents.set(agent.id, { ...agent, origin })',
  ),
  mutant(
    'the earlier agent is listed as shadowed',
    `${CORE}/resolve.ts`,
    'shadows: shadowsOf(hidden.origin)',
    'shadows: []',
  ),
  mutant(
    'the same id twice in a directory is an error',
    `${CORE}/compile.ts`,
    'if (earlier !== undefined) {',
    "if (earlier === '') {",
  ),
  mutant(
    '.claude/ outranks .agents/ for skills',
    `${CORE}/layout.ts`,
    "{ path: '.agents/skills/' },\n  { path: '.claude/skills/' },",
    "{ path: '.claude/skills/' },\n  { path: '.agents/skills/' },",
  ),
  mutant(
    '.claude/ outranks .agents/ for agents',
    `${CORE}/layout.ts`,
    "{ path: '.agents/agents/' },\n  { path: '.claude/agents/' },",
    "{ path: '.claude/agents/' },\n  { path: '.agents/agents/' },",
  ),
  mutant(
    'what the policy denies is denied',
    `${CORE}/fold-servers.ts`,
    'if (denied(input.policy.deny.servers, name)) {',
    'if (false) {',
  ),
  mutant(
    'a run’s own servers are its only ones',
    `${CORE}/fold-servers.ts`,
    'input.run === null ? own : [input.run]',
    'input.run === null ? own : [...own, input.run]',
  ),
  mutant(
    'a missing mcp_config_path is refused',
    'src/engine/layers/resolve.ts',
    'if (object === null) {',
    'if (object === null) return ok(null)\n    if (object === null) {',
  ),
  mutant(
    'an older skill is read only where .agents/ lacks it',
    `${CORE}/layer.ts`,
    "this.skills.get('.agents/skills/')?.has(id) === true",
    'false',
  ),
  mutant(
    'strict refuses warnings',
    'src/engine/layers/resolve.ts',
    'if (selection.strict !== true) return ok(resolved)',
    'if (selection.strict !== null) return ok(resolved)',
  ),
  mutant(
    'on_duplicate: reject refuses',
    'src/engine/layers/resolve.ts',
    "selection.on_duplicate === 'reject'",
    "(selection.on_duplicate as string) === 'never'",
  ),
  mutant(
    'a run that starts after an edit sees it',
    'src/engine/layers/load.ts',
    'one.etag === other.etag && one.size === other.size',
    'true',
  ),
  mutant(
    'a missing secret is reported',
    `${CORE}/fold-servers.ts`,
    '!secrets.has(name)',
    'secrets.has(name)',
  ),
  mutant(
    'an unsupported transport is reported',
    `${CORE}/fold-servers.ts`,
    'if (input.allowStdio) return undefined',
    'if (true) return undefined',
  ),
]

const ROOT = resolve(import.meta.dirname, '../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** Whether the tests noticed; a mutant that cannot be made stops everything. */
function killed(one: Mutant): Promise<boolean> {
  const args = [VITEST, 'run', '--config', 'test/tools/mutate.config.ts']
  const env = { ...process.env, MUTANT: JSON.stringify(one) }
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return new Promise((done, fail) => {
    child.once('close', (code) => {
      if (output.includes('does not have it once'))
        fail(new Error(`${one.says}: not in ${one.file}`))
      else done(code !== 0)
    })
  })
}

const survivors: string[] = []
const waiting = [...MUTANTS]
async function work(): Promise<void> {
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const dead = await killed(one)
    if (!dead) survivors.push(one.says)
    console.log(`${dead ? 'killed  ' : 'SURVIVED'} ${one.says}`)
  }
}

const clean: Mutant = mutant('', 'none', '', '')
if (await killed(clean)) throw new Error('the tests fail without any mutant')
await Promise.all(Array.from({ length: Math.max(1, availableParallelism() - 1) }, work))
console.log(`${MUTANTS.length} mutants, ${MUTANTS.length - survivors.length} killed`)
if (survivors.length > 0) process.exitCode = 1
