/**
 * `ALLOW_SHELL`: commands in a sandbox of the machine, and a server without one, which says so and
 * runs none. Where this machine makes no sandboxes the tests that need one are skipped by name.
 */

import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allowCommands, resultsOf } from '../contract/host-shell.ts'
import { startModelServer } from '../support/model-server.ts'
import { problem } from '../support/problem.ts'
import { noSandbox } from '../support/sandbox.ts'
import { runToEnd, type Server, startServer, temporaryFolder } from '../support/server.ts'

async function serverWith(env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const model = await startModelServer()
  return startServer({
    env: {
      OPENAI_BASE_URL: model.url,
      ALLOW_SHELL: 'true',
      CANARY: 'variable-of-the-server',
      ...env,
    },
  })
}

const leftFolders = async (server: Server): Promise<string[]> => {
  const names = await readdir(tmpdir())
  return names.filter((name) => name.startsWith(`strata-shell-${server.process.child.pid}-`))
}

const lacksOf = async (server: Server): Promise<Record<string, string>> => {
  const { lacks } = await server.get<{ lacks: Record<string, string> }>('/v1/resolve', {
    method: 'POST',
    json: {},
  })
  return lacks
}

describe.skipIf(noSandbox)(`a real shell${noSandbox ? `: ${noSandbox}` : ''}`, () => {
  it('runs programs of the machine over the files of the run, and what it changed is kept', async () => {
    const server = await serverWith()
    expect(Object.keys(await lacksOf(server))).not.toContain('shell_execute')
    await allowCommands(server)
    const [made, used, state, wrong, reserved] = await resultsOf(server, [
      'mkdir -p src && printf "#!/bin/sh\\necho $((6 * 7))\\n" > src/a.sh && export NAME="ot ter" && cd src && pwd',
      'chmod +x a.sh && ./a.sh && tar -cf a.tar a.sh && rm a.sh',
      'echo "$NAME in $PWD"; ls',
      'cat nothing.txt',
      'mkdir -p /work/.agents && echo x > /work/.agents/config.toml; ln -s /etc/shadow /work/s',
    ])
    const which = '[bash of this machine, in a sandbox without a network]'
    expect(made!.text).toBe(`exit code: 0; 1 files written\n${which}\nstdout:\n/work/src`)
    expect(used!.text).toBe(`exit code: 0; 1 files written, 1 removed\n${which}\nstdout:\n42`)
    expect(state!.text).toBe(`exit code: 0\n${which}\nstdout:\not ter in /work/src\na.tar`)
    expect(wrong).toMatchObject({ status: 'error' })
    expect(wrong!.text).toContain('exit code: 1\n')
    expect(reserved!.text).toContain('.agents/config.toml was not written: reserved_path')
    expect(reserved!.text).toContain('[1 links and special files were not kept]')
    expect(await leftFolders(server)).toEqual([])
  })

  it('sees nothing of the server, of the machine or of a network, and writes nowhere else', async () => {
    const server = await serverWith()
    await allowCommands(server)
    const outside = join(await temporaryFolder(), 'outside.txt')
    writeFileSync(outside, 'as it was')
    const [variables, files, net, write, processes, rights] = await resultsOf(server, [
      'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"',
      `ls / /root /home /etc; cat ${outside} ${server.dataDir}/master.key /etc/passwd; ls ${process.cwd()}`,
      `grep -c : /proc/net/dev; (exec 3<>/dev/tcp/127.0.0.1/${new URL(server.url).port}) 2>&1`,
      `echo changed > ${outside}; touch /x /usr/x /etc/x /dev/x /run/strata/command`,
      'ls /proc | grep -c "^[0-9]"',
      'grep -E "CapEff|NoNewPrivs" /proc/self/status; unshare -U id',
    ])
    expect(variables!.text).not.toContain('variable-of-the-server')
    expect(variables!.text).not.toContain('STRATA')
    expect(files!.text).not.toContain('as it was')
    for (const gone of [outside, 'master.key', '/etc/passwd', process.cwd(), '/root', '/home'])
      expect(files!.text).toMatch(new RegExp(`${gone}'?: No such file|cannot access '${gone}`))
    expect(net!.text).toMatch(/stdout:\n1\n(?:.*\n)*.*(?:refused|unreachable)/)
    expect(write!.text).not.toContain('exit code: 0')
    expect(write!.text.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(4)
    expect(await readFile(outside, 'utf8')).toBe('as it was')
    expect(Number(processes!.text.split('\n').at(-1))).toBeLessThan(6)
    expect(rights!.text).toMatch(/CapEff:\s0000000000000000\nNoNewPrivs:\s1/)
  })

  it('what does harm ends alone, says why, and the run goes on', async () => {
    const server = await serverWith()
    await allowCommands(server)
    const before = memoryOf(server)
    const harmful = [
      'while true; do :; done',
      ':(){ :|:& };:; sleep 60',
      'seq 1 100000 | xargs touch',
      "for n in 1 2 3 4 5 6 7 8; do (x=$(head -c 50000000 /dev/zero | tr '\\0' x); sleep 60) & done; wait",
      'yes',
      'head -c 900000000 /dev/zero > big; head -c 900000000 /dev/zero > more; sleep 60',
      'echo kept > kept.txt; sleep 60',
    ]
    // What may not end in 5 seconds, and what only a slow machine does not end by then.
    const found = await resultsOf(server, [
      ...harmful.map((command) => [command, 5] as const),
      ['rm -rf / --no-preserve-root 2>/dev/null; echo still', 60],
      'echo over',
    ])
    expect(found[0]!.text).toContain('the deadline of 5 s was over')
    expect(found[1]!.text).toContain('Resource temporarily unavailable')
    expect(found[2]!.text).toMatch(/more than (2000 files|20000 files and folders): none of them/)
    expect(found[3]!.text).toContain('bytes of memory; no file was changed')
    expect(found[4]!.text).toContain('it printed more than')
    expect(found[5]!.text).toMatch(/bytes of disk|more than 16777216 bytes|File size limit/)
    expect(found[6]!.text).toContain('exit code: 124; 1 files written')
    for (const { status } of found.slice(0, 7)) expect(status).toBe('error')
    expect(found[7]!.text).toContain('still')
    expect(found[8]!.text).toContain('over')
    expect(memoryOf(server) - before).toBeLessThan(300_000)
    expect(await leftFolders(server)).toEqual([])
    expect(await readdir('/usr/bin')).toContain('bash')
  })
})

/** Kilobytes that the server itself had at the most. */
function memoryOf({ process: { child } }: Server): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1])
}

describe('a server that may run commands and has no sandbox', () => {
  const refused = async (env: Readonly<Record<string, string>>, why: string): Promise<void> => {
    const server = await serverWith(env)
    const said = server.process.output()
    expect(said).toContain('warning: ALLOW_SHELL is set, and there is no sandbox: ')
    expect(said).toContain(why)
    expect((await lacksOf(server)).shell_execute).toContain(why)
    const named = { input: '@say x', tools: ['Bash'] }
    const answer = await server.ask('/v1/runs', { method: 'POST', json: named })
    expect(await problem(answer, 422)).toMatchObject({ code: 'tool_unavailable' })
    const run = await runToEnd(server, { input: '@call shell_execute {"command":"ls"}\n@say x' })
    expect(run.status).toBe('completed')
    const events = await (await server.ask(`/v1/runs/${run.id}/events?limit=100`)).text()
    expect(events).toContain(why)
  }

  it('starts, and says that bubblewrap is not installed', async () => {
    const folder = await temporaryFolder()
    symlinkSync(process.execPath, join(folder, 'node'))
    await refused({ PATH: folder }, 'bwrap is not installed (bubblewrap)')
  })

  it('starts, and says why bubblewrap does not work', async () => {
    const folder = await temporaryFolder()
    // Also for the user whom a server of root lets run commands.
    chmodSync(folder, 0o755)
    const said = 'bwrap: No permissions to create a new namespace'
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\necho "${said}" >&2\nexit 1\n`, { mode: 0o755 })
    await refused({ PATH: `${folder}:${process.env.PATH}` }, said)
  })
})
