/**
 * Lines of the log on their way to a file descriptor: gathered for a moment and written by the
 * thread pool, so that no request waits for the log's reader. A reader that does not come costs
 * lines, which are counted, and no memory.
 */

import { write, writeSync } from 'node:fs'

export interface LogSink {
  /** A line without its end. `now`: it is written before this returns, if it can be. */
  line(text: string, now?: boolean): void
  /** Lines that are still here; for the end of the process. */
  flush(): void
}

const GATHER_MS = 20
const AGAIN_MS = 100
const MOST_CHARS = 1_000_000

export function logSink(fd: number): LogSink {
  let waiting = ''
  let droppedLines = 0
  /** Lines that the thread pool is writing. */
  let busy = false
  let due = false
  const later = (ms: number): void => {
    if (due) return
    due = true
    setTimeout(send, ms).unref()
  }
  const take = (): string => {
    const notice =
      droppedLines === 0 ? '' : `{"level":"warn","event":"log.dropped","lines":${droppedLines}}\n`
    const text = waiting + notice
    waiting = ''
    droppedLines = 0
    return text
  }
  const send = (): void => {
    due = false
    if (busy || (waiting === '' && droppedLines === 0)) return
    put(Buffer.from(take()))
  }
  const put = (bytes: Buffer): void => {
    busy = true
    write(fd, bytes, (error, byteCount) => {
      const remaining = error ? bytes : bytes.subarray(byteCount)
      // A reader that is slow (EAGAIN) comes back; any other error has no remedy.
      if (error?.code === 'EAGAIN') return void setTimeout(() => put(remaining), AGAIN_MS).unref()
      if (!error && remaining.length > 0) return put(remaining)
      busy = false
      if (waiting !== '') later(GATHER_MS)
    })
  }
  const flush = (): void => {
    if (busy || waiting === '') return
    try {
      writeSync(fd, take())
    } catch {
      // The output is not read, or not now.
    }
  }
  return {
    line(text, now = false) {
      if (waiting.length > MOST_CHARS) droppedLines += 1
      else waiting += `${text}\n`
      if (now) flush()
      else later(GATHER_MS)
    },
    flush,
  }
}
