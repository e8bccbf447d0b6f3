/**
 * `node test/platforms/versions/main.ts`: two versions of the program, one after the other, on the same data. The
 * old one begins runs of every kind, the new one takes them over, begins its own, and is rolled back
 * while those are under way; then it comes back. Nothing may be lost or doubled.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { answer, type WireRequest } from '../../../src/testing/model-script.ts'
import { startCannedServer } from '../../support/canned-server.ts'
import type { Open } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { command, given, WrongUse } from '../../support/options.ts'
import { HOMES, type HomeName, openHome, type Running } from './homes.ts'
import { lastRelease, type Tree, thisTree, treeOf, treeOfTomorrow } from './tree.ts'
import { approve, askForWrites, begin, faultsOf, rest, until } from './work.ts'

/** So long both versions are at work where they can be. */
const BESIDE_MS = 3_000

const USAGE = `
node test/platforms/versions/main.ts [--home ${HOMES.join('|')}] [--from REF | --guard]

  --home NAME   one home (default: all)
  --from REF    the previous version: a tag or commit (default: the last release)
  --guard       the previous version is this one, the new one the same with the next format: when it
                is rolled back, all that it wrote must be left alone until it is back (default when
                no release is tagged)

Exits with 0 when nothing was lost or doubled, with 1 otherwise, with 2 when it was asked wrongly.`

/** How often the model answered each request to its end. */
class Answers {
  readonly #counts = new Map<string, number>()
  note({ messages }: WireRequest): void {
    const key = JSON.stringify(messages)
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }
  get total(): number {
    return [...this.#counts.values()].reduce((sum, one) => sum + one, 0)
  }
  repeated(): readonly string[] {
    return [...this.#counts].filter(([, count]) => count > 1).map(([key]) => key.slice(-300))
  }
}

interface Change {
  readonly home: HomeName
  readonly old: Tree
  readonly now: Tree
  /** After the way back all that the new version wrote is left alone. */
  readonly guarded: boolean
}

async function change(asked: Change): Promise<readonly string[]> {
  const open: Open = []
  try {
    return await changed(asked, open)
  } finally {
    for (const close of open.splice(0).reverse()) await close()
  }
}

async function changed(asked: Change, open: Open): Promise<readonly string[]> {
  const { home, old, now, guarded } = asked
  const answers = new Answers()
  const model = await startModelServer({
    script: answer,
    onAnswered: (request) => answers.note(request),
    keep: 0,
  })
  open.push(model.close)
  /** By the message's own id: it may come twice. */
  const posts = new Map<string, Set<string>>()
  const receiver = await startCannedServer(({ headers, body }, response) => {
    const { data } = JSON.parse(String(body)) as { data: { run_id: string } }
    const seen = posts.get(data.run_id) ?? new Set()
    posts.set(data.run_id, seen.add(String(headers['webhook-id'])))
    response.writeHead(204).end()
  })
  open.push(receiver.close)
  const made = await openHome(home, { OPENAI_BASE_URL: model.url }, open)
  const began = performance.now()
  const say = (text: string): void => {
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    console.log(`${seconds.padStart(6)} s  ${text}`)
  }
  console.log(`${made.name}: ${old.name}, then ${now.name}`)

  const turnTo = async (next: Tree, from: Running): Promise<Running> => {
    if (!made.isShared) await from.stop()
    const started = await made.start(next)
    if (!made.isShared) return started
    await sleep(BESIDE_MS)
    await from.stop()
    return started
  }
  const hook = `${receiver.origin}/hook`
  let running = await made.start(old)
  await askForWrites(running)
  const first = await begin(running, { label: 'first', hook })
  say(`${old.name} has begun ${first.all.length} and is replaced`)
  running = await turnTo(now, running)
  await approve(running, first)
  await rest(running, first)
  const faults = [...(await faultsOf(running, first))]
  say(`${now.name} has brought them to their ends`)

  const second = await begin(running, { label: 'second', hook })
  say(`${now.name} has begun ${second.all.length} and is rolled back`)
  running = await turnTo(old, running)
  await approve(running, second)
  const { refused } = await rest(running, second)
  say(`${old.name} has brought ${second.all.length - refused.length} to their ends`)
  if (refused.length > 0) say(`and leaves alone: ${refused.join(', ')}`)
  const wanted = guarded ? second.all.length : 0
  if (refused.length !== wanted)
    faults.push(`${old.name} left ${refused.length} alone instead of ${wanted}`)
  running = await turnTo(now, running)
  await approve(running, second)
  await rest(running, second)
  faults.push(...(await faultsOf(running, second)))
  say(`${now.name} is back, and all have ended`)

  const hooked = [...first.all, ...second.all].filter(({ id }) => id.startsWith('run_'))
  await until('every end is told', async () =>
    hooked.every(({ id }) => posts.has(id)) ? true : undefined,
  ).catch((error: unknown) => faults.push(String(error)))
  for (const { id, what } of hooked) {
    const told = posts.get(id)?.size ?? 0
    if (told !== 1) faults.push(`${what}: its end was told by ${told} webhooks`)
  }
  for (const one of answers.repeated()) faults.push(`asked and answered twice: …${one}`)
  await running.stop()
  say(`${answers.total} answers of the model, ${faults.length} faults`)
  return faults
}

async function run(): Promise<boolean> {
  const text = { type: 'string' } as const
  const options = { home: text, from: text, guard: { type: 'boolean' } } as const
  const { values } = given(process.argv.slice(2), options)
  const only = values.home as string | undefined
  if (only !== undefined && !HOMES.some((name) => name === only))
    throw new WrongUse(`--home is one of ${HOMES.join(', ')}, not ${only}`)
  if (values.guard === true && values.from !== undefined)
    throw new WrongUse('--guard and --from do not go together')
  const previous = (values.from as string | undefined) ?? lastRelease()
  const guarded = values.guard === true || previous === undefined
  const open: Open = []
  try {
    const now = guarded ? await treeOfTomorrow(open) : thisTree()
    const old = guarded ? thisTree() : await treeOf(previous, open)
    const faults: string[] = []
    for (const home of HOMES)
      if (only === undefined || home === only)
        faults.push(...(await change({ home, old, now, guarded })))
    for (const fault of faults) console.log(`FAULT ${fault}`)
    return faults.length === 0
  } finally {
    for (const close of open.splice(0).reverse()) await close()
  }
}

await command(USAGE, run)
