/**
 * Comparison of two runs by their views: steps in pairs, and what differs in each pair. Reasoning,
 * retries, and times are not compared. The IDs of a run and of its subagents are different in each
 * run, so they count as equal.
 */

import { aligned, type Pair } from './align.ts'
import type { Call, Item, LogText, RunView } from './shape.ts'

/** Messages and notes that the model received before a step. */
type Received = Exclude<Item, Call>

export interface RunStep {
  /** Number of the step, from 0; undefined for messages after the last answer. */
  readonly step: number | undefined
  readonly received: readonly Received[]
  readonly answers: readonly LogText[]
  readonly calls: readonly Call[]
}

type CallPart = 'tool' | 'arguments' | 'result'
export interface CallPair extends Pair<Call> {
  /** Parts that differ; empty if the calls are equal or one side has no call. */
  readonly differs: readonly CallPart[]
}

type StepPart = 'received' | 'answer' | 'calls' | 'arguments' | 'result'
export type Verdict = 'same' | 'changed' | 'left' | 'right'
export interface StepPair extends Pair<RunStep> {
  readonly key: string
  /** Result of the comparison; `left` and `right` if only one run has the step. */
  readonly verdict: Verdict
  readonly differs: readonly StepPart[]
  readonly calls: readonly CallPair[]
}

export interface Comparison {
  readonly steps: readonly StepPair[]
  /** First step that differs. */
  readonly first: StepPair | undefined
  /** Number of steps that differ. */
  readonly count: number
  /** Whether both runs ended in the same way, or are both live. */
  readonly hasSameEnd: boolean
}

export function compareRuns(left: RunView, right: RunView): Comparison {
  const steps = aligned(keyedSteps(left), keyedSteps(right), [
    ({ fullKey }) => fullKey,
    ({ requestKey }) => requestKey,
    ({ toolKey }) => toolKey,
  ]).map((pair) => stepPair(pair))
  const changed = steps.filter(({ verdict }) => verdict !== 'same')
  const ends = [left, right].map((run) => endOf(run))
  return {
    ...{ steps, first: changed[0], count: changed.length },
    hasSameEnd: ends[0] === ends[1],
  }
}

/** Returns the steps of a run, each with the messages that precede it. */
function stepsOf({ items }: RunView): readonly RunStep[] {
  const steps: (RunStep & { readonly answers: LogText[]; readonly calls: Call[] })[] = []
  let received: Received[] = []
  const open = (step: number | undefined) => {
    const last = steps.at(-1)
    if (last && last.step === step && received.length === 0) return last
    const next = { step, received, answers: [], calls: [] }
    received = []
    steps.push(next)
    return next
  }
  for (const item of items) {
    if (item.kind === 'note') {
      if (COMPARED_NOTES.has(item.note)) received.push(item)
    } else if (item.kind === 'call') open(item.step ?? steps.at(-1)?.step ?? 0).calls.push(item)
    else if (item.kind === 'input' || item.step < 0) received.push(item)
    else if (item.kind === 'text') open(item.step).answers.push(item.text)
  }
  if (received.length > 0) open(undefined)
  return steps
}

/** Notes about what the model received; the other notes are about failed calls of the model. */
const COMPARED_NOTES: ReadonlySet<string> = new Set(['skill', 'compacted', 'budget', 'cancel'])

interface WithKeys<T> {
  readonly item: T
  /** Key of everything that is compared. */
  readonly fullKey: string
  /** Key of the tools and their arguments. */
  readonly requestKey: string
  readonly toolKey: string
}

interface KeyedCall extends WithKeys<Call> {
  readonly outcomeKey: string
}
interface KeyedStep extends WithKeys<RunStep> {
  readonly received: string
  readonly answer: string
  readonly calls: readonly KeyedCall[]
}

function keyedSteps(run: RunView): readonly KeyedStep[] {
  const names = namesOf(run)
  return stepsOf(run).map((item) => {
    const calls = item.calls.map((call) => keyedCall(call, names))
    const received = JSON.stringify(item.received.map((entry) => receivedKey(entry, names)))
    const answer = JSON.stringify(item.answers.map((text) => textKey(text, names)))
    const keysOf = (key: 'fullKey' | 'requestKey' | 'toolKey') =>
      JSON.stringify(calls.map((c) => c[key]))
    const fullKey = [received, answer, keysOf('fullKey')].join()
    return {
      ...{ item, received, answer, calls, fullKey },
      ...{ requestKey: keysOf('requestKey'), toolKey: keysOf('toolKey') },
    }
  })
}

type Names = ReadonlyMap<string, string>

function keyedCall(item: Call, names: Names): KeyedCall {
  const { child } = item
  const requestKey = JSON.stringify([item.tool, argumentsKey(item.arguments, names)])
  const result = textKey(item.result ?? '', names)
  const announced = textKey(child?.announce?.result ?? '', names)
  const outcomeKey = JSON.stringify([item.status, result, announced])
  return {
    item,
    fullKey: `${requestKey} ${outcomeKey}`,
    requestKey,
    toolKey: item.tool,
    outcomeKey,
  }
}

/** Names of the run and its subagents that replace their IDs in keys. */
function namesOf({ id, items }: RunView): Names {
  const children = items.flatMap((item) => (item.kind === 'call' && item.child ? [item.child] : []))
  return new Map([
    [id, '{run}'],
    ...children.map(({ run_id }, at) => [run_id, `{subagent ${at}}`] as const),
  ])
}

const RUN_ID = /run_[0-9a-z]{26}/g
const withoutIds = (text: string, names: Names): string =>
  text.replaceAll(RUN_ID, (id) => names.get(id) ?? id)

/** Key of a text; a large text is known by its digest, so the IDs in it count. */
const textKey = (text: LogText, names: Names): string =>
  typeof text === 'string'
    ? withoutIds(text, names)
    : JSON.stringify([text.digest, text.media?.map(({ digest }) => digest)])

function argumentsKey(text: LogText, names: Names): string {
  const key = textKey(text, names)
  if (typeof text !== 'string') return key
  try {
    return sortedJson(JSON.parse(key))
  } catch {
    return key
  }
}

/** Writes a value as JSON whose members are in alphabetical order. */
export const sortedJson = (value: unknown, space?: number): string =>
  JSON.stringify(
    value,
    (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    space,
  ) ?? ''

function receivedKey(entry: Received, names: Names): readonly string[] {
  if (entry.kind === 'note') return [entry.note, withoutIds(entry.text, names)]
  const by = entry.kind === 'input' ? (entry.by ?? 'person') : entry.kind
  return [by, textKey(entry.text, names)]
}

function stepPair({ left, right }: Pair<KeyedStep>): StepPair {
  const sides = { left: left?.item, right: right?.item }
  const key = `${sides.left?.step ?? '-'} ${sides.right?.step ?? '-'}`
  const calls = callPairs(left?.calls ?? [], right?.calls ?? [])
  if (!left || !right) {
    return { ...sides, key, verdict: left ? 'left' : 'right', differs: [], calls }
  }
  if (left.fullKey === right.fullKey) return { ...sides, key, verdict: 'same', differs: [], calls }
  const has = (part: CallPart): boolean => calls.some(({ differs }) => differs.includes(part))
  const isUnpaired = calls.some((pair) => !pair.left || !pair.right)
  const parts: Readonly<Record<StepPart, boolean>> = {
    received: left.received !== right.received,
    answer: left.answer !== right.answer,
    calls: isUnpaired || has('tool'),
    arguments: has('arguments'),
    result: has('result'),
  }
  const differs = (Object.keys(parts) as StepPart[]).filter((part) => parts[part])
  return { ...sides, key, verdict: 'changed', differs, calls }
}

const callPairs = (left: readonly KeyedCall[], right: readonly KeyedCall[]): readonly CallPair[] =>
  aligned(left, right, [
    ({ fullKey }) => fullKey,
    ({ requestKey }) => requestKey,
    ({ toolKey }) => toolKey,
  ]).map((pair) => ({
    ...{ left: pair.left?.item, right: pair.right?.item },
    differs: pair.left && pair.right ? differencesOf(pair.left, pair.right) : [],
  }))

function differencesOf(left: KeyedCall, right: KeyedCall): readonly CallPart[] {
  if (left.fullKey === right.fullKey) return []
  if (left.toolKey !== right.toolKey) return ['tool']
  return [
    ...(left.requestKey === right.requestKey ? [] : (['arguments'] as const)),
    ...(left.outcomeKey === right.outcomeKey ? [] : (['result'] as const)),
  ]
}

const endOf = (run: RunView): string => {
  const { status, stop_reason, error } = run
  const end = [status, stop_reason, error?.code, withoutIds(error?.message ?? '', namesOf(run))]
  return JSON.stringify(end)
}
