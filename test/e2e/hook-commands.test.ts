/** `strata hooks` and `strata usage` as a person types them, on the real server. */

import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRun, MAIN, sharedServer, untilEnd } from '../support/server.ts'

const server = sharedServer()
const strata = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const env = { STRATA_URL: server().url, STRATA_API_KEY: server().key }
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
const folder = mkdtempSync(join(tmpdir(), 'strata-hooks-'))
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

it('a hook is made and tried on a payload out of a file; what is wrong is said, with code 1', async () => {
  const template = file('template.md', 'Ticket {{ticket.id}} {{ticket.text}}')
  const made = await strata('hooks', 'create', '--scheme', 'standard', '--template', template)
  expect(made, made.err).toMatchObject({ code: 0 })
  const [id = ''] = made.out.split(' ')
  expect((await strata('hooks', 'list')).out).toContain(id)
  const payload = file('payload.json', '{"type":"ticket.new","ticket":{"id":"7731"}}')
  const tried = await strata('hooks', 'try', id, '--payload', payload)
  expect(tried, tried.err).toMatchObject({ code: 0 })
  expect(tried.out).toContain('7731')
  expect(tried.err).toContain('It would start general.')
  expect(tried.err).toContain('Not in the payload: ticket.text')
  const other = await strata('hooks', 'try', id, '--payload', payload, '--event', 'ticket.closed')
  expect(other).toMatchObject({ code: 1 })
  expect(other.err).toContain('ticket.new')
  const broken = file('broken.json', '{')
  for (const args of [[], ['--payload', broken], ['--payload', join(folder, 'none')]])
    expect(await strata('hooks', 'try', id, ...args)).toMatchObject({ code: 2 })
})

it('usage is printed by day, agent and model, with one total', async () => {
  const { id } = await createRun(server(), { input: 'Hello.' })
  await untilEnd(server(), id)
  const days = await strata('usage')
  const agents = await strata('usage', '--by', 'agent')
  expect(agents.out).toMatch(/^general {2}\d+ runs/m)
  expect(days.out.split('\n').at(-2)).toBe(agents.out.split('\n').at(-2))
  expect(agents.out).toMatch(/^total {2}/m)
  expect((await strata('usage', '--by', 'tool')).code).toBe(2)
})
