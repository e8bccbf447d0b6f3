/**
 * What the machine refuses: a full disk, no more file handles, a folder nobody can write, a damaged
 * database, a key that is gone. Requests get 503 with `Retry-After` and a process that lives on;
 * a start gets one sentence. The full and the read-only disk are real ones, in memory.
 */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startNode } from '../../examples/demo/process.ts'
import { cleanup } from '../support/cleanup.ts'
import { isMeasuring } from '../support/full.ts'
import { measured } from '../support/measured.ts'
import { measuredProcess } from '../support/measured-process.ts'
import { startModelServer } from '../support/model-server.ts'
import { problem } from '../support/problem.ts'
import { MAIN, type Server, startServer, temporaryFolder, untilEnd } from '../support/server.ts'

/** A disk of its own in memory; undefined where this process may mount none. */
async function disk(megabytes: number): Promise<string | undefined> {
  const folder = await temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  cleanup.push(async () => execFileSync('umount', ['-l', folder]))
  return folder
}

const mayMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** The sentence on which a start ends. */
async function refused(dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const started = startNode([MAIN, 'serve'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: dataDir, ...env },
  })
  const [code] = await once(started.child, 'exit')
  return { code, said: started.output().trim() }
}

const stopped = async (server: Server): Promise<void> => {
  await server.process.stop('SIGTERM')
}

it.skipIf(!mayMount && !process.env.CI)(
  'a full disk returns 503 with Retry-After, even under an Idempotency-Key, and no loop spins',
  async () => {
    const dataDir = await disk(12)
    if (dataDir === undefined) throw new Error('no file system could be mounted')
    const model = await startModelServer()
    cleanup.push(model.close)
    const started = await startServer({ env: { DATA_DIR: dataDir, OPENAI_BASE_URL: model.url } })
    const server = { ...started, dataDir }
    // The last line of a start: what is tested is a server that is up, not one that starts.
    await server.process.line(/^Next: /m)
    const ballast = join(dataDir, 'ballast')
    // Whatever is left.
    expect(() => {
      for (let size = 4_194_304; size >= 512; size /= 2) {
        for (;;) {
          try {
            writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
          } catch {
            break
          }
        }
      }
    }).not.toThrow()
    const create = (key: string, path = '/v1/runs', json: object = { input: '@say hi' }) =>
      server.ask(path, { method: 'POST', json, headers: { 'idempotency-key': key } })
    // The log of the database has pages that it may use again: so many that they run out.
    let full: Response | undefined
    for (let count = 0; count < 400 && !full; count += 1) {
      const answer = await create(`filling-${count}`)
      if (answer.status !== 202) full = answer
    }
    expect(full?.status).toBe(503)
    expect(full?.headers.get('retry-after')).toBeTruthy()
    const refuseAll = async () => {
      for (const [path, json] of [
        ['/v1/runs', { input: 'x' }],
        ['/v1/fanouts', { tasks: [{ task: 'x' }] }],
        ['/v1/sessions', {}],
      ] as const) {
        const answer = await create('one-key-of-a-full-disk', path, json)
        expect((await problem(answer, 503)).code).toBe('unavailable')
      }
      const body = 'x'.repeat(60_000)
      const put = await server.ask('/v1/files/base/a.txt', { method: 'PUT', body })
      expect((await problem(put, 503)).code).toBe('unavailable')
    }
    await measured('four refusals on a full disk', refuseAll, { wallMs: 30_000 })
    const { pid } = server.process
    const rest = () => sleep(isMeasuring ? 2_000 : 0)
    await measuredProcess('a server on a full disk at rest', pid, rest, { cpuMs: 1_000 })
    rmSync(ballast)
    const made = (await (await create('filling-after')).json()) as { id: string }
    expect((await untilEnd(server, made.id)).status).toBe('completed')
    await stopped(server)
  },
)

it('exhausted file handles return 503 with Retry-After until handles are free again', async () => {
  const server = await startServer()
  await server.ask('/v1/files/base/a.txt', { method: 'PUT', body: 'x' })
  const handles = readdirSync(`/proc/${server.process.pid}/fd`).length
  // A few are left for connections, none for files.
  const limit = (most: number) =>
    execFileSync('prlimit', [`--pid=${server.process.pid}`, `--nofile=${most}:`])
  limit(handles + 1)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      server
        .ask('/v1/files/base/b.txt', { method: 'PUT', body: 'y', keepalive: true })
        .catch(() => undefined),
    ),
  )
  const said = answers.filter((one) => one !== undefined)
  for (const one of said) {
    expect([503, 201]).toContain(one.status)
    if (one.status === 503) expect(one.headers.get('retry-after')).toBeTruthy()
  }
  expect(said.some(({ status }) => status === 503)).toBe(true)
  limit(4_096)
  expect((await server.ask('/v1/files/base/b.txt', { method: 'PUT', body: 'z' })).ok).toBe(true)
})

it('data and database are readable only by their owner, even in a folder that was open before', async () => {
  const dataDir = await temporaryFolder()
  chmodSync(dataDir, 0o777)
  const server = await startServer({ env: { DATA_DIR: dataDir } })
  await server.ask('/v1/files/base/a.txt', { method: 'PUT', body: 'x' })
  const open: string[] = []
  const walk = (path: string): void => {
    const stats = statSync(path)
    if ((stats.mode & 0o077) !== 0 && !path.startsWith(join(dataDir, 'objects/'))) open.push(path)
    if (stats.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name))
  }
  walk(dataDir)
  expect(open).toEqual([])
  await stopped(server)
})

it('a missing master.key beside a database stops the start and explains what to do', async () => {
  const server = await startServer()
  await stopped(server)
  rmSync(join(server.dataDir, 'master.key'))
  const { code, said } = await refused(server.dataDir)
  expect(code).toBe(1)
  expect(said).toMatch(
    /^strata: \S+master\.key is missing from the folder of strata\.db; .*STRATA_MASTER_KEY/,
  )
  expect(readdirSync(server.dataDir)).not.toContain('master.key')
})

it('a damaged database is reported as damaged', async () => {
  const server = await startServer()
  await stopped(server)
  writeFileSync(join(server.dataDir, 'strata.db'), 'x'.repeat(8_192))
  const { code, said } = await refused(server.dataDir)
  expect(code).toBe(1)
  expect(said).toMatch(/^strata: \S+strata\.db is damaged or is not a SQLite database .*backup/)
})

it.skipIf(!mayMount && !process.env.CI)('a read-only folder is reported as read-only', async () => {
  const dataDir = await disk(4)
  if (dataDir === undefined) throw new Error('no file system could be mounted')
  execFileSync('mount', ['-o', 'remount,ro', dataDir])
  const { code, said } = await refused(dataDir)
  expect(code).toBe(1)
  expect(said).toMatch(/^strata: \S+ is not writable \(EROFS.*\)\. Make it writable/)
  expect(said.split('\n')).toHaveLength(1)
})

it('a file in place of the data folder is reported as such', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a/data'), '')
  const { code, said } = await refused(join(folder, 'a/data'))
  expect([code, said.split('\n').length]).toEqual([1, 1])
  expect(said).toMatch(/is not writable \(E(EXIST|NOTDIR)/)
})
