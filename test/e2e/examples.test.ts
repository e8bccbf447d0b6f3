/** Scripts of examples/ as a person runs them, against the Node host. */

import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { runExample } from '../support/example.ts'
import { startNodeApi } from '../support/node-api.ts'

it.each([
  [
    'fanout-ci.sh',
    [
      '2 files are looked at.',
      'The same job again is the same fan-out.',
      'All of them were.',
      'fanout-ci ok',
    ],
  ],
  [
    'approval.sh',
    [
      'The policy asks before a file is written.',
      'The inbox shows the call and its arguments.',
      'A person approves.',
      'The run has continued.',
      'The audit says who.',
      'approval ok',
    ],
  ],
  [
    'github-hook.sh',
    [
      'The hook has a URL of its own and a secret that is shown once.',
      'A wrong signature is refused.',
      'An issue starts a run.',
      'Delivered twice it is the same run.',
      'The run has triaged it.',
      'Its words are data for the model, marked as such.',
      'github-hook ok',
    ],
  ],
])('examples/%s does what it documents', async (name, lines) => {
  const { url, key } = await startNodeApi()
  const { code, out } = await runExample(name, { STRATA_URL: url, STRATA_API_KEY: key })
  expect(out.trim().split('\n')).toEqual(lines)
  expect(code).toBe(0)
})

/** `strata test` as a person types it; no variable of this machine brings a model along. */
const tested = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['src/cli/strata.ts', 'test', ...args], {
    env: { PATH: process.env.PATH ?? '' },
    encoding: 'utf8',
  })

it('the tests of examples/packs pass in one command', () => {
  const { status, stdout, stderr } = tested('examples/packs')
  expect(stderr).toBe('')
  expect(stdout).toMatch(/\n3 tests: 3 ok, 0 failed, 0 with errors, 0 skipped, in \d+ ms\n$/)
  expect(status).toBe(0)
})

it('strata test exits with 1 when a test fails and with 2 on wrong usage', () => {
  const red = tested('test/fixtures/failing-pack')
  expect(red.stdout).toContain('2 tests: 1 ok, 1 failed')
  expect(red.status).toBe(1)
  const none = tested('examples/demo')
  expect(none.stderr).toMatch(/^strata: no tests found in examples\/demo/)
  expect(none.status).toBe(2)
  expect(tested('examples/packs', '--onyl', 'x').status).toBe(2)
})
