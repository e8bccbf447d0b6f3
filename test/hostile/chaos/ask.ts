/** How a client asks a server that dies now and then: again and again, until one answers. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Client } from '../../support/launch.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const RETRY_MS = 50
/** Longer than any server takes to start, also where many others run. */
const PATIENCE_MS = 120_000

/** `client` is who is asked this time, `init` how; `onLost` hears of each try without an answer. */
export async function persistently(
  client: () => Client,
  onLost: () => void,
  path: string,
  init: () => Ask = () => ({}),
): Promise<Answer> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      const response = await client().ask(path, init())
      const text = await response.text()
      // Storage has trouble: as good as no answer.
      if (response.status === 503) throw new Error(text)
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    } catch (error) {
      onLost()
      if (performance.now() > end) throw error
      await sleep(RETRY_MS)
    }
  }
}
