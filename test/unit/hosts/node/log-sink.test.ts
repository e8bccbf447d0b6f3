import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { logSink } from '../../../../src/hosts/node/log-sink.ts'
import { createLog, failureEntry } from '../../../../src/hosts/shared/log.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { until } from '../../../support/patience.ts'

function file() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-log-'))
  const path = join(folder, 'log')
  const fd = openSync(path, 'w')
  cleanup.push(async () => {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  return { fd, text: () => readFileSync(path, 'utf8') }
}

it('lines are written in order, a moment later, without blocking the caller', async () => {
  const { fd, text } = file()
  const sink = logSink(fd)
  for (let i = 0; i < 1_000; i += 1) sink.line(`line ${i}`)
  expect(text()).toBe('')
  await until('1,000 lines', () => text().split('\n').length === 1_001)
  expect(text()).toBe(Array.from({ length: 1_000 }, (_, i) => `line ${i}\n`).join(''))
})

it('an error is written at once, after all earlier lines, because the process may crash', () => {
  const { fd, text } = file()
  const sink = logSink(fd)
  sink.line('before')
  sink.line('error', true)
  expect(text()).toBe('before\nerror\n')
})

it('lines that cannot be written are dropped, and their number is logged', async () => {
  const { fd, text } = file()
  const sink = logSink(fd)
  const line = 'x'.repeat(1_000)
  for (let i = 0; i < 1_500; i += 1) sink.line(line)
  await until('the number of lines', () => text().includes('log.dropped'))
  const kept = text()
    .split('\n')
    .filter((one) => one === line).length
  const last = JSON.parse(text().trimEnd().split('\n').at(-1) ?? '') as { lines: number }
  expect(kept + last.lines).toBe(1_500)
})

it('on a terminal an entry is one line, followed by its stack', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', sink: (line) => lines.push(line), pretty: true })
  log.write({ level: 'info', event: 'request', path: '/a', status: 200, run_id: undefined })
  log.write({ level: 'warn', event: 'x', message: 'two words\n\u001b[31m', none: null })
  log.write({ level: 'debug', event: 'quiet' })
  log.write(failureEntry('default/run/run_1', new Error('broken')))
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^[\d:.]{12} info {2}request path=\/a status=200$/)
  expect(lines[1]).toContain('message="two words\\\\n\\\\u{1B}[31m"')
  expect(lines[2]).toMatch(/error error where=default\/run\/run_1 .*run_id=run_1\nError: broken\n/)
})
