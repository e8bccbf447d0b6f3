/**
 * Writes log lines to a file descriptor. The thread pool writes lines in batches, so requests never
 * wait for the log's reader. If the reader is too slow, lines are dropped and counted, so memory
 * use stays limited.
 */

import { write, writeSync } from 'node:fs'

export interface LogSink {
  /**
   * Adds a log line, given without a line break. With `now`, the line is written before the call
   * returns, if possible.
   */
  line(text: string, now?: boolean): void
  /** Writes buffered log lines before the process exits. */
  flush(): void
}

const GATHER_MS = 20
const AGAIN_MS = 100
const MOST_CHARS = 1_000_000

export function logSink(fd: number): LogSink {
  let waiting = ''
  let droppedLines = 0
  /** True while the thread pool is writing log lines. */
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
      // A slow reader (EAGAIN) may recover; other write errors are permanent.
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
      // Write errors are ignored, because the log currently has no reader.
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
