/** Builds the request to the model: the agent's prompt, the full conversation, and the tools. */

import { LIMITS } from '../../../../core/limits.ts'
import { type Media, shownBytes } from '../../../../core/media.ts'
import { bodiesOf, lengthOf, type Message, mediaOf } from '../../../../core/message.ts'
import { notesText, schemaText } from '../../../../core/prompt.ts'
import type { SchemaMeans } from '../../../../core/run/log/fact-parts.ts'
import type { Pin } from '../../../../core/run/log/pin.ts'
import { comfortable } from '../../../../core/run/prompt/compaction.ts'
import { meansOf } from '../../../../core/run/prompt/structured-output.ts'
import { shownMessages } from '../../../../core/run/prompt/transcript.ts'
import { liveChildren, type RunState } from '../../../../core/run/state/state.ts'
import { deferredText, offeredTools } from '../../../../core/tools/deferred-tools.ts'
import { byteLength } from '../../../../lib/bytes.ts'
import type { ModelRequest } from '../../../../ports/world.ts'
import { homeOfRun, homeOfSession } from '../../../partition/home.ts'
import { getBlob } from '../../../tenant/blobs.ts'
import { forkOf } from '../../fork.ts'
import type { Context } from '../context.ts'
import { pinOf } from '../context.ts'
import { loadAll, type MediaRoom } from './load.ts'

/**
 * Builds a model request. `last`: the call has no tools. `by_prompt`: the provider rejected the
 * schema.
 */
export async function requestOf(
  context: Context,
  { last, by_prompt = false }: { readonly last: boolean; readonly by_prompt?: boolean },
): Promise<ModelRequest> {
  const { world, tenant, state } = context
  const pin = await pinOf(context)
  const ownMessages = shownMessages(state)
  // The newest media of the conversation are loaded first.
  const room = { left: LIMITS.media_request_bytes }
  const homeRef = { world, home: homeOfRun(tenant, state.spec) }
  const loadedOwn = await loadAll(homeRef, ownMessages, room)
  const history = await loadAll(homeRef, await earlier(context, room), room)
  const notes = await loadAll(homeRef, startNotes(state))
  const messages = [...history, ...notes, ...loadedOwn]
  await world.pace?.turn(tenant, { length: lengthOf(messages) })
  const tools = last ? [] : offeredTools(pin, state, history)
  const means = by_prompt ? undefined : meansOf(state)
  return {
    model: state.started!.model,
    system: pin.system,
    notes: promptNotes(pin, means),
    messages,
    tools,
    ...(pin.settings ? { settings: pin.settings } : {}),
    ...(isNative(state, means, tools) ? { output_schema: pin.output_schema } : {}),
  }
}

/**
 * Returns whether the provider enforces the answer schema. An answer while subagents run is not
 * final and needs no schema.
 */
const isNative = (
  state: RunState,
  means: SchemaMeans | undefined,
  tools: ModelRequest['tools'],
): boolean =>
  means?.native === true &&
  (means.only === undefined || tools.length === 0) &&
  liveChildren(state).length === 0

/**
 * Returns the memory notes included when the run started. They belong to the run and to no
 * transcript.
 */
const startNotes = ({ started }: RunState): readonly Message[] =>
  started?.memory ? [{ role: 'user', text: started.memory.text }] : []

/** Returns the messages from before this run, unless a summary already covers them. */
export async function earlier(context: Context, room?: MediaRoom): Promise<readonly Message[]> {
  const { world, tenant, state } = context
  if (state.compacted) return []
  return [...(await historyOf(context, room)), ...(await forkOf(world, tenant, state.spec!))]
}

/** Returns whether a request is too long to send. Short requests are not measured exactly. */
export function isTooLong(request: ModelRequest, window: number) {
  const most = comfortable(window)
  const { texts, rest: overhead } = measured(request)
  const characters = texts.reduce((sum, text) => sum + text.length, overhead)
  if (characters * 3 <= most) return false
  return texts.reduce((sum, text) => sum + byteLength(text), overhead) > most
}

/** Returns the size of a request in bytes, including tools and the weight of media. */
export function sizeOf(request: ModelRequest): number {
  const { texts, rest: overhead } = measured(request)
  return texts.reduce((sum, text) => sum + byteLength(text), overhead)
}

function measured({ system, notes, messages, tools, output_schema }: ModelRequest) {
  const schema = output_schema ? JSON.stringify(output_schema).length : 0
  const overhead = sizeOfTools(tools) + sizeOfMedia(messages) + schema
  return { texts: [system, notes ?? '', ...messages.flatMap(textsOf)], rest: overhead }
}

const sizeOfMedia = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + shownBytes(mediaOf(message).map(sized)), 0)

const sized = ({ media_type, data }: Media) => ({ media_type, bytes: data.length })

/** Cached sizes of tool lists by identity, because a pin's tools are the same in every step. */
const sizes = new WeakMap<ModelRequest['tools'], number>()

function sizeOfTools(tools: ModelRequest['tools']): number {
  const size = sizes.get(tools) ?? JSON.stringify(tools).length
  sizes.set(tools, size)
  return size
}

/** Returns the texts of a message whose bodies are already loaded. */
const textsOf = (message: Message): string[] => bodiesOf(message) as string[]

/** Returns the conversation of the session's earlier runs. */
async function historyOf(
  { world, tenant, state }: Context,
  room: MediaRoom | undefined,
): Promise<Message[]> {
  if (state.history.length === 0) return []
  const home = homeOfSession(tenant, state.spec!.session_id)
  const segments = await Promise.all(state.history.map((digest) => getBlob(world, home, digest)))
  // Bodies are read under the session's prefix, because the earlier runs may be deleted.
  return loadAll(
    { world, home },
    segments.flatMap((text) => JSON.parse(text ?? '[]') as Message[]),
    room,
  )
}

/**
 * Returns the text added to the agent's prompt. The text is identical in every call, which keeps
 * the prompt cacheable.
 */
function promptNotes(
  { notes, output_schema, deferred }: Pin,
  means?: SchemaMeans,
): string | undefined {
  const always = means?.native === true && means.only === undefined
  const schema = always ? undefined : output_schema && schemaText(output_schema)
  const hidden = deferred && `${deferredText(deferred)}.`
  const texts = [notesText(notes), hidden, schema]
  const parts = texts.filter((text) => text !== undefined)
  return parts.length === 0 ? undefined : parts.join('\n\n')
}
