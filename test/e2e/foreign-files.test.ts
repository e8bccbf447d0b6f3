/** Files of other programs on the real server: encodings, placeholders, and what is not read. */

import { expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'

const put = async (api: NodeApi, path: string, bytes: Uint8Array): Promise<void> => {
  const answer = await fetch(`${api.url}/v1/files/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.key}` },
    body: new Uint8Array(bytes),
  })
  expect(answer.ok).toBe(true)
}
const head = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Use it: often\n${more}---\n`
const resolved = async (api: NodeApi, more: object = {}) =>
  (await ask(api, 'POST', '/v1/resolve', more)).body

it('an agent in another encoding is named with the fix, also to a caller that requests it', async () => {
  const api = await startNodeApi()
  const text = `${head('wide')}You help.\n`
  await put(api, 'base/.agents/agents/wide.md', Buffer.from(`\uFEFF${text}`, 'utf16le'))
  await put(api, 'base/.agents/agents/old.md', Buffer.from(`${head('old')}It\u0092s.\n`, 'latin1'))
  const { records } = await resolved(api)
  const said = records.flatMap((one: { diagnostics: object[] }) => one.diagnostics)
  expect(said).toMatchObject([
    { code: 'invalid_utf8', message: expect.stringContaining('Windows-1252'), line: 5 },
    {
      code: 'invalid_utf8',
      message: expect.stringContaining('like UTF-16 '),
      hint: 'save it as UTF-8',
    },
  ])
  const { status, body } = await ask(api, 'POST', '/v1/runs', { input: '@say x', agent: 'wide' })
  expect([status, body.code]).toEqual([422, 'agent_unavailable'])
  expect(body.detail).toMatch(/UTF-16.*save it as UTF-8/)
})

it('a key `context` beside a re-quoted value is not a dialogue, and the agent runs', async () => {
  const api = await startNodeApi()
  await putFile(api, 'base/.agents/agents/a.md', `${head('a', 'context: fork\n')}You help.\n`)
  expect(await runToEnd(api, { input: '@say x', agent: 'a' })).toMatchObject({
    status: 'completed',
  })
})

it('a skill of another product is filled in, tools read its folder, and the rest is a warning', async () => {
  const api = await startNodeApi()
  const folder = 'base/.agents/skills/fix'
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders as people write them
  const body = 'Fix $ARGUMENTS by ${CLAUDE_SKILL_DIR}/a.sh, $2.\n!`git status`\n'
  await putFile(api, `${folder}/SKILL.md`, `${head('fix')}${body}`)
  await putFile(api, `${folder}/a.sh`, 'echo fixed')
  await putFile(api, 'repos/app/x.txt', 'x')
  const more = { repo_dir: 'repos/app' }
  const byHand = await runToEnd(api, { ...more, input: '/fix 12 high' })
  expect(byHand.warnings).toMatchObject([
    { code: 'placeholder_unfilled', message: expect.stringContaining('!`git status`') },
  ])
  const events = await eventsOf(api, byHand.id)
  const { data } = events.find(({ type }) => type === 'skill.activated')
  expect(data.text).toContain(`Fix 12 high by ${folder}/a.sh, high.`)
  const calls = [
    '@call skill {"name":"fix","arguments":"12 high"}',
    `@call file_read {"path":"${folder}/a.sh"}`,
    `@call file_list {"path":"${folder}"}`,
  ]
  const run = await runToEnd(api, { ...more, input: `${calls.join('\n')}\n@then\n@say x` })
  const results = (await eventsOf(api, run.id)).filter(({ type }) => type === 'tool.result')
  const texts = Object.fromEntries(results.map((one) => [one.data.tool, one.data.text]))
  expect(texts.skill).toContain(`Fix 12 high by ${folder}/a.sh, high.`)
  expect(texts.skill).toContain('Unfilled: !`git status`')
  expect(texts.file_read).toBe('echo fixed')
  expect(texts.file_list).toContain(`${folder}/a.sh`)
})

it.each(['repos/app', 'base'])(
  'instructions in %s that no run reads cause a warning',
  async (layer) => {
    const api = await startNodeApi()
    const more = layer === 'base' ? {} : { repo_dir: layer }
    await putFile(api, `${layer}/x.md`, 'x')
    const before = await runToEnd(api, { input: '@say x', ...more })
    expect(before.warnings ?? []).toEqual([])
    await putFile(api, `${layer}/AGENTS.md`, 'Be brief.')
    await putFile(api, `${layer}/.github/copilot-instructions.md`, 'Be brief.')
    const { warnings } = await runToEnd(api, { input: '@say x', ...more })
    expect(warnings).toMatchObject([
      {
        code: 'instructions_unread',
        message: expect.stringContaining(
          `${layer}/.github/copilot-instructions.md, ${layer}/AGENTS.md`,
        ),
      },
    ])
    const strict = await ask(api, 'POST', '/v1/runs', { input: '@say x', strict: true, ...more })
    expect(strict.status).toBe(202)
  },
)
