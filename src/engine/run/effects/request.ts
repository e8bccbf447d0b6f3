/** The request to the model: the agent's prompt, the conversation in full texts, the tools. */

import { type AssistantPart, bodiesOf, lengthOf, type Message } from '../../../core/message.ts'
import { notesText, schemaText } from '../../../core/prompt.ts'
import { comfortable } from '../../../core/run/compaction.ts'
import type { SchemaMeans } from '../../../core/run/fact-parts.ts'
import type { Pin } from '../../../core/run/pin.ts'
import { liveChildren, type RunState } from '../../../core/run/state.ts'
import { meansOf } from '../../../core/run/structured.ts'
import { shownMessages } from '../../../core/run/transcript.ts'
import { byteLength } from '../../../lib/bytes.ts'
import type { ModelRequest, World } from '../../../ports/world.ts'
import { type Home, homeOfRun, homeOfSession } from '../../partition/home.ts'
import { getBlob, load, loadText } from '../../tenant/blobs.ts'
import { forkOf } from '../fork.ts'
import type { Context } from './context.ts'
import { pinOf } from './context.ts'

/** `last`: the call goes without tools. `by_prompt`: the provider has refused the schema. */
export async function requestOf(
  context: Context,
  { last, by_prompt = false }: { readonly last: boolean; readonly by_prompt?: boolean },
): Promise<ModelRequest> {
  const { world, tenant, state } = context
  const pin = await pinOf(context)
  const messages = [...(await earlier(context)), ...shownMessages(state)]
  await world.pace?.turn(tenant, { length: lengthOf(messages) })
  const tools = last ? [] : pin.tools
  const means = by_prompt ? undefined : meansOf(state)
  return {
    model: state.started!.model,
    system: pin.system,
    notes: noted(pin, means),
    messages: await loadAll({ world, home: homeOfRun(tenant, state.spec) }, messages),
    tools,
    ...(pin.settings ? { settings: pin.settings } : {}),
    ...(isNative(state, means, tools) ? { output_schema: pin.output_schema } : {}),
  }
}

/** An answer that is given while subagents live is not the last one, so it is free. */
const isNative = (
  state: RunState,
  means: SchemaMeans | undefined,
  tools: ModelRequest['tools'],
): boolean =>
  means?.native === true &&
  (means.only === undefined || tools.length === 0) &&
  liveChildren(state).length === 0

/** The messages before the run's own, unless a summary already stands for them. */
export async function earlier(context: Context): Promise<readonly Message[]> {
  const { world, tenant, state } = context
  if (state.compacted) return []
  return [...(await historyOf(context)), ...(await forkOf(world, tenant, state.spec!))]
}

/** Whether it is better shortened than sent. Short requests are not measured byte by byte. */
export function isTooLong(request: ModelRequest, window: number) {
  const { system, notes, messages, tools, output_schema } = request
  const most = comfortable(window)
  const texts = [system, notes ?? '', ...messages.flatMap(textsOf)]
  const rest = sizeOfTools(tools) + (output_schema ? JSON.stringify(output_schema).length : 0)
  const characters = texts.reduce((sum, text) => sum + text.length, rest)
  if (characters * 3 <= most) return false
  return texts.reduce((sum, text) => sum + byteLength(text), rest) > most
}

/** By the list's own object: that of a pin is the same for every step. */
const sizes = new WeakMap<ModelRequest['tools'], number>()

function sizeOfTools(tools: ModelRequest['tools']): number {
  const size = sizes.get(tools) ?? JSON.stringify(tools).length
  sizes.set(tools, size)
  return size
}

/** Bodies are loaded. */
const textsOf = (message: Message): string[] => bodiesOf(message) as string[]

/** The conversation of the session's earlier runs. */
async function historyOf({ world, tenant, state }: Context): Promise<Message[]> {
  if (state.history.length === 0) return []
  const home = homeOfSession(tenant, state.spec!.session_id)
  const segments = await Promise.all(state.history.map((digest) => getBlob(world, home, digest)))
  // What they name lies with them: the runs that said it may be gone.
  return loadAll(
    { world, home },
    segments.flatMap((text) => JSON.parse(text ?? '[]') as Message[]),
  )
}

/** Text beside the agent's own prompt: the same in every call, so that it stays cached. */
function noted({ notes, output_schema }: Pin, means?: SchemaMeans): string | undefined {
  const always = means?.native === true && means.only === undefined
  const schema = always ? undefined : output_schema && schemaText(output_schema)
  const texts = [notesText(notes), schema]
  const said = texts.filter((text) => text !== undefined)
  return said.length === 0 ? undefined : said.join('\n\n')
}

/** Every body in full: the model gets texts, never references. */
export async function loadAll(
  { world, home }: { readonly world: World; readonly home: Home },
  list: readonly Message[],
): Promise<Message[]> {
  const full = (body: Parameters<typeof load>[2]) => load(world, home, body)
  return Promise.all(
    list.map(async (message): Promise<Message> => {
      switch (message.role) {
        case 'user':
          return { role: 'user', text: await loadText(world, home, message) }
        case 'assistant': {
          const parts = message.parts.map(
            async (part): Promise<AssistantPart> =>
              part.type === 'call'
                ? { ...part, arguments: await full(part.arguments) }
                : { ...part, text: await full(part.text) },
          )
          return { role: 'assistant', parts: await Promise.all(parts) }
        }
        case 'tool': {
          const results = message.results.map(async ({ more, ...result }) => ({
            ...result,
            text: await loadText(world, home, {
              ...result,
              ...(more && { more }),
            }),
          }))
          return { role: 'tool', results: await Promise.all(results) }
        }
      }
    }),
  )
}
