/**
 * Represents a run as an A2A task. All parts of a task name the run and the log position
 * (`metadata.strata`), like events of the other APIs.
 */

import type { Body } from '../../../core/message.ts'
import { homeOfRun } from '../../../engine/partition/home.ts'
import { runPartition } from '../../../engine/partition/keys.ts'
import { load } from '../../../engine/tenant/blobs.ts'
import { isId } from '../../../lib/id.ts'
import { iso } from '../../../lib/time.ts'
import type { World } from '../../../ports/world.ts'
import { type Facts, RunLog } from '../../stream/tail.ts'
import { questionText } from '../../turn/question.ts'
import { type StepView, type TurnView, viewRun } from '../../turn/view.ts'
import { readShown } from '../../views/attachments.ts'
import { JSON_TYPE } from './card.ts'
import { taskNotFound } from './error.ts'
import { type Status, statusesOf } from './status.ts'

export interface TaskPlace {
  readonly world: World
  readonly tenant: string
  /** Agent whose tasks the caller can read. */
  readonly agent: string
  /** Public base URL of this deployment. */
  readonly url: string
}

export interface TaskView {
  readonly run: string
  readonly facts: Facts
  readonly view: TurnView
  readonly statuses: readonly Status[]
}

export const statusOf = ({ statuses }: TaskView): Status => statuses.at(-1)!

/** Reads a task; rejects an unknown task, or a task of another agent, with TASK_NOT_FOUND. */
export async function readTask(place: TaskPlace, id: string): Promise<TaskView> {
  const { world, tenant, agent } = place
  const isOne = isId('run', id)
  const facts = isOne ? await new RunLog(world, runPartition(tenant, id)).read() : []
  const first = facts[0]?.fact
  if (first?.type !== 'run.created' || first.run.agent !== agent) throw taskNotFound()
  return taskOf(place, facts)
}

export async function taskOf(
  { world, tenant }: Pick<TaskPlace, 'world' | 'tenant'>,
  facts: Facts,
): Promise<TaskView> {
  const view = await viewRun(world, tenant, facts)
  return { run: view.run, facts, view, statuses: statusesOf(facts) }
}

const identity = (run: string, seq: number) => ({ strata: { run_id: run, seq } })
const taskIds = ({ view }: TaskView) => ({
  taskId: view.run,
  contextId: view.state.spec!.session_id,
})

interface TaskOptions {
  readonly historyLength?: number | undefined
  readonly artifacts?: boolean
  /** Further members of `metadata.strata`. */
  readonly more?: object
}

export async function shownTask(
  place: TaskPlace,
  task: TaskView,
  { historyLength, artifacts = true, more = {} }: TaskOptions = {},
): Promise<Record<string, unknown>> {
  const { run, view, facts } = task
  const history = historyLength === 0 ? [] : await historyOf(place, task)
  const { metadata, session_id } = view.state.spec!
  const strata = { ...identity(run, facts.length).strata, session_id, ...more }
  return {
    id: run,
    contextId: session_id,
    status: shownStatus(task, statusOf(task)),
    ...(artifacts ? { artifacts: await artifactsOf(place, task) } : {}),
    history: historyLength === undefined ? history : history.slice(-historyLength),
    metadata: { ...metadata, strata },
  }
}

function shownStatus(task: TaskView, { seq, at, state, text }: Status) {
  const { run } = task
  const message =
    text === undefined
      ? {}
      : {
          message: {
            ...{ messageId: `${run}-${seq}`, role: 'ROLE_AGENT', parts: [{ text }] },
            ...{ ...taskIds(task), metadata: identity(run, seq) },
          },
        }
  return { state: `TASK_STATE_${state}`, timestamp: iso(at), ...message }
}

export const statusUpdate = (task: TaskView, status: Status) => ({
  statusUpdate: {
    ...taskIds(task),
    status: shownStatus(task, status),
    metadata: identity(task.run, status.seq),
  },
})

/** Creates an artifact from complete or partial model text. */
export const textArtifact = (step: number, text: string) => ({
  artifactId: `text-${step}`,
  name: 'text',
  parts: [{ text }],
})

/**
 * Creates an artifact update. The `metadata` of an unfinished text names the step, because the text
 * has no log position yet.
 */
export const artifactUpdate = (
  task: TaskView,
  artifact: object,
  { seq, step, ...flags }: { seq?: number; step?: number; append?: true; lastChunk?: true },
) => ({
  artifactUpdate: {
    ...taskIds(task),
    artifact,
    ...flags,
    metadata: seq === undefined ? { strata: { run_id: task.run, step } } : identity(task.run, seq),
  },
})

/** Reports whether a step's text is shown; structured output is shown as data instead. */
const isShownText = ({ view }: TaskView, { text }: StepView): boolean =>
  text !== '' && !view.isShaped

async function artifactsOf(place: TaskPlace, task: TaskView): Promise<object[]> {
  const texts = task.view.steps
    .filter((step) => isShownText(task, step))
    .map(({ seq, step, text }) => ({
      ...textArtifact(step, text),
      metadata: identity(task.run, seq),
    }))
  return [...texts, ...(await outputsOf(place, task))]
}

/** Returns the task's final artifacts other than texts: structured data, and links to files. */
export async function outputsOf(
  { world, tenant, url }: TaskPlace,
  { run, view, facts }: TaskView,
): Promise<object[]> {
  const { end } = view
  if (end === undefined || end === 'parked' || end.type !== 'run.completed') return []
  const metadata = identity(run, facts.length)
  const { structured, attachments, schema_error } = end.output
  const text = view.steps.at(-1)?.text ?? ''
  const data = structured != null ? { data: structured, mediaType: JSON_TYPE } : { text }
  const problem = schema_error === undefined ? {} : { description: schema_error }
  const output = { artifactId: 'output', name: 'output', parts: [data], ...problem, metadata }
  const files = attachments.length === 0 ? [] : await filesOf(world, tenant, view)
  const links = files.map(({ key, media_type, download }, index) => ({
    artifactId: `file-${index}`,
    name: key,
    parts: [linkTo(url, key, media_type, download)],
    metadata,
  }))
  return view.isShaped ? [output, ...links] : links
}

interface File {
  readonly key: string
  readonly media_type: string
  readonly download: { readonly path: string } | null
}

async function filesOf(
  world: World,
  tenant: string,
  { state }: TurnView,
): Promise<readonly File[]> {
  const { output } = await readShown(world, tenant, { state })
  return (output as { readonly attachments: readonly File[] } | null)?.attachments ?? []
}

/** Returns a link to an output file, or a sentence if the file was deleted. */
const linkTo = (url: string, filename: string, mediaType: string, download: File['download']) =>
  download === null
    ? { text: `The file ${filename} has been deleted.` }
    : { url: `${url}${download.path}`, filename, mediaType }

async function historyOf({ world, tenant }: TaskPlace, task: TaskView): Promise<object[]> {
  const { run, view, facts } = task
  const home = homeOfRun(tenant, view.state.spec)
  const messages: object[] = []
  const say = async (role: string, seq: number, body: Body): Promise<void> => {
    const parts = [{ text: await load(world, home, body) }]
    const messageId = `${run}-${seq}-${messages.length}`
    messages.push({ messageId, role, parts, ...taskIds(task), metadata: identity(run, seq) })
  }
  for (const { seq, fact } of facts) {
    if (fact.type === 'run.created')
      for (const { role, text } of fact.run.input)
        await say(role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', seq, text)
    if (fact.type === 'message.received') await say('ROLE_USER', seq, fact.text)
    if (fact.type === 'question.asked')
      await say('ROLE_AGENT', seq, fact.questions.map(questionText).join('\n\n'))
  }
  return messages
}
