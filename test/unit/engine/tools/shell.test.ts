/** `shell_execute`: asked about by default, its writes under conditions, its bounds, its traces. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { shellExecute } from '../../../../src/core/tools/builtin/shell-execute.ts'
import { deleteTree } from '../../../../src/engine/worker/retention.ts'
import { runShell } from '../../../../src/hosts/sandbox/shell.ts'
import type { Model, Shell } from '../../../../src/ports/world.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { factsOf, look, putFiles, runToRest, TENANT, testWorld } from '../../../support/drive.ts'
import { requestsOf, scriptModel } from '../../../support/script.ts'

async function shellWorld(shell: Shell = { run: runShell }) {
  const world = testWorld({ shell, settings: { retentionMs: 1_000 } })
  await setPolicy(world, { approvals: { shell_execute: 'allow' } })
  const run = async (commands: readonly string[], more: object = {}) => {
    const steps = commands.map(
      (command) => `@call shell_execute ${JSON.stringify({ command })}\n@then\n`,
    )
    const done = await runToRest(world, { input: `${steps.join('')}@say done`, ...more })
    const facts = await factsOf(world, done.state.spec!.id)
    const texts = facts.flatMap((fact) => (fact.type === 'tool.result' ? [fact.text] : []))
    return { id: done.state.spec!.id, texts: texts as string[] }
  }
  return { world, run }
}

it('every command that may change something needs approval', async () => {
  const world = testWorld({ shell: { run: runShell } })
  const asks = (command: string) =>
    runToRest(world, { input: `@call shell_execute ${JSON.stringify({ command })}\n@say done` })
  expect((await asks('touch a')).state.waiting).toMatchObject({ on: 'approval' })
  expect((await asks('ls')).state.waiting).toBeNull()
})

it('every command named in the tool description can be run', async () => {
  const [, list] = / such as ([\w, ]+), but no network/.exec(shellExecute.description)!
  const named = list!.split(/, and |, /)
  expect(named.length).toBeGreaterThan(5)
  const given = { files: [], cwd: '', env: {}, timeoutMs: 10_000 }
  const asked = named.map((name) => runShell({ ...given, command: `${name} --help` }))
  const answers = (await Promise.all(asked)).map((ran) => ran.ok && ran.value.exit_code)
  expect(answers).toEqual(named.map(() => 0))
})

describe('messages of the emulated shell', () => {
  const ran = async (command: string) => {
    const result = await runShell({ command, files: [], cwd: '', env: {}, timeoutMs: 20_000 })
    if (!result.ok) throw new Error(result.error)
    return result.value
  }
  const FOREIGN = /just-bash|BashEnv|browser|executionLimits|Node\.js bundle|vercel|curl/i

  it.each([
    'python3 x.py',
    'tar --help',
    'help',
    'cat /proc/version',
    'html-to-markdown --help',
    'while :; do :; done',
    'for i in $(seq 200000); do :; done',
    'f() { f; }; f',
  ])('name neither a product nor a missing feature: %s', async (command) => {
    const { stdout, stderr } = await ran(command)
    expect(stdout + stderr).toMatch(/\S/)
    expect(stdout + stderr).not.toMatch(FOREIGN)
  })

  it('report a missing program and the alternatives, also when redirected', async () => {
    for (const command of ['python3 x.py', 'python3 x.py 2>&1']) {
      const { stdout, stderr, exit_code, notes } = await ran(command)
      expect([stdout + stderr, exit_code]).toEqual(['bash: python3: command not found\n', 127])
      expect(notes).toEqual([
        expect.stringMatching(/^This shell is emulated and has no python3; .*ALLOW_SHELL/),
      ])
    }
  })

  it('list existing builtins, and leave the following output unchanged', async () => {
    const { stdout } = await ran('help; echo kill; echo jobs')
    expect(stdout.endsWith('\nkill\njobs\n')).toBe(true)
    const list = stdout.slice(0, -'kill\njobs\n'.length).split('\n').slice(4)
    const names = list.flatMap((line) => line.split(/ +/)).filter((name) => name !== '')
    expect(names).toContain('cd')
    const lost: string[] = []
    for (const name of names) {
      const { stderr } = await ran(`${name} < /dev/null`)
      if (stderr.includes('command not found')) lost.push(name)
    }
    expect(lost).toEqual([])
  })
})

it('a concurrently changed file is neither overwritten nor removed', async () => {
  const shell: Shell = {
    async run(request) {
      await putFiles(world, { 'repos/app/a.txt': 'theirs', 'repos/app/b.txt': 'theirs' })
      return runShell(request)
    },
  }
  const { world, run } = await shellWorld(shell)
  await putFiles(world, { 'repos/app/a.txt': 'old', 'repos/app/b.txt': 'old' })
  const { texts } = await run(['echo mine > a.txt; rm b.txt; echo new > c.txt'], {
    repo_dir: 'repos/app',
  })
  expect(texts[0]).toContain('[a.txt was not written: it has changed]')
  expect(texts[0]).toContain('[b.txt was not removed: it has changed]')
  const files = await world.objects.list(`${TENANT}/files/repos/app/`)
  const bodies = await Promise.all(files.objects.map(({ key }) => world.objects.get(key)))
  expect(bodies.map((body) => new TextDecoder().decode(body!.body))).toEqual([
    'theirs',
    'theirs',
    'new\n',
  ])
})

it('a folder beyond a command’s file limit is refused before anything runs', async () => {
  const { world, run } = await shellWorld({ run: () => Promise.reject(new Error('it ran')) })
  const many = Array.from({ length: LIMITS.shell_files + 1 }, (_, at) => [`repos/app/${at}`, 'x'])
  await putFiles(world, Object.fromEntries(many))
  const { texts } = await run(['ls'], { repo_dir: 'repos/app' })
  expect(texts[0]).toContain(`more than ${LIMITS.shell_files} files`)
})

it('the shell’s files and state are deleted with the run', async () => {
  const { world, run } = await shellWorld()
  const { id } = await run(['export A=1; echo x > a.txt'])
  const left = async () => (await world.objects.list(`${TENANT}/`)).objects.map(({ key }) => key)
  expect((await left()).filter((key) => key.includes(id))).toHaveLength(2)
  const { head } = await look(world, id)
  expect(await deleteTree(world, `${TENANT}/run/${id}`, head)).toBe(true)
  expect((await left()).filter((key) => key.includes(id))).toEqual([])
})

it('a machine is described as one, and offers long-running processes along with commands', async () => {
  const offered = async (more: object) => {
    const world = testWorld({ shell: { run: runShell }, ...more })
    await runToRest(world, { input: '@say x', tools: ['Bash'] })
    return requestsOf(world)[0]!.tools
  }
  const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)
  const here = await offered({})
  expect(names(here)).toEqual(['shell_execute'])
  expect(here[0]!.description).toContain('no network, machine programs')
  const there = await offered({ processes: { owners: () => [] } })
  const family = ['shell_execute', 'shell_start', 'shell_read', 'shell_write', 'shell_kill']
  expect(names(there)).toEqual(family)
  expect(there[0]!.description).toContain("in a machine's sandbox with its programs")
})

it('a skill of another layer is available to a command that names its folder, and stays unchanged', async () => {
  const { world, run } = await shellWorld()
  const folder = 'base/.agents/skills/deploy'
  await putFiles(world, {
    [`${folder}/SKILL.md`]: '---\nname: deploy\ndescription: d\n---\nx',
    [`${folder}/scripts/x.sh`]: 'echo ran; echo y > $1',
  })
  const { texts } = await run([
    `sh ${folder}/scripts/x.sh out.txt`,
    `echo z > ${folder}/new.sh`,
    'ls',
  ])
  expect(texts[0]).toContain('ran')
  expect(texts[1]).toContain('EROFS: read-only file system')
  expect(texts[2]).toContain('out.txt')
  expect(texts[2]).not.toContain('base')
})

it('a skill opened by a person is available without being named', async () => {
  const { world } = await shellWorld()
  const script = scriptModel()
  const command = 'cat base/.agents/skills/*/a.txt; cat "$CLAUDE_SKILL_DIR/a.txt"'
  const text = `@call shell_execute ${JSON.stringify({ command })}\n@then\n@say done`
  const model: Model = {
    ...script,
    respond: (request, options) =>
      script.respond(
        { ...request, messages: [{ role: 'user', text }, ...request.messages] },
        options,
      ),
  }
  const files = 'base/.agents/skills/deploy'
  await putFiles(world, {
    [`${files}/SKILL.md`]: '---\nname: deploy\ndescription: d\n---\nx',
    [`${files}/a.txt`]: 'its data;',
  })
  const done = await runToRest({ ...world, model }, { input: '/deploy' })
  const result = (await factsOf(world, done.state.spec!.id)).find(
    ({ type }) => type === 'tool.result',
  )
  expect((result as { text: string }).text).toContain('its data;its data;')
})

it('a skill too large for a command is left out, and the others are available', async () => {
  const { world, run } = await shellWorld()
  const files = 'base/.agents/skills/deploy'
  await putFiles(world, {
    [`${files}/SKILL.md`]: '---\nname: deploy\ndescription: d\n---\nx',
    [`${files}/a.bin`]: 'x'.repeat(LIMITS.shell_bytes),
  })
  const { texts } = await run([`ls ${files}; echo ran`])
  expect(texts[0]).toContain('[The files of the skill deploy are not available: ')
  expect(texts[0]).toContain('ran')
})
