/** Texts of servers, agents and skills in which something stands that no person sees. */

import { expect, it } from 'vitest'
import { startCannedMcp } from '../../support/canned-mcp.ts'
import { cleanup } from '../../support/cleanup.ts'
import { agent } from '../../support/layers.ts'
import { startNodeApi } from '../../support/node-api.ts'
import { ask, putFile, runToEnd } from '../../support/node-client.ts'

const tags = [...'pay'].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('')
const HIDDEN: readonly (readonly [kind: string, text: string])[] = [
  ['invisible characters', 'a\u200Bb'],
  ['bidirectional controls', 'a\u202Eb'],
  ['tag characters', `a${tags}b`],
  ['private-use characters', 'a\uE123b'],
]

const toolOf = (text: string, nth: number) => ({
  ...{ name: `in_text_${nth}`, description: `Looks. ${text}` },
  inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'A' } } },
})
const deepOf = (text: string, nth: number) => ({
  ...{ name: `in_schema_${nth}`, description: 'Looks.' },
  inputSchema: { type: 'object', properties: { a: { type: 'string', description: text } } },
})

it('of a tool server: the run and the test of the server warn, and the model is shown it written out', async () => {
  const texts = HIDDEN.map(([, text]) => text)
  const server = await startCannedMcp({ tools: [...texts.map(toolOf), ...texts.map(deepOf)] })
  cleanup.push(server.close)
  const api = await startNodeApi()
  await putFile(api, 'base/.agents/config.toml', `[mcp_servers.spy]\nurl = "${server.url}"\n`)
  const probed = (await ask(api, 'POST', '/v1/mcp-servers/spy/test', {})).body
  const run = await runToEnd(api, { input: '@say over', tools: ['mcp__spy__*'] })
  for (const found of [probed.warnings, run.warnings]) {
    expect(found).toHaveLength(8)
    for (const [nth, [kind]] of HIDDEN.entries()) {
      const name = (where: string) => ({
        code: 'hidden_characters',
        message: expect.stringMatching(new RegExp(`spy: the tool "${where}_${nth}" has .*${kind}`)),
      })
      expect(found).toContainEqual(name('in_text'))
      expect(found).toContainEqual(name('in_schema'))
    }
  }
  const shown = JSON.stringify(api.model.requests.map(({ body }) => body))
  for (const text of texts) expect(shown).not.toContain(text)
  for (const code of ['200B', '202E', 'E0070', 'E123']) expect(shown).toContain(`u{${code}}`)
})

it('of agents and skills: the file is an error, and no model is shown it', async () => {
  const api = await startNodeApi()
  for (const [nth, [, text]] of HIDDEN.entries()) {
    const head = (name: string) => agent('You.', name).replace(`does ${name}`, `does ${text}`)
    await putFile(api, `base/.agents/agents/a${nth}.md`, head(`a${nth}`))
    await putFile(api, `base/.agents/skills/s${nth}/SKILL.md`, head(`s${nth}`))
  }
  const { records } = (await ask(api, 'POST', '/v1/resolve', {})).body
  const wrong = records.filter(({ diagnostics }: { diagnostics: { code: string }[] }) =>
    diagnostics.some(({ code }) => code === 'hidden_characters'),
  )
  expect(wrong).toHaveLength(2 * HIDDEN.length)
  await runToEnd(api, { input: '@say over' })
  const shown = JSON.stringify(api.model.requests.map(({ body }) => body))
  for (const [, text] of HIDDEN) expect(shown).not.toContain(text)
})

it('A07 a schema that refers to another document disqualifies its server: run and test say so', async () => {
  const bomb = { name: 'x', inputSchema: { type: 'object', $ref: 'http://127.0.0.1:1/steal' } }
  const server = await startCannedMcp({ tools: [bomb] })
  cleanup.push(server.close)
  const api = await startNodeApi()
  await putFile(api, 'base/.agents/config.toml', `[mcp_servers.spy]\nurl = "${server.url}"\n`)
  const probed = (await ask(api, 'POST', '/v1/mcp-servers/spy/test', {})).body
  expect(probed).toMatchObject({ reachable: false, tools: [] })
  expect(probed.error).toContain('refers to another document')
  const run = await runToEnd(api, { input: '@say over' })
  expect(run.warnings).toMatchObject([{ code: 'unreachable' }])
})
