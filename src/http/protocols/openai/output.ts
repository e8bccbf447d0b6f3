/**
 * Converts a turn's output to OpenAI items and events. An event's number follows from the log: the
 * step, and the position within the step. Text deltas are numbered by the end of their text. A
 * stream resumed on any process therefore continues at the client's position.
 */

import { LIMITS } from '../../../core/limits.ts'
import { type JsonBounds, readJson } from '../../../lib/json.ts'
import { questionText } from '../../turn/question.ts'
import type { CallView, StepView, TurnView } from '../../turn/view.ts'
import { callName, itemName, messageId } from './ids.ts'

type Item = Readonly<Record<string, unknown>>
export interface OutputEvent {
  readonly n: number
  readonly type: string
  readonly data: Item
  /** Offset in its message at which a text delta starts. */
  readonly at?: number
}

/** Size of a step's range of event numbers; texts use less than half of the range. */
const ROOM = 8_388_608
const TEXT_ENDS = ROOM / 2
/** Start of the upper half of the text numbers, which is used by text that replaces void text. */
const REPLACED_TEXT = TEXT_ENDS / 2
const CALLS = TEXT_ENDS + 8
const RESULTS = CALLS + ROOM / 8
const QUESTION = ROOM - 8
const FIRST_EVENTS = 2

export const baseOf = ({ first }: TurnView, step: number): number =>
  FIRST_EVENTS + (step - first) * ROOM
/** Returns the number of the event that ends a response. */
export const lastNumber = (view: TurnView): number => baseOf(view, view.first + view.steps.length)

interface PlacedItem {
  readonly item: Item
  readonly events: readonly OutputEvent[]
  /** Event that ends the output item once all results of the step have arrived. */
  readonly later?: OutputEvent
}

export interface Output {
  readonly items: readonly Item[]
  readonly events: readonly OutputEvent[]
}

/**
 * Returns the event that ends a void message: the client received part of its text, but the step
 * ended without text. Returns undefined if the client has no void message.
 */
export function voidAfter(view: TurnView, last: number): OutputEvent | undefined {
  const step = view.first + Math.floor((last - FIRST_EVENTS) / ROOM)
  const base = baseOf(view, step)
  const isOver = view.end !== undefined || view.steps.some((stepView) => stepView.step === step)
  const isSaid =
    view.isShaped || view.steps.some((stepView) => stepView.step === step && stepView.text !== '')
  // The start position of a response is also the end position of the previous response.
  if (last <= base || last >= base + TEXT_ENDS || !isOver || isSaid) return undefined
  const steps = view.steps.filter((stepView) => stepView.step < step)
  const { length: index } = outputOf({ ...view, steps, questions: [] }).items
  const end = voidItem(messageId(view.run, step), { index, base })
  return { ...end, n: base + TEXT_ENDS + 2 }
}

/** Returns the event that ends a void output item. */
export function voidItem(id: string, { index, base }: Slot): OutputEvent {
  const item = { id, type: 'message', role: 'assistant', status: 'incomplete', content: [] }
  const data = { output_index: index, item }
  return { n: base + REPLACED_TEXT - 1, type: 'response.output_item.done', data }
}

/** Returns the events of an output item that replaces a void item, with the full text. */
export const startedAnew = (id: string, { index, base }: Slot, text: string): OutputEvent[] => {
  const place = { index, base: base + REPLACED_TEXT }
  return [...started(id, place), piece(id, place, 0, text)]
}

/** Returns the turn's output that the log contains so far. */
export function outputOf(view: TurnView): Output {
  const items: Item[] = []
  const events: OutputEvent[] = []
  for (const step of view.steps) {
    const later: OutputEvent[] = []
    for (const placedItem of placeStep(view, step, items.length)) {
      items.push(placedItem.item)
      events.push(...placedItem.events)
      if (placedItem.later) later.push(placedItem.later)
    }
    if (step.over || view.end !== undefined) events.push(...later)
  }
  if (view.questions.length > 0) {
    const step = view.first + view.steps.length - 1
    const text = view.questions.map(questionText).join('\n\n')
    const place = { index: items.length, base: baseOf(view, step) + QUESTION - 8 }
    const questionItem = message(messageId(view.run, `${step}_q`), text, place)
    items.push(questionItem.item)
    events.push(...questionItem.events.map((event, n) => ({ ...event, n: place.base + n })))
  }
  return { items, events }
}

function placeStep(view: TurnView, step: StepView, index: number): PlacedItem[] {
  const base = baseOf(view, step.step)
  const text = textShown(view, step)
  const texts = text === '' ? [] : [message(messageId(view.run, step.step), text, { index, base })]
  const calls = step.calls.map((call, place) =>
    placeCall(view, step, call, { index: index + texts.length + place, base, place }),
  )
  return [...texts, ...calls]
}

/**
 * Returns the text to show for a step. Structured data is shown only when complete, because clients
 * would mistake partial text for data.
 */
export function textShown(view: TurnView, { step, text }: StepView): string {
  const { end } = view
  if (!view.isShaped) return text
  const isLast = step === view.first + view.steps.length - 1
  if (!isLast || end === undefined || end === 'parked') return ''
  // Clients parse the text, so text around the data and the code fence are omitted.
  const data = end.type === 'run.completed' ? end.output.structured : null
  return data === null || isJson(text) ? text : JSON.stringify(data)
}

const isJson = (text: string): boolean => readJson(text, TEXT_BOUNDS).ok
const TEXT_BOUNDS: JsonBounds = { depth: LIMITS.json_depth, values: LIMITS.json_values }

interface Slot {
  readonly index: number
  readonly base: number
}

export const started = (id: string, { index, base }: Slot): OutputEvent[] => {
  const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const of = { item_id: id, output_index: index, content_index: 0 }
  return [
    { n: base, type: 'response.output_item.added', data: { output_index: index, item } },
    { n: base + 1, type: 'response.content_part.added', data: { ...of, part: part('') } },
  ]
}

export const piece = (id: string, place: Slot, at: number, delta: string): OutputEvent => ({
  n: place.base + 1 + Math.min(at + delta.length, TEXT_ENDS - 2),
  type: 'response.output_text.delta',
  at,
  data: { item_id: id, output_index: place.index, content_index: 0, delta, logprobs: [] },
})

const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

function message(id: string, text: string, place: Slot): PlacedItem {
  const { index, base } = place
  const of = { item_id: id, output_index: index, content_index: 0 }
  const content = [part(text)]
  const item = { id, type: 'message', role: 'assistant', status: 'completed', content }
  const end = base + TEXT_ENDS
  return {
    item,
    events: [
      ...started(id, place),
      piece(id, place, 0, text),
      { n: end, type: 'response.output_text.done', data: { ...of, text, logprobs: [] } },
      { n: end + 1, type: 'response.content_part.done', data: { ...of, part: part(text) } },
      { n: end + 2, type: 'response.output_item.done', data: { output_index: index, item } },
    ],
  }
}

/**
 * Adds a call to the output. The client performs calls of its own functions; the server performed
 * all others.
 */
function placeCall(
  { run }: TurnView,
  { step }: StepView,
  call: CallView,
  { index, base, place }: Slot & { readonly place: number },
): PlacedItem {
  const callRef = { run, step, index: call.index }
  const n = base + CALLS + place * 8
  const id = itemName(callRef)
  const of = { item_id: id, output_index: index }
  const { arguments: args, tool: name } = call
  const added = (item: Item): OutputEvent => ({
    n,
    type: 'response.output_item.added',
    data: { output_index: index, item },
  })
  const done = (item: Item, at: number): OutputEvent => ({
    n: at,
    type: 'response.output_item.done',
    data: { output_index: index, item },
  })
  if (call.isCallers) {
    const item = { id, type: 'function_call', call_id: callName(callRef), name, arguments: args }
    const doneItem = { ...item, status: 'completed' }
    const type = 'response.function_call_arguments'
    return {
      item: doneItem,
      events: [
        added({ ...item, arguments: '', status: 'in_progress' }),
        { n: n + 1, type: `${type}.delta`, data: { ...of, delta: args } },
        { n: n + 2, type: `${type}.done`, data: { ...of, name, arguments: args } },
        done(doneItem, n + 3),
      ],
    }
  }
  const { result } = call
  const item = { id, type: 'mcp_call', server_label: call.server, name, arguments: args }
  const fullItem = {
    ...item,
    status: result === null ? 'in_progress' : result.is_error ? 'failed' : 'completed',
    output: result?.is_error === false ? result.text : null,
    error: result?.is_error === true ? result.text : null,
  }
  return {
    item: fullItem,
    events: [added({ ...item, status: 'in_progress', output: null, error: null })],
    later: done(fullItem, base + RESULTS + place),
  }
}
