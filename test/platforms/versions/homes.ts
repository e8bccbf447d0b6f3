/**
 * Homes whose program is exchanged while their storage stays: each tree is started as a process of
 * its own, with its own code to the last file.
 */

import { type Started, startNode } from '../../../examples/demo/process.ts'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { newPlace, startLocalAws } from '../../support/aws/all.ts'
import { type Client, clientOf, MAIN, type Open, temporaryFolder } from '../../support/launch.ts'
import type { Tree } from './tree.ts'

export const HOMES = ['node', 'aws', 'cloudflare'] as const
export type HomeName = (typeof HOMES)[number]

export interface Home {
  readonly name: string
  /** Both versions are at work for a while, as in a deployment that replaces one by one. */
  readonly isShared: boolean
  /** Starts this version; the storage is the one of those before it. */
  start(tree: Tree): Promise<Running>
}
export interface Running extends Client {
  stop(): Promise<void>
  /** Of the process alone: nothing of it has time for anything. */
  kill(): Promise<void>
}

type Env = Readonly<Record<string, string>>

/** What every home is told. */
const usual = (): Env => {
  const { key } = newKey((count) => crypto.getRandomValues(new Uint8Array(count)))
  return {
    PATH: process.env.PATH ?? '',
    ALLOW_LOOPBACK: 'true',
    OPENAI_API_KEY: 'none',
    STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
    STRATA_ADMIN_KEY: key,
    // So few that a fan-out is not over at once.
    LANE_SUBAGENT: '3',
  }
}

/** The program's process, and how it is known to be ready. */
async function running(started: Started, key: string): Promise<Running> {
  const [, url = ''] = await started.line(/listens on (\S+)\s/)
  const kill = () => started.stop('SIGKILL')
  return { ...clientOf(url, key), stop: () => started.stop(), kill }
}

async function server(of: Pick<Home, 'name' | 'isShared'>, env: Env, open: Open): Promise<Home> {
  const all: Env = { ...usual(), ...env, PORT: '0', WARM_UP: 'false' }
  const home = await temporaryFolder(open)
  return {
    ...of,
    start({ folder }) {
      const own = { ...all, DATA_DIR: home }
      const started = startNode([MAIN, 'serve'], { cwd: folder, env: own })
      open.push(() => started.stop('SIGKILL'))
      return running(started, all.STRATA_ADMIN_KEY ?? '')
    },
  }
}

const nodeHome = (env: Env, open: Open): Promise<Home> =>
  server({ name: 'Node: SQLite and a folder', isShared: false }, env, open)

async function awsHome(env: Env, open: Open): Promise<Home> {
  const aws = await startLocalAws()
  open.push(aws.stop)
  const place = await newPlace(aws.urls)
  const storage = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs' }
  const of = { name: 'AWS: DynamoDB, S3 and SQS', isShared: true }
  return server(of, { ...env, ...place.env, ...storage }, open)
}

/** Runs in the tree's folder: its own migrations, its own bundle. */
const WORKER = `
  const { migrateLocally, startWorker } = await import(process.cwd() + '/test/support/worker.ts')
  const { vars, data } = JSON.parse(process.env.STRATA_WORKER)
  await migrateLocally(data)
  const worker = await startWorker(vars, data)
  process.once('SIGTERM', () => worker.stop().then(() => process.exit(0)))
  console.log('listens on ' + worker.url + ' ')`

async function cloudflareHome(env: Env, open: Open): Promise<Home> {
  const { PATH = '', ...vars }: Env = { ...usual(), ...env }
  const data = await temporaryFolder(open)
  return {
    name: 'Cloudflare: the Worker in workerd',
    isShared: false,
    start({ folder }) {
      const own = { PATH, HOME: data, STRATA_WORKER: JSON.stringify({ vars, data }) }
      const started = startNode(['--input-type=module', '--eval', WORKER], {
        cwd: folder,
        env: own,
      })
      open.push(() => started.stop('SIGKILL'))
      return running(started, vars.STRATA_ADMIN_KEY ?? '')
    },
  }
}

const MAKE: Readonly<Record<HomeName, (env: Env, open: Open) => Promise<Home>>> = {
  node: nodeHome,
  aws: awsHome,
  cloudflare: cloudflareHome,
}

/** Returns the platform of this name, with storage of its own. */
export const openHome = (name: HomeName, env: Env, open: Open): Promise<Home> =>
  MAKE[name](env, open)
