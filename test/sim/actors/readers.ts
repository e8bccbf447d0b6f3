/** Who follows a stream over as many connections as it takes must end with exactly the log. */

import { I9_eventsSayTheFacts, I9_pagesSayTheSame, type SeenEvent } from '../laws/pages.ts'
import type { Answer, Line } from '../world/line.ts'
import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** After so many connections a reader takes its time. */
const IMPATIENT = 400
const LONGEST_MS = 300_000

interface Seen {
  readonly seq: number
  readonly text: string
}

export class Readers {
  readonly #sim: Sim
  readonly #line: Line

  constructor(sim: Sim, line: Line) {
    this.#sim = sim
    this.#line = line
  }

  /** Reads the stream to its end over as many connections as it takes. */
  async follow({ id, tenant }: { id: string; tenant: string }): Promise<void> {
    const seen: Seen[] = []
    let pause = 500
    for (let connection = 0; connection < 2 * IMPATIENT; connection += 1) {
      const last = seen.at(-1)?.seq
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (last !== undefined) headers['last-event-id'] = String(last)
      const answer = await this.#line.ask(
        tenant,
        'GET',
        `/v1/runs/${id}/events`,
        undefined,
        headers,
      )
      if (answer?.status === 404 && this.#sim.law.retention.isGone(`${tenant}/run/${id}`)) {
        return this.#sim.rare('a reader comes after the deletion')
      }
      if (answer?.status === 204) {
        const events = this.#compare(`${tenant}/run/${id}`, seen)
        return events && I9_pagesSayTheSame(this.#sim, this.#line, { id, tenant }, events)
      }
      if (answer?.status === 200) {
        const before = seen.length
        await this.#read(answer, seen)
        pause = seen.length > before ? 500 : Math.min(LONGEST_MS, pause * 2)
      }
      if (connection > 0) this.#sim.rare('reader reconnected')
      // Nobody was there for long: it comes back now and then, until everything has healed.
      if (connection >= IMPATIENT) pause = LONGEST_MS
      await this.#line.sleep(pause)
    }
    this.#sim.law.breach('I9_everyStreamEnds', `${tenant}/run/${id} was followed in vain`)
  }

  async #read({ response, process }: Answer, seen: Seen[]): Promise<void> {
    const reader = response.body!.getReader()
    const broken = this.#broken(process)
    let text = ''
    for (;;) {
      // A stream that fails is a connection that breaks.
      const next = reader.read().catch(() => undefined)
      const chunk = await Promise.race([next, broken.promise])
      if (chunk === undefined || chunk.done) break
      text += Buffer.from(chunk.value).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const seq = /^id: (\d+)$/m.exec(block)?.[1]
        if (seq !== undefined)
          seen.push({ seq: Number(seq), text: /^data: ([^\n]*)$/m.exec(block)![1]! })
      }
    }
    broken.forget()
    if (process.alive) await reader.cancel().catch(() => undefined)
  }

  /** Resolves when the connection breaks: its process dies, or chance cuts it. */
  #broken(process: Process) {
    const { faults, schedule, chance } = this.#sim
    let end: (value: undefined) => void = () => {}
    const promise = new Promise<undefined>((resolve) => {
      end = resolve
    })
    const forget = process.onDeath(() => end(undefined))
    if (faults.strikes('client disconnect')) {
      schedule.after(chance.between(100, 30_000), null, 'client disconnects', () => end(undefined))
    }
    return { promise, forget }
  }

  #compare(partition: string, seen: readonly Seen[]): SeenEvent[] | undefined {
    const { law } = this.#sim
    const shadow = law.runs.get(partition)
    const facts = shadow?.facts ?? []
    const dense = seen.every(({ seq }, index) => seq === index + 1)
    if (!shadow || !dense || seen.length !== facts.length) {
      const seqs = seen.map(({ seq }) => seq).join(' ')
      law.breach('I9_readersSeeTheLog', `${partition}: ${seqs}, of ${facts.length}`)
      return undefined
    }
    for (const { text } of seen) law.I22_noSecret(text, 'a stream')
    const events = seen.map(({ text }) => JSON.parse(text) as SeenEvent)
    I9_eventsSayTheFacts(this.#sim, shadow, events)
    this.#sim.rare('stream read to its end')
    return events
  }
}
