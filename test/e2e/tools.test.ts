/** `GET /v1/tools` and `strata tools` through a running server. */

import { beforeEach, expect, it } from 'vitest'
import type { Terminal } from '../../src/cli/terminal.ts'
import { tools } from '../../src/cli/tools.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask } from '../support/node-client.ts'

let api: NodeApi
beforeEach(async () => {
  api = await startNodeApi()
})

interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function strata(given: Parameters<typeof tools>[1]): Promise<Printed> {
  const out: string[] = []
  const err: string[] = []
  const terminal = {
    env: { STRATA_URL: api.url, STRATA_API_KEY: api.key },
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  } as unknown as Terminal
  return { code: await tools(terminal, given), out: out.join('\n'), err: err.join('\n') }
}

it('a tool is listed with its aliases, its approval, and what this deployment lacks', async () => {
  const { data } = (await ask(api, 'GET', '/v1/tools')).body
  const named = (name: string) => data.find((tool: { name: string }) => tool.name === name)
  expect(named('shell_execute').aliases).toContain('Bash')
  expect(named('shell_execute')).toMatchObject({ needs_approval: true, user_facing: false })
  expect(named('web_fetch')).toMatchObject({ needs_approval: false, user_facing: true })
  expect(named('web_search').unavailable).toEqual(expect.stringContaining('BRAVE_API_KEY'))
  expect(named('file_read')).toMatchObject({ unavailable: null, condition: null })
  expect(named('skill').condition).toBe('this run has no skills')
})

it('strata tools prints the same list as the API', async () => {
  const { data } = (await ask(api, 'GET', '/v1/tools')).body
  const { code, out } = await strata({ json: true })
  expect(code).toBe(0)
  expect(out.split('\n').map((line) => JSON.parse(line))).toEqual(data)
  const lines = (await strata({})).out.split('\n')
  expect(lines).toHaveLength(data.length + 1)
  expect(lines[0]).toMatch(/^name +description$/)
  expect(lines[1]).toMatch(/^file_read +Reads a file/)
  expect(lines.filter((line) => line.endsWith('e.g.'))).toEqual([])
})

it('strata tools finds a tool by its name in another product', async () => {
  const { code, out } = await strata({ name: 'bash' })
  expect(code).toBe(0)
  expect(out).toMatch(/^shell_execute\n/)
  expect(out).toContain('approval: each call requires approval')
  expect(out).toContain('"command"')
})

it('strata tools names the nearest tool for an unknown one', async () => {
  const { code, out, err } = await strata({ name: 'file_raed' })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe('strata: unknown tool file_raed; did you mean file_read?')
})
