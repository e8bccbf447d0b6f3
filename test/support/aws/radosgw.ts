/**
 * A real S3 on this machine: Ceph's gateway (Debian's `radosgw` with one monitor and one store in
 * memory), because it keeps conditional writes. Servers that ignore them would prove nothing.
 *
 *   apt-get install -y --no-install-recommends ceph-mon ceph-osd radosgw ceph-common
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '../../../examples/demo/process.ts'
import { CREDENTIALS, type Local, stopProcess, until } from './local.ts'

const run = promisify(execFile)

export async function startRadosgw(): Promise<Local> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-ceph-'))
  const children: ChildProcess[] = []
  const start = (program: string, ...args: string[]): ChildProcess => {
    const child = spawn(program, ['-c', join(folder, 'ceph.conf'), ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    return child
  }
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) await stopProcess(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const ports = { mon: await freePort(), rgw: await freePort() }
    await configure(folder, ports)
    await startCluster(folder, ports.mon, start)
    const url = `http://127.0.0.1:${ports.rgw}`
    const gateway = start('radosgw', '-f', '-n', 'client.admin', '--no-mon-config')
    await until('radosgw', gateway, async () => (await fetch(url)).ok)
    const { accessKeyId, secretAccessKey } = CREDENTIALS
    const user = ['user', 'create', '--uid=local', '--display-name=local']
    const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
    await run('radosgw-admin', ['-c', join(folder, 'ceph.conf'), ...user, ...keys])
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function configure(folder: string, ports: { mon: number; rgw: number }): Promise<void> {
  await Promise.all(['mon', 'osd', 'run'].map((name) => mkdir(join(folder, name))))
  const lines = [
    '[global]',
    `fsid = ${randomUUID()}`,
    `mon_host = v2:127.0.0.1:${ports.mon}`,
    'auth_cluster_required = none',
    'auth_service_required = none',
    'auth_client_required = none',
    'ms_mon_client_mode = crc',
    'ms_cluster_mode = crc',
    'ms_service_mode = crc',
    'ms_client_mode = crc',
    'osd_pool_default_size = 1',
    'osd_pool_default_min_size = 1',
    'osd_pool_default_pg_num = 1',
    'osd_pool_default_pgp_num = 1',
    'osd_crush_chooseleaf_type = 0',
    'mon_allow_pool_size_one = true',
    'mon_warn_on_pool_no_redundancy = false',
    'mon_data_avail_crit = 1',
    'osd_objectstore = memstore',
    'memstore_device_bytes = 1073741824',
    'public_addr = 127.0.0.1',
    'cluster_addr = 127.0.0.1',
    `mon_data = ${folder}/mon`,
    `osd_data = ${folder}/osd`,
    `run_dir = ${folder}/run`,
    `admin_socket = ${folder}/run/$name.$pid.asok`,
    `pid_file = ${folder}/run/$name.pid`,
    'log_to_stderr = true',
    'err_to_stderr = true',
    'log_file = /dev/null',
    'mon_cluster_log_file = /dev/null',
    `rgw_frontends = beast endpoint=127.0.0.1:${ports.rgw}`,
    'rgw_data = /tmp',
  ]
  await writeFile(join(folder, 'ceph.conf'), `${lines.join('\n')}\n`)
}

async function startCluster(
  folder: string,
  port: number,
  start: (program: string, ...args: string[]) => ChildProcess,
): Promise<void> {
  const conf = ['-c', join(folder, 'ceph.conf')]
  const map = join(folder, 'monmap')
  const fsid = (await run('ceph-conf', [...conf, '--lookup', 'fsid'])).stdout.trim()
  const address = `[v2:127.0.0.1:${port}]`
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, map])
  await run('ceph-mon', [...conf, '--mkfs', '-i', 'a', '--monmap', map])
  const mon = start('ceph-mon', '-f', '-i', 'a')
  const ceph = (...args: string[]) => run('ceph', [...conf, '--connect-timeout', '30', ...args])
  await until('ceph-mon', mon, async () => (await ceph('mon', 'stat')).stdout !== '')
  const uuid = randomUUID()
  await ceph('osd', 'new', uuid)
  await run('ceph-osd', [...conf, '-i', '0', '--mkfs', '--osd-uuid', uuid])
  const osd = start('ceph-osd', '-f', '-i', '0')
  await until('ceph-osd', osd, async () => /1 up/.test((await ceph('osd', 'stat')).stdout))
}

/** A client of the local server. */
export const s3Client = (url: string): S3Client =>
  new S3Client({
    endpoint: url,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

export async function createBucket(url: string, name: string): Promise<void> {
  const client = s3Client(url)
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
}
