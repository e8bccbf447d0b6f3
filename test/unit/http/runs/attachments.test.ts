/** Files that subagents hand over: named where their ends are told, and readable by that name. */

import { expect, it } from 'vitest'
import { factsOf, settle, startRun } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'
import { scriptModel } from '../../../support/script.ts'

/** `ATTACHED` in the arguments of a call is the name that a report in the conversation gives. */
function readingModel() {
  const model = scriptModel()
  return {
    ...model,
    async respond(...given: Parameters<typeof model.respond>) {
      const [, name] =
        /"attachments":\["([^"]+)"/.exec(JSON.stringify(given[0].messages).replaceAll('\\', '')) ??
        []
      const answer = await model.respond(...given)
      if (!answer.ok || name === undefined) return answer
      const parts = answer.value.parts.map((part) =>
        part.type === 'call'
          ? { ...part, arguments: String(part.arguments).replace('ATTACHED', name) }
          : part,
      )
      return { ok: true, value: { ...answer.value, parts } } as const
    },
  }
}

const WRITER =
  '@call file_write {"path":"report.md","content":"the report"}\n@then\n' +
  '@call attach_file {"path":"report.md"}\n@then\n@say written'
const spawns = `@spawn 1 ${JSON.stringify({ task: WRITER })}\n@await\n`

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
const resultsOf = (facts: readonly any[]) =>
  facts
    .filter(({ type }) => type === 'tool.result')
    .map(({ tool, status, text }) => [tool, status, text])

it('a subagent attaches a file: its announcement names it, and the parent reads and forwards it', async () => {
  const api = await testApi({ model: readingModel() })
  const read =
    '@call file_read {"path":"ATTACHED"}\n@then\n@call attach_file {"path":"ATTACHED"}\n@say {last}'
  const id = await startRun(api.world, { input: spawns + read })
  await settle(api.world)
  const facts = await factsOf(api.world, id)
  const announced = facts.find(({ type }) => type === 'subagent.announced') as never as {
    announce: { run_id: string; attachments: string[] }
  }
  const { run_id, attachments } = announced.announce
  expect(attachments).toEqual([`workspaces/${run_id}/report.md`])
  expect(resultsOf(facts)).toContainEqual(['file_read', 'ok', 'the report'])
  const { body } = await api.call('GET', `/v1/runs/${id}`)
  const [link] = body.output.attachments
  const file = { key: attachments[0], media_type: 'text/markdown', bytes: 10 }
  expect(body.output.attachments).toMatchObject([file])
  const open = (path: string) => api.call('GET', path, { key: null })
  const downloaded = await open(link.download.path)
  expect([downloaded.status, downloaded.text]).toEqual([200, 'the report'])
  expect(downloaded.headers.get('content-disposition')).toContain('filename="report.md"')
  expect(downloaded.headers.get('content-security-policy')).toContain('sandbox')
  const { data } = (await api.call('GET', '/v1/runs')).body
  const listed = data.find((one: { id: string }) => one.id === id)
  expect(listed.output.attachments).toEqual([{ ...file, bytes: null, download: null }])

  // A link that was altered, that is of another deployment or whose time is over opens nothing.
  expect((await open(`${link.download.path}0`)).status).toBe(404)
  expect((await open('/v1/downloads?token=v1.AAAA')).status).toBe(404)
  expect((await open('/v1/downloads')).status).toBe(400)
  api.world.clock.advance(901_000)
  expect((await open(link.download.path)).status).toBe(410)

  // Who goes on in its session was told of it too; nobody else was.
  const again = { input: `@call file_read {"path":"${attachments[0]}"}\n@say {last}` }
  const next = await startRun(api.world, { ...again, session_id: body.session_id })
  const stranger = await startRun(api.world, again)
  await settle(api.world)
  expect(resultsOf(await factsOf(api.world, next))).toEqual([['file_read', 'ok', 'the report']])
  const [refused] = resultsOf(await factsOf(api.world, stranger))
  expect(refused?.slice(0, 2)).toEqual(['file_read', 'error'])
})

it('a file that was not attached is unreadable, even to the run that started its writer', async () => {
  const api = await testApi({ model: readingModel() })
  const secret = '@call file_write {"path":"secret.md","content":"mine"}\n@then\n'
  const task = JSON.stringify({ task: secret + WRITER })
  const script = `@spawn 1 ${task}\n@await\n@call file_read {"path":"ATTACHED/../secret.md"}\n`
  const id = await startRun(api.world, { input: `${script}@say {last}` })
  const other = await startRun(api.world, { input: `${spawns}@say x` })
  await settle(api.world)
  const child = (await api.call('GET', `/v1/runs/${other}/children`)).body.data[0].id
  const direct = await startRun(api.world, {
    input: `@call file_read {"path":"workspaces/${child}/secret.md"}\n@say {last}`,
  })
  await settle(api.world)
  for (const one of [id, direct]) {
    const results = resultsOf(await factsOf(api.world, one))
    expect(results.every(([, status]) => status === 'error')).toBe(true)
  }
})

it('200 fan-out results, events, and the closing run list attachments, and give a count above 20', async () => {
  const web = receivers()
  const api = await testApi({ web, model: readingModel() })
  const files = Array.from({ length: 25 }, (_, at) => `f${at}.md`)
  const writes = files.map((path) => `@call file_write {"path":"${path}","content":"${path}"}`)
  const attaches = files.map((path) => `@call attach_file {"path":"${path}"}`)
  const secret = `whsec_${btoa('x'.repeat(32))}`
  const made = await api.call('POST', '/v1/fanouts', {
    json: {
      tasks: [
        { task: [...writes, '@then', ...attaches, '@then', '@say many'].join('\n') },
        { task: WRITER },
        { task: '@say nothing' },
      ],
      then: {
        input:
          '@call file_read {"path":"ATTACHED"}\n@then\n@call attach_file {"path":"ATTACHED"}\n@say {last}',
      },
      webhook: {
        url: 'https://receiver.example/',
        secret,
        events: ['subagent.announced', 'fanout.completed'],
      },
    },
  })
  expect(made.status).toBe(202)
  await settle(api.world)
  const { body } = await api.call('GET', `/v1/fanouts/${made.body.id}`)
  const [many, one, none] = body.results
  expect(many.attachments).toHaveLength(20)
  expect(many.attachments_left_out).toBe(5)
  expect(one).toMatchObject({
    attachments: [`workspaces/${one.run_id}/report.md`],
    attachments_left_out: 0,
  })
  expect(none).toMatchObject({ attachments: [], attachments_left_out: 0 })
  expect(body.output.attachments).toEqual([many.attachments[0]])
  const closing = resultsOf(await factsOf(api.world, body.closing_run_id))
  expect(closing).toContainEqual(['file_read', 'ok', 'f0.md'])
  const seen = web.got.map(({ json }) => json)
  const announced = seen.filter(({ type }) => type === 'subagent.announced')
  expect(announced.map(({ data }) => data.data.announce.attachments?.length ?? 0).sort()).toEqual([
    0, 1, 1, 20,
  ])
  const end = seen.find(({ type }) => type === 'fanout.completed')
  expect(end.data.data.output.attachments).toEqual([many.attachments[0]])
})
