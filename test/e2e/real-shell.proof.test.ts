/**
 * `ALLOW_SHELL`: commands in a sandbox of the machine. Where this machine makes no sandboxes the
 * tests are skipped by name.
 */

import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allowCommands, resultsOf } from '../contract/host-shell.ts'
import { cleanup } from '../support/cleanup.ts'
import { measuredProcess } from '../support/measured-process.ts'
import { startModelServer } from '../support/model-server.ts'
import { noSandbox } from '../support/sandbox.ts'
import { type Server, startServer, temporaryFolder } from '../support/server.ts'
import {
  FOLDER,
  OPEN,
  resultsOf as resultsOfSkill,
  seen,
  withSkill,
} from '../support/skill-scripts.ts'

async function serverWith(env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const model = await startModelServer()
  cleanup.push(model.close)
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
  it('runs the scripts of an opened skill, which are read-only', async () => {
    const api = await withSkill({ ALLOW_SHELL: 'true', PATH: process.env.PATH ?? '' })
    await seen(api)
    const { results } = await resultsOfSkill(api, OPEN, [
      `${FOLDER}/scripts/plain.sh`,
      `touch ${FOLDER}/new; chmod 777 ${FOLDER}/data.txt; mv ${FOLDER} /work/x`,
    ])
    expect(results[1]!.text).toContain('plain')
    expect(results[2]!.text).toMatch(/touch: .*Read-only file system/)
    expect(results[2]!.text).not.toContain('files written')
  })

  it('runs programs of the machine over the files of the run, and keeps their changes', async () => {
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
    const which = "[this machine's bash, in a sandbox without a network]"
    expect(made!.text).toBe(`exit code: 0; 1 files written\n${which}\nstdout:\n/work/src`)
    expect(used!.text).toBe(`exit code: 0; 1 files written, 1 removed\n${which}\nstdout:\n42`)
    expect(state!.text).toBe(`exit code: 0\n${which}\nstdout:\not ter in /work/src\na.tar`)
    expect(wrong).toMatchObject({ status: 'error' })
    expect(wrong!.text).toContain('exit code: 1\n')
    expect(reserved!.text).toContain('.agents/config.toml was not written: reserved_path')
    expect(reserved!.text).toContain('[1 links and special files were omitted]')
    expect(await leftFolders(server)).toEqual([])
  })

  it('sees nothing of the server, the machine, or a network, and writes nowhere else', async () => {
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

  it('ends a harmful program alone with the reason, and the run continues', async () => {
    const server = await serverWith()
    await allowCommands(server)
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
    const act = () =>
      resultsOf(server, [
        ...harmful.map((command) => [command, 5] as const),
        ['rm -rf / --no-preserve-root 2>/dev/null; echo still', 60],
        'echo over',
      ])
    const { pid } = server.process
    const found = await measuredProcess('harmful commands', pid, act, { megabytes: 500 })
    expect(found[0]!.text).toContain('the deadline of 5 s passed')
    expect(found[1]!.text).toContain('Resource temporarily unavailable')
    expect(found[2]!.text).toMatch(
      /more than (2000 files|20000 files and folders); none was stored/,
    )
    expect(found[3]!.text).toContain('bytes of memory; no file was changed')
    expect(found[4]!.text).toContain('it printed more than')
    expect(found[5]!.text).toMatch(/bytes of disk|more than 16777216 bytes|File size limit/)
    expect(found[6]!.text).toContain('exit code: 124; 1 files written')
    for (const { status } of found.slice(0, 7)) expect(status).toBe('error')
    expect(found[7]!.text).toContain('still')
    expect(found[8]!.text).toContain('over')
    expect(await leftFolders(server)).toEqual([])
    expect(await readdir('/usr/bin')).toContain('bash')
  })
})
