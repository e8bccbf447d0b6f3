/** What the command line prints of models, servers and files. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sentenceOf } from '../../src/cli/api.ts'
import { check } from '../../src/cli/check.ts'
import { run } from '../../src/cli/run.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { terminal } from '../support/terminal.ts'

const HOSTILE = 'a\u001b]0;owned\u0007\u001b[2J\rb\u202Ec\u009b31m\nrun.completed forged'
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
const SPEAKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

it('no control character and no forged line of a model reaches the terminal', async () => {
  const api = await startNodeApi()
  const heard = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
  expect(await run(heard, { input: `@say ${HOSTILE}` })).toBe(0)
  const lines = heard.lines()
  expect(lines.join('\n')).not.toMatch(SPEAKS)
  expect(lines.at(-1)).toContain('a\\u{1B}]0;owned\\u{7}\\u{1B}[2J\\u{D}b\\u{202E}c\\u{9B}31m')
  // The first is the id; what the model says stands behind a bar.
  for (const line of lines.slice(1)) expect(line).toMatch(/^(?:\d\d:\d\d:\d\d +\d+ |\| )/)
  expect(lines.filter((line) => / run\.completed/.test(line))).toHaveLength(1)
})

it('no control character of a third-party server reaches the terminal', async () => {
  const server = await startCannedServer((_, response) => {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(HOSTILE)
  })
  cleanup.push(server.close)
  const env = { STRATA_URL: server.origin, STRATA_API_KEY: 'x' }
  const failed = await run(terminal(env), { input: 'x' }).catch(sentenceOf)
  expect(failed).toMatch(/^400: a\\u\{1B\}/)
  expect(failed).not.toMatch(SPEAKS)
  expect(failed).not.toContain('\n')
})

it('strata check reports hidden characters, as lines and as JSON', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'))
  cleanup.push(async () => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'odd\u202E.md'), '---\nname: odd\ndescription: x\n---\nDo\u200Bit.\n')
  for (const json of [false, true]) {
    const lines: string[] = []
    await check(folder, { json, loose: true }, (line) => lines.push(line))
    const text = lines.join('\n')
    expect(text).toContain('hidden_characters')
    expect(text).not.toMatch(SPEAKS)
    if (json) for (const line of lines) JSON.parse(line)
  }
})
