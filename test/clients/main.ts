/**
 * `node test/clients/main.ts`: clients that generators make of openapi.yaml, and official clients of
 * others. Generated code is made anew, type-checked with a small program for each, and every program
 * speaks to the real server. With `--workers` the official ones speak to the Worker as it is bundled, in
 * workerd; with `--lambda` to the Lambda functions on local emulators. Names choose programs. The clients have a package of their own here, since a
 * generator needs an older TypeScript.
 */

import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { newKey } from '../../src/engine/tenant/api-keys.ts'
import { type Answer, answer, type WireRequest } from '../../src/testing/model-script.ts'
import { installed } from '../support/install.ts'
import { launchServer, type Open, temporaryFolder } from '../support/launch.ts'
import { startModelServer } from '../support/model-server.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../support/worker.ts'
import type { Given, Message } from './given.ts'

const HERE = import.meta.dirname
const MADE = '.generated'
const CONTRACT = '../../openapi.yaml'
const GENERATED = ['openapi-fetch', 'hey-api', 'orval']
/** Of others, unmodified, against the APIs that they know. */
const OFFICIAL = ['openai', 'openai-fanout', 'mcp', 'cloudevents', 'a2a', 'ag-ui', 'oidc']

/** Runs a program of this folder's package, or of the repository; what it says is shown when it fails. */
function run(program: string, ...args: string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: HERE,
    encoding: 'utf8',
    env: { ...process.env, CI: '1', DO_NOT_TRACK: '1', ORVAL_TELEMETRY_DISABLED: '1' },
  })
  if (error) throw error
  if (status === 0) return
  throw new Error(`${[program, ...args].join(' ')} failed (${status}):\n${stdout}${stderr}`)
}
const local = (name: string, ...args: string[]): void =>
  run(process.execPath, join('node_modules', name), ...args)

async function make(): Promise<void> {
  installed(HERE)
  await rm(join(HERE, MADE), { recursive: true, force: true })
  local('openapi-typescript/bin/cli.js', CONTRACT, '-o', `${MADE}/openapi-typescript.ts`)
  const hey = ['-i', CONTRACT, '-o', `${MADE}/hey-api`, '-c', '@hey-api/client-fetch']
  local('@hey-api/openapi-ts/bin/run.js', ...hey, '--no-log-file')
  local('orval/dist/bin/orval.mjs', '--config', 'orval.config.ts')
}

/** Generated imports have no endings: the programs run as bundles. */
async function bundled(name: string): Promise<(given: Given) => Promise<void>> {
  const out = `${MADE}/${name}.mjs`
  const how = ['--bundle', '--packages=external', '--format=esm', '--log-level=error']
  run(join('node_modules', '.bin', 'esbuild'), `programs/${name}.ts`, ...how, `--outfile=${out}`)
  const { default: story } = (await import(join(HERE, out))) as {
    default: (given: Given) => Promise<void>
  }
  return story
}

/** Takes webhooks and hands them over in their order. */
async function startReceiver(open: Open): Promise<Pick<Given, 'receiver' | 'webhook' | 'message'>> {
  const came: Message[] = []
  let wake = (): void => {}
  const server = createServer(async (request, response) => {
    came.push({ headers: request.headers, body: await text(request) })
    response.writeHead(204).end()
    wake()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => server.close())
  const message = async (): Promise<Message> => {
    while (came.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return came.shift()!
  }
  const { port } = server.address() as AddressInfo
  const webhook = async (): Promise<unknown> => JSON.parse((await message()).body)
  return { receiver: `http://127.0.0.1:${port}/`, webhook, message }
}

/** Origin on loopback at which a program can listen. */
async function freeOrigin(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://localhost:${port}`
}

/** A program that waits for what never comes is a failure with a name. */
async function inTime(name: string, story: Promise<void>): Promise<void> {
  const expiry = new AbortController()
  const late = delay(180_000, undefined, { signal: expiry.signal }).then(() => {
    throw new Error(`${name} was not over after 180 s`)
  })
  await Promise.race([story, late]).finally(() => expiry.abort())
}

/** `{attempt}` in an answer counts the requests with the same conversation, from 1. */
function counted(): (request: WireRequest) => Answer {
  const attempts = new Map<string, number>()
  return (request) => {
    const scripted = answer(request)
    if (!scripted.text.includes('{attempt}')) return scripted
    const key = JSON.stringify(request.messages)
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    return { ...scripted, text: scripted.text.replaceAll('{attempt}', String(attempt)) }
  }
}

type Env = Readonly<Record<string, string>>

async function startWorkers(open: Open, env: Env): Promise<Pick<Given, 'url' | 'key'>> {
  const folder = await temporaryFolder(open)
  await migrateLocally(folder)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const vars = { ...SCRIPTED, STRATA_ADMIN_KEY: key, ...env }
  const { url, stop } = await startWorker(vars, folder)
  open.push(stop)
  return { url, key }
}

/** The functions between DynamoDB Local, a local S3, and an SQS. */
async function startFunctions(open: Open, env: Env): Promise<Pick<Given, 'url' | 'key'>> {
  const { newPlace, startLocalAws } = await import('../support/aws/all.ts')
  const { startLambda } = await import('../support/aws/lambda.ts')
  const { sqsClient } = await import('../support/aws/sqs.ts')
  const aws = await startLocalAws()
  open.push(aws.stop)
  const place = await newPlace(aws.urls)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  // The SDK reads its own settings from the process.
  Object.assign(process.env, place.env)
  const vars = { ...SCRIPTED, ...place.env, STRATA_ADMIN_KEY: key, ...env }
  const client = sqsClient(aws.urls.sqs)
  open.push(async () => client.destroy())
  const { url, stop } = await startLambda(vars, client, place.queues)
  open.push(stop)
  return { url, key }
}

async function start(
  home: string | undefined,
  open: Open,
  env: Env,
): Promise<Pick<Given, 'url' | 'key'>> {
  if (home === '--workers') return startWorkers(open, env)
  return home === '--lambda' ? startFunctions(open, env) : launchServer({ open, env })
}

async function main(args: readonly string[]): Promise<void> {
  const open: Open = []
  const home = args.find((arg) => arg.startsWith('--'))
  if (home !== undefined && !['--workers', '--lambda'].includes(home))
    throw new Error(`there is no ${home}; there are --workers and --lambda`)
  const named = args.filter((arg) => !arg.startsWith('--'))
  const all = home ? OFFICIAL : [...GENERATED, ...OFFICIAL]
  const chosen = named.length === 0 ? all : all.filter((name) => named.includes(name))
  try {
    await make()
    run(process.execPath, '../../node_modules/typescript/bin/tsc', '-p', 'programs')
    const model = await startModelServer({ script: counted() })
    open.push(model.close)
    const issuer = await freeOrigin()
    const trusted = { issuer, audience: 'https://agents.example', tenant_claim: 'org' }
    const env = { OPENAI_BASE_URL: model.url, OIDC_ISSUERS: JSON.stringify([trusted]) }
    const { url, key } = await start(home, open, env)
    const receiver = await startReceiver(open)
    for (const name of chosen) {
      await inTime(name, (await bundled(name))({ url, key, issuer, ...receiver }))
      console.log(`${name}: ok`)
    }
  } finally {
    for (const close of open.reverse()) await close()
  }
}

await main(process.argv.slice(2))
