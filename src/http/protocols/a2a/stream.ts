/**
 * Streams a task: its current state, then state changes, text, and artifacts. The ID of a
 * server-sent event is the log event's seq.
 */

import { runPartition } from '../../../engine/partition/keys.ts'
import { Speech } from '../../stream/speech.ts'
import { type Facts, streamTail, type Tail } from '../../stream/tail.ts'
import type { StepView } from '../../turn/view.ts'
import { hasEnded } from './status.ts'
import {
  artifactUpdate,
  outputsOf,
  shownTask,
  statusOf,
  statusUpdate,
  type TaskPlace,
  type TaskView,
  taskOf,
  textArtifact,
} from './task.ts'

export interface Streaming {
  readonly run: string
  /** Log position after which the client reads; undefined skips all existing events. */
  readonly after?: number | undefined
  readonly more?: object | undefined
}

export function streamTask(
  place: TaskPlace,
  id: string | number,
  { run, after, more }: Streaming,
): Response {
  const partition = runPartition(place.tenant, run)
  return streamTail(place.world, partition, {}, (sink) => {
    const send = (result: object, seq?: number): void => {
      const name = seq === undefined ? '' : `id: ${seq}\n`
      sink.send(`${name}data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    }
    return new TaskTail(place, { send, after, more })
  })
}

interface TaskSink {
  readonly send: (result: object, seq?: number) => void
  readonly after: number | undefined
  readonly more: object | undefined
}

class TaskTail implements Tail {
  readonly #place: TaskPlace
  readonly #sink: TaskSink
  #task: TaskView | undefined
  /** Seq of the last fact whose events were sent. */
  #seq = 0
  readonly #speech = new Speech()

  constructor(place: TaskPlace, sink: TaskSink) {
    this.#place = place
    this.#sink = sink
  }

  async facts(facts: Facts): Promise<boolean> {
    if (this.#task === undefined) await this.#begin(facts)
    const task = await taskOf(this.#place, facts)
    this.#task = task
    const asks = statusOf(task).seq > this.#seq && statusOf(task).state === 'INPUT_REQUIRED'
    await this.#events(task)
    this.#seq = facts.length
    this.#flush()
    // A question ends the stream, because the client's answer is a message with a separate response
    // stream.
    return asks || hasEnded(statusOf(task))
  }

  piece(step: number, at: number, text: string): void {
    this.#speech.piece(step, at, text)
    this.#flush()
  }

  reset(step: number): void {
    this.#speech.reset(step)
  }

  /** Restores the task as the client last received it. */
  async #begin(facts: Facts): Promise<void> {
    const { after = facts.length, more } = this.#sink
    const task = await taskOf(this.#place, facts.slice(0, after))
    const view = await shownTask(this.#place, task, more === undefined ? {} : { more })
    this.#seq = after
    this.#sink.send({ task: view }, after)
  }

  async #events(task: TaskView): Promise<void> {
    const events = [
      ...this.#texts(task),
      ...task.statuses.map((status) => ({ seq: status.seq, event: statusUpdate(task, status) })),
    ]
    const fresh = events.filter(({ seq }) => seq > this.#seq).sort((a, b) => a.seq - b.seq)
    for (const { seq, event } of fresh) {
      if (seq === task.facts.length && hasEnded(statusOf(task))) await this.#outputs(task)
      this.#sink.send(event, seq)
    }
  }

  async #outputs(task: TaskView): Promise<void> {
    for (const artifact of await outputsOf(this.#place, task))
      this.#sink.send(artifactUpdate(task, artifact, { seq: task.facts.length, lastChunk: true }))
  }

  /** Returns the events of finished texts, and of an empty text for each void text. */
  #texts(task: TaskView): { readonly seq: number; readonly event: object }[] {
    const { steps } = task.view
    const seq = task.facts.length
    const isOver = hasEnded(statusOf(task)) || task.view.state.waiting?.on === 'model'
    const last = isOver ? [{ seq, step: steps.length, text: '' }] : []
    return [...steps, ...last].flatMap((step) => {
      const event = this.#finalArtifact(task, step)
      return event === undefined ? [] : [{ seq: step.seq, event }]
    })
  }

  #finalArtifact(task: TaskView, { seq, step, text }: Pick<StepView, 'seq' | 'step' | 'text'>) {
    if (seq <= this.#seq || task.view.isShaped) return undefined
    const { text: remaining, goesOn, sent } = this.#speech.end(step, text)
    if (text === '' && sent === '') return undefined
    const flags = goesOn ? ({ append: true } as const) : {}
    return artifactUpdate(task, textArtifact(step, remaining), { seq, lastChunk: true, ...flags })
  }

  #flush(): void {
    const task = this.#task
    if (!task || task.view.isShaped) return
    const piece = this.#speech.next(task.view.steps.length)
    if (!piece) return
    const { step, text, goesOn } = piece
    const options = { step, ...(goesOn ? ({ append: true } as const) : {}) }
    this.#sink.send(artifactUpdate(task, textArtifact(step, text), options))
  }
}
