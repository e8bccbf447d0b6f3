/**
 * Converts an AG-UI request to a turn of the thread's session, or continues the session's waiting
 * run.
 */

import { openQuestion } from '../../../core/run/human-input/question.ts'
import { readRun } from '../../../engine/logs/run.ts'
import { homeOfRun } from '../../../engine/partition/home.ts'
import { runPartition } from '../../../engine/partition/keys.ts'
import type { InputMessage } from '../../../engine/run/request.ts'
import { runCount, runsOf } from '../../../engine/session/pages.ts'
import type { StoredSession } from '../../../engine/session/store.ts'
import { threadSession } from '../../../engine/session/thread.ts'
import { load } from '../../../engine/tenant/blobs.ts'
import { digest } from '../../../lib/digest.ts'
import { nameKey } from '../../../lib/name.ts'
import type { World } from '../../../ports/world.ts'
import { granted, RequestRefused, refuse } from '../../request/problem.ts'
import { moved } from '../../request/refusal-pointer.ts'
import type { AgUiInput } from '../../schemas/protocols/ag-ui.ts'
import { type CallName, namedCall } from '../openai/ids.ts'
import { conversationOf } from '../openai/input.ts'
import { type Started, startTurn } from '../openai/start.ts'
import { answersOf, contextOf, itemsOf } from './input.ts'

export async function startRun(
  world: World,
  tenant: string,
  agent: string,
  input: AgUiInput,
): Promise<Started> {
  const { threadId, runId, messages, context, tools, resume } = input
  const { id: session, before: previousSession } = granted(
    await threadSession(world, tenant, threadId),
  )
  const newest = previousSession && (await newestRun(world, tenant, previousSession))
  const items = [...itemsOf(messages, newest === undefined), ...answersOf(resume)]
  const read = conversationOf(items, '/messages')
  const knownTexts = newest === undefined ? [] : await inputOf(world, tenant, newest)
  const conversation = { ...read, messages: unknown(read.messages, knownTexts) }
  const thread = { world, tenant, agent, session }
  for (const [index, { interruptId }] of (resume ?? []).entries())
    await awaits(thread, interruptId, `/resume/${index}/interruptId`)
  for (const { name } of conversation.results) await belongs(thread, name, '/messages')
  const instructions = [...conversation.instructions, contextOf(context)]
  const starting = {
    ...{ world, tenant, conversation, session },
    keyed: { scope: `AG-UI ${session}`, key: runId, body: digest([agent, input]) },
    request: {
      agent,
      instructions: instructions.filter((text) => text.trim() !== '').join('\n\n'),
      caller_tools: tools.map(({ name, description, parameters }) => ({
        ...{ name, description },
        input_schema: parameters ?? { type: 'object', properties: {} },
      })),
    },
  }
  return startTurn(starting).catch((error: unknown) => {
    throw error instanceof RequestRefused ? renamed(error) : error
  })
}

/** Renames JSON pointers in a rejected run request to the members of the AG-UI request. */
function renamed({ refusal, headers }: RequestRefused): RequestRefused {
  const place = (pointer: string) =>
    pointer
      .replace(/^\/caller_tools/, '/tools')
      .replace(/^(\/tools\/\d+)\/input_schema/, '$1/parameters')
  return new RequestRefused(moved(refusal, place), headers)
}

async function newestRun(
  world: World,
  tenant: string,
  session: StoredSession,
): Promise<string | undefined> {
  const count = runCount(session)
  return count === 0
    ? undefined
    : (await runsOf(world, tenant, session, { from: count - 1, to: count }))[0]
}

/** Returns the user texts in a run's input. */
async function inputOf(world: World, tenant: string, id: string): Promise<string[]> {
  const spec = (await readRun(world, runPartition(tenant, id)))?.state.spec
  if (!spec) return []
  const home = homeOfRun(tenant, spec)
  return Promise.all(spec.input.map(({ text }) => load(world, home, text)))
}

/** Drops leading messages that the newest, unanswered run has already received. */
function unknown(messages: readonly InputMessage[], knownTexts: readonly string[]) {
  for (let count = Math.min(messages.length - 1, knownTexts.length); count > 0; count -= 1) {
    const tail = knownTexts.slice(-count)
    if (tail.every((text, index) => messages[index]?.content === text)) return messages.slice(count)
  }
  return messages
}

interface Thread {
  readonly world: World
  readonly tenant: string
  readonly agent: string
  readonly session: string
}
const wrong = (pointer: string, message: string) =>
  refuse('invalid_request', message, { errors: [{ pointer, message }] })

/** Returns the run of a tool call; throws if the run does not belong to this agent and thread. */
async function belongs({ world, tenant, agent, session }: Thread, name: CallName, pointer: string) {
  const run = await readRun(world, runPartition(tenant, name.run))
  const spec = run?.state.spec
  if (spec && spec.session_id === session && nameKey(spec.agent) === nameKey(agent)) return run
  throw wrong(pointer, 'Call not found for this agent in this thread.')
}

/**
 * Rejects an answer to a question that the run did not ask; the message made from `resume` is the
 * answer.
 */
async function awaits(thread: Thread, interruptId: string, pointer: string): Promise<void> {
  const name = namedCall(interruptId)
  if (!name) throw wrong(pointer, 'Interrupt not found.')
  const { state } = (await belongs(thread, name, pointer))!
  const callId = state.steps[name.step]?.calls[name.index]
  const open = openQuestion(state)?.id
  if (callId === undefined || (open !== undefined && open !== callId))
    throw wrong(pointer, 'The run is not waiting for this answer.')
}
