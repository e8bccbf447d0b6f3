/** examples/schedule.ts and examples/digest.sh as a person runs them, against the Node host. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { schedules } from '../../src/cli/schedules.ts'
import { createClient } from '../../src/client/index.ts'
import { runExample } from '../support/example.ts'
import { startNodeApi } from '../support/node-api.ts'
import { terminal } from '../support/terminal.ts'

it('examples/schedule.ts fires after ten seconds and by hand, and its end arrives signed', async () => {
  const { url, key } = await startNodeApi()
  const env = { PATH: process.env.PATH ?? '', STRATA_URL: url, STRATA_API_KEY: key }
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/schedule.ts'], { env })
  const lines = stdout.trim().split('\n')
  expect(lines).toContain('Deployed twice, it is one schedule.')
  expect(lines).toContain('Ten seconds later its run has ended, signed.')
  expect(lines.at(-1)).toBe('schedule ok')
})

it('examples/digest.sh runs two nights in one session, with a file each', async () => {
  const { url, key } = await startNodeApi()
  const { code, out } = await runExample('digest.sh', { STRATA_URL: url, STRATA_API_KEY: key })
  expect([out.trim().split('\n').at(-1), code]).toEqual(['digest ok', 0])
})

it('strata schedules and strata schedule list, write, pause, resume, run, and delete', async () => {
  const { url, key } = await startNodeApi()
  const env = { PATH: process.env.PATH ?? '', STRATA_URL: url, STRATA_API_KEY: key }
  const strata = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, ['src/cli/strata.ts', ...args], { env })).stdout
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ cron: '0 2 * * *', input: '@say done' })
  expect(await strata('schedule', 'digest', '--put', body)).toBe('active\n')
  const shown = await (await fetch(`${url}/v1/schedules/digest`, { headers })).json()
  expect(JSON.parse(await strata('schedule', 'digest', '--show', '--json'))).toEqual(shown)
  await expect(strata('schedule', 'digest', '--put', '{')).rejects.toThrow(
    '--put requires valid JSON',
  )
  await expect(strata('schedule', 'digest', '--show', '--run')).rejects.toThrow('cannot be used')
  const table = await strata('schedules')
  expect(table).toMatch(/^name +status +cron\/at\/every +timezone +next_at +last +reason\n/)
  expect(table).toMatch(/\ndigest +active +0 0 2 \* \* \* +UTC +20\S+ +– +–\n$/)
  expect(await strata('schedule', 'digest', '--pause', 'moving')).toBe('paused\n')
  expect(await strata('schedules', '--json')).toContain('"detail":"moving"')
  expect(await strata('schedules')).toMatch(/\ndigest +paused .* moving\n$/)
  const run = (await strata('schedule', 'digest', '--run')).trim()
  expect(run).toMatch(/^run_/)
  await fetch(`${url}/v1/runs/${run}?wait=60`, { headers })
  const slots = await strata('schedule', 'digest')
  expect(slots).toMatch(/^slot +outcome +run_id +reason\n/)
  expect(slots).toContain(run)
  expect(await strata('schedule', 'digest', '--resume')).toBe('active\n')
  expect(await strata('schedules', '--wakeups')).toMatch(/^name .*\n$/)
  expect(await strata('schedule', 'digest', '--delete')).toBe('deleted\n')
  expect(await strata('schedules')).toMatch(/^name .*\n$/)
})

it('strata schedules shows disabled files and the reason', async () => {
  const { url, key } = await startNodeApi()
  const client = createClient({ url, apiKey: key })
  const head = '---\ncron: 0 8 * * 1-5\ntimezone: Europe/Berlin\n---\nReport.\n'
  const put = (path: string, text: string) => client.files.put(path, Buffer.from(text))
  await put('base/.agents/schedules/daily.md', head)
  await put('base/.agents/schedules/broken.md', '---\ncron: never\n---\nReport.\n')
  await put('roles/support/.agents/schedules/weekly.md', head)
  const heard = terminal({ STRATA_URL: url, STRATA_API_KEY: key })
  const lines = async (options: Parameters<typeof schedules>[1] = {}) => {
    const before = heard.lines().length
    expect(await schedules(heard, options)).toBe(0)
    return heard.lines().slice(before + 1)
  }
  expect(await lines()).toEqual([
    expect.stringMatching(
      /^daily +off +0 8 \* \* 1-5 +Europe\/Berlin +– +– +disabled; to enable it, run strata schedule daily --on$/,
    ),
    expect.stringMatching(
      /^broken +off .*base\/\.agents\/schedules\/broken\.md:2 cannot be loaded: /,
    ),
  ])
  const ofRole = await lines({ role: 'support' })
  expect(ofRole.join('\n')).toMatch(
    /^weekly .* to enable it, run strata schedule weekly --on --role support$/m,
  )
  await client.schedules.putSource('daily', {})
  expect((await lines()).map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['daily', 'active'],
    ['broken', 'off'],
  ])
  expect(await schedules(heard, { json: true })).toBe(0)
  expect(heard.errors.at(-1)).toMatch(/^base\/\.agents\/schedules\/broken\.md is disabled: /)
  const { key: narrow } = await client.keys.create({ scopes: ['schedules:read'] })
  const bounded = terminal({ STRATA_URL: url, STRATA_API_KEY: narrow ?? '' })
  expect(await schedules(bounded, {})).toBe(0)
  expect(bounded.errors).toEqual([
    expect.stringMatching(/^strata: could not list disabled schedule files/),
  ])
})

it('a run with start_at starts by itself on Node, and not before', async () => {
  const { url, key, model } = await startNodeApi()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const start_at = new Date(Date.now() + 2_500).toISOString()
  const body = JSON.stringify({ input: '@say hello', start_at, expires_in: 60 })
  const ask = async (path: string, init: object = {}) =>
    (await (await fetch(`${url}${path}`, { headers, ...init })).json()) as Record<string, string>
  const made = await ask('/v1/runs', { method: 'POST', body })
  expect(made).toMatchObject({ status: 'queued', start_at })
  const ended = await ask(`/v1/runs/${made.id}?wait=60`)
  expect(ended).toMatchObject({ status: 'completed' })
  expect(Date.parse(ended.started_at!)).toBeGreaterThanOrEqual(Date.parse(start_at))
  expect(model.requests).toHaveLength(1)
})

it('a preview shows the slots of the schedule that the same due times create', async () => {
  const { url, key } = await startNodeApi()
  const client = createClient({ url, apiKey: key })
  const timing = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
  const { upcoming, findings } = await client.schedules.preview({ ...timing, count: 10 })
  const made = await client.schedules.create({ ...timing, input: '@say x' })
  expect(upcoming.map(({ at }) => at)).toEqual(made.upcoming)
  expect(upcoming.every(({ local }) => /T0[23]:[03]0:00\+0[12]:00$/.test(local))).toBe(true)
  expect(findings.every(({ code }) => code === 'skipped' || code === 'doubled')).toBe(true)
  await expect(client.schedules.preview({ cron: 'banana' })).rejects.toThrow('/cron')
})
