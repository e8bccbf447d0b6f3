/**
 * The world outside the server, which outlives each of its deaths: a scripted model, an MCP server
 * whose every call appends to a ledger file, and a webhook receiver that flaps. What they saw is
 * the truth that the server's own story is held against.
 */

import { appendFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer } from '../../../src/testing/model-script.ts'
import { startCannedMcp } from '../../support/canned-mcp.ts'
import { startCannedServer } from '../../support/canned-server.ts'
import type { Open } from '../../support/launch.ts'
import { temporaryFolder } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { type Question, questionOf } from './asked.ts'

/** What one event's webhook looked like from outside. */
interface Heard {
  /** Every `webhook-id` that carried the event. */
  readonly ids: Set<string>
  /** Every body that came under them. */
  readonly bodies: Set<string>
  /** How often it was answered with 2xx; the sender may not have heard that. */
  accepted: number
  requests: number
}

export interface Outside {
  readonly modelUrl: string
  readonly mcpUrl: string
  readonly hookUrl: string
  /** Each that the model was asked, also by those who died before they heard the answer. */
  readonly questions: readonly Question[]
  /** When the effect of this name was performed, each time (ms since 1970). */
  readonly effects: ReadonlyMap<string, readonly number[]>
  /** By the id of the event. */
  readonly heard: ReadonlyMap<string, Heard>
  /** The receiver's answers by kind. */
  readonly answers: ReadonlyMap<string, number>
  readonly ledgerFile: string
  /** From now on the receiver answers everything with 204. */
  heal(): void
}

const THINK_MS = 20
const EFFECT_MS = 20
/** Longer than a life of the server, shorter than its patience with a receiver. */
const HANG_MS = 4_000

/** What a receiver does to one request, and how often. */
const MOODS = [
  ['204', 0.6],
  ['500', 0.15],
  ['dropped', 0.15],
  ['hang', 0.1],
] as const
type Mood = (typeof MOODS)[number][0]

export async function startOutside(random: () => number, open: Open): Promise<Outside> {
  const questions: Question[] = []
  const model = await startModelServer({
    thinkMs: THINK_MS,
    keep: 0,
    script(request) {
      questions.push(questionOf(request.messages))
      return answer(request)
    },
  })
  open.push(model.close)
  const ledgerFile = join(await temporaryFolder(open), 'ledger.txt')
  const effects = new Map<string, number[]>()
  const mcpUrl = await startLedger(ledgerFile, effects, open)
  const hook = await startReceiver(random, open)
  return { modelUrl: model.url, mcpUrl, questions, effects, ledgerFile, ...hook }
}

const tool = (name: string) => ({
  name,
  description: 'Appends an entry; twice is twice.',
  inputSchema: { type: 'object', properties: { entry: { type: 'string' } } },
  annotations: { readOnlyHint: false, idempotentHint: false },
})

async function startLedger(
  file: string,
  effects: Map<string, number[]>,
  open: Open,
): Promise<string> {
  const mcp = await startCannedMcp({
    tools: [tool('append'), tool('pay')],
    onCall(message, response) {
      const { entry } = (message.params as { arguments: { entry: string } }).arguments
      appendFileSync(file, `${entry}\n`)
      effects.set(entry, [...(effects.get(entry) ?? []), Date.now()])
      const result = { content: [{ type: 'text', text: `appended ${entry}` }] }
      void sleep(EFFECT_MS).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      })
      return true
    },
  })
  open.push(mcp.close)
  return mcp.url
}

async function startReceiver(random: () => number, open: Open) {
  const heard = new Map<string, Heard>()
  const answers = new Map<string, number>()
  let healed = false
  const receiver = await startCannedServer((request, response) => {
    const event = (JSON.parse(request.body) as { data: { id: string } }).data
    const known = heard.get(event.id)
    const one = known ?? { ids: new Set(), bodies: new Set(), accepted: 0, requests: 0 }
    heard.set(event.id, one)
    one.ids.add(String(request.headers['webhook-id']))
    one.bodies.add(request.body)
    one.requests += 1
    // The third attempt is minutes away: the second is refused only now and then.
    const calm = healed || (one.requests > 1 && random() < 0.8)
    const mood = calm ? '204' : moodOf(random())
    answers.set(mood, (answers.get(mood) ?? 0) + 1)
    if (mood === '204') one.accepted += 1
    return act(mood, response)
  })
  open.push(receiver.close)
  const heal = () => {
    healed = true
  }
  return { hookUrl: `${receiver.origin}/hook`, heard, answers, heal }
}

function moodOf(number: number): Mood {
  let below = 0
  for (const [mood, share] of MOODS) {
    below += share
    if (number < below) return mood
  }
  return '204'
}

async function act(mood: Mood, response: ServerResponse): Promise<void> {
  if (mood === '204') response.writeHead(204).end()
  else if (mood === '500') response.writeHead(500).end('flapping')
  else {
    if (mood === 'hang') await sleep(HANG_MS)
    response.destroy()
  }
}
