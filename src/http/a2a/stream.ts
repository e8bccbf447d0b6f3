/**
 * A task as it goes on: the task as it stands, then its states, its texts as they come and what it
 * hands over. An event of the log carries its seq as the id of the server-sent event.
 */

import { runPartition } from '../../engine/partition/keys.ts'
import { type Facts, streamTail, type Tail } from '../stream/tail.ts'
import { voided, type Writing, written } from '../stream/writing.ts'
import { hasEnded } from './status.ts'
import {
  artifactUpdate,
  isShownText,
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
  /** The place in the log that the reader has; undefined: all that there is now. */
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

interface Telling {
  readonly send: (result: object, seq?: number) => void
  readonly after: number | undefined
  readonly more: object | undefined
}

class TaskTail implements Tail {
  readonly #place: TaskPlace
  readonly #telling: Telling
  #task: TaskView | undefined
  /** The last fact whose events were sent. */
  #seq = 0
  #writing: Writing | undefined
  /** The text that was sent of the step in writing. */
  #sent: { readonly step: number; readonly text: string } | undefined

  constructor(place: TaskPlace, telling: Telling) {
    this.#place = place
    this.#telling = telling
  }

  async facts(facts: Facts): Promise<boolean> {
    if (this.#task === undefined) await this.#begin(facts)
    const task = await taskOf(this.#place, facts)
    this.#task = task
    const asks = statusOf(task).seq > this.#seq && statusOf(task).state === 'INPUT_REQUIRED'
    await this.#events(task)
    this.#seq = facts.length
    this.#flush()
    // Whoever answers does it by a message, whose own stream goes on.
    return asks || hasEnded(statusOf(task))
  }

  piece(step: number, at: number, text: string): void {
    this.#writing = written(this.#writing, { step, at, text })
    this.#flush()
  }

  reset(step: number): void {
    this.#writing = voided(this.#writing, step)
  }

  /** The task as the reader left it. */
  async #begin(facts: Facts): Promise<void> {
    const { after = facts.length, more } = this.#telling
    const task = await taskOf(this.#place, facts.slice(0, after))
    const shown = await shownTask(this.#place, task, more === undefined ? {} : { more })
    this.#seq = after
    this.#telling.send({ task: shown }, after)
  }

  async #events(task: TaskView): Promise<void> {
    const events = [
      ...task.statuses.map((status) => ({ seq: status.seq, event: statusUpdate(task, status) })),
      ...task.view.steps
        .filter((step) => isShownText(task, step))
        .flatMap(({ seq, step, text }) => {
          const event = this.#rest(task, { seq, step, text })
          return event === undefined ? [] : [{ seq, event }]
        }),
    ]
    const fresh = events.filter(({ seq }) => seq > this.#seq).sort((a, b) => a.seq - b.seq)
    for (const { seq, event } of fresh) {
      if (seq === task.facts.length && hasEnded(statusOf(task))) await this.#outputs(task)
      this.#telling.send(event, seq)
    }
  }

  async #outputs(task: TaskView): Promise<void> {
    for (const artifact of await outputsOf(this.#place, task))
      this.#telling.send(
        artifactUpdate(task, artifact, { seq: task.facts.length, lastChunk: true }),
      )
  }

  /** The end of a text, or all of it where another attempt has written other words. */
  #rest(task: TaskView, { seq, step, text }: { seq: number; step: number; text: string }) {
    if (seq <= this.#seq) return undefined
    const sent = this.#sent?.step === step ? this.#sent.text : ''
    const goesOn = sent !== '' && text.startsWith(sent)
    const artifact = textArtifact(step, goesOn ? text.slice(sent.length) : text)
    return artifactUpdate(task, artifact, {
      ...{ seq, lastChunk: true },
      ...(goesOn ? { append: true } : {}),
    })
  }

  #flush(): void {
    const task = this.#task
    const writing = this.#writing
    if (!task || !writing || writing.isVoid || task.view.isShaped) return
    const { step, text } = writing
    if (step !== task.view.steps.length) return
    const sent = this.#sent?.step === step ? this.#sent.text : ''
    if (text === sent) return
    const goesOn = sent !== '' && text.startsWith(sent)
    const artifact = textArtifact(step, goesOn ? text.slice(sent.length) : text)
    const how = { step, ...(goesOn ? ({ append: true } as const) : {}) }
    this.#telling.send(artifactUpdate(task, artifact, how))
    this.#sent = { step, text }
  }
}
