/** A model asks the user: the run waits, the next message is the answer, or time goes on. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { Unavailable } from '../../../../src/lib/unavailable.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { factsOf, look, settle, startRun } from '../../../support/drive.ts'
import { testApi as httpApi } from '../../../support/http.ts'

let api: TestApi
let paid: unknown[]
beforeEach(async () => {
  const server = bank()
  paid = server.calls
  api = await testApi({ tools: server.tools, web: OPEN, settings: { maxDepth: 2 } })
  await api.write({ 'base/.agents/config.toml': BANK })
})

const ASK =
  '@call ask_user {"question":"Which colour?","choices":[{"label":"red"},{"label":"blue"}]}'
const run = async (input: string, more = {}): Promise<string> => {
  const id = await startRun(api.world, { input, ...more })
  await settle(api.world)
  return id
}
const stateOf = async (id: string) => (await look(api.world, id)).state
const viewOf = async (id: string) => (await api.call(`GET /v1/runs/${id}`)).body
const say = async (id: string, content: string, key?: string) => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const answer = await api.call(`POST /v1/runs/${id}/messages`, { content }, headers)
  await settle(api.world)
  return answer
}
const types = (facts: readonly RunFact[]): string[] => facts.map(({ type }) => type)
const later = async (ms: number) => {
  api.world.clock.advance(ms)
  await tick(api.world)
  await settle(api.world)
}
const childOf = async (id: string): Promise<string> =>
  [...(await stateOf(id)).calls.values()].at(-1)!.child!.run_id

describe('ask_user', () => {
  it('parks the run; the next message is the result of the call', async () => {
    const id = await run(`${ASK}\n@then\n@say I take {last}`)
    expect(await viewOf(id)).toMatchObject({
      status: 'waiting',
      waiting_on: 'input',
      question: {
        questions: [{ question: 'Which colour?', choices: [{ label: 'red' }, { label: 'blue' }] }],
      },
    })
    const [call] = (await stateOf(id)).calls.keys()
    expect(await say(id, 'blue', 'the-answer')).toMatchObject({
      status: 202,
      body: { answers: call },
    })
    const shown = await viewOf(id)
    expect(shown).toMatchObject({ status: 'completed', output: { text: 'I take blue' } })
    expect(shown.question).toBeUndefined()
    expect(types(await factsOf(api.world, id))).toEqual([
      'run.created',
      'run.started',
      'assistant.message',
      'question.asked',
      'run.waiting',
      'message.received',
      'question.answered',
      'run.resumed',
      'tool.result',
      'assistant.message',
      'run.completed',
    ])
    const again = await say(id, 'blue', 'the-answer')
    expect(again).toMatchObject({ status: 202, body: { answers: call } })
    expect(await say(id, 'red', 'the-answer')).toMatchObject({ status: 422 })
    expect(await say(id, 'red')).toMatchObject({ status: 409 })
  })

  it('only the first message answers, the second is an ordinary message', async () => {
    const id = await run(`${ASK}\n@then\n@fail 503 times=1\n@say {last}`)
    const first = api.call(`POST /v1/runs/${id}/messages`, { content: 'blue' })
    const second = api.call(`POST /v1/runs/${id}/messages`, { content: '@say no, red' })
    const answers = (await Promise.all([first, second])).map(({ body }) => body.answers)
    expect(answers.filter((one) => one !== null)).toHaveLength(1)
    await settle(api.world)
    await later(5_000)
    const { status, calls, pending_input } = await stateOf(id)
    expect(status).toBe('completed')
    expect([...calls.values()]).toHaveLength(1)
    expect(pending_input).toHaveLength(1)
  })

  it('asks two questions sequentially', async () => {
    const id = await run(
      '@call ask_user {"question":"First?"}\n@call ask_user {"question":"Second?"}\n@then\n@say {last}',
    )
    expect((await viewOf(id)).question.questions).toMatchObject([{ question: 'First?' }])
    await say(id, 'one')
    expect((await viewOf(id)).question.questions).toMatchObject([{ question: 'Second?' }])
    await say(id, 'two')
    const state = await stateOf(id)
    expect(state.status).toBe('completed')
    expect([...state.calls.values()].map(({ result }) => result?.text)).toEqual(['one', 'two'])
  })

  it('accepts the questions of AskUserQuestion, answered by one message', async () => {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: true,
        options: [{ label: 'red', description: 'warm' }, { label: 'blue' }],
      },
      { question: 'How many?' },
    ]
    const id = await run(`@call ask_user ${JSON.stringify({ questions })}\n@then\n@say {last}`)
    expect((await viewOf(id)).question.questions).toEqual([
      {
        question: 'Colour: Which colour?',
        choices: [{ label: 'red', description: 'warm' }, { label: 'blue' }],
        multiple: true,
      },
      { question: 'How many?' },
    ])
    await say(id, 'red and blue; two')
    expect((await viewOf(id)).output.text).toBe('red and blue; two')
  })

  it('continues without an answer when its time is over', async () => {
    const ask = '@call ask_user {"question":"Still there?","expires_in_seconds":60}'
    const id = await run(`${ask}\n@then\n@say {last}`)
    await later(59_000)
    expect(await stateOf(id)).toMatchObject({ status: 'waiting' })
    await later(2_000)
    const { output } = await viewOf(id)
    expect(output.text).toMatch(/^expired: no answer arrived in time/)
    const facts = await factsOf(api.world, id)
    expect(facts.find(({ type }) => type === 'question.answered')).toMatchObject({
      outcome: 'expired',
      message_id: null,
    })
  })

  it("stops the run's clock, for as long as the caller allows", async () => {
    const approvals = { expires_seconds: 7_200, on_expiry: 'deny', unattended: false }
    const more = { limits: { timeout_seconds: 60 }, approvals }
    const id = await run(`${ASK}\n@then\n@say {last}`, more)
    await later(7_000_000)
    expect(await stateOf(id)).toMatchObject({ status: 'waiting' })
    await say(id, 'blue')
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  })

  it('ends on a cancel, and the transcript states that there was no answer', async () => {
    const id = await run(`${ASK}\n@say {last}`)
    await api.call(`POST /v1/runs/${id}/cancel`, {})
    await settle(api.world)
    const shown = await viewOf(id)
    expect(shown).toMatchObject({ status: 'cancelled' })
    expect(shown.question).toBeUndefined()
    expect(await say(id, 'blue')).toMatchObject({ status: 409 })
  })

  it('is refused in an unattended run, and with arguments that contain no question', async () => {
    const approvals = { expires_seconds: 60, on_expiry: 'deny', unattended: true }
    const id = await run(`${ASK}\n@then\n@say {last}`, { approvals })
    expect((await viewOf(id)).output.text).toMatch(/^unattended: no person can answer/)
    for (const given of [
      '{}',
      '{"question":" "}',
      '{"question":"a","questions":[{"question":"b"}]}',
    ]) {
      const other = await run(`@call ask_user ${given}\n@then\n@say {last}`)
      expect((await viewOf(other)).output.text).toMatch(/^invalid_arguments/)
    }
  })

  it('the policy may require approval before the question reaches the user', async () => {
    await setPolicy(api.world, { approvals: { ask_user: 'ask' } })
    const id = await run(`${ASK}\n@then\n@say {last}`)
    expect(await stateOf(id)).toMatchObject({ waiting: { on: 'approval' } })
    const [{ id: approval }] = (await api.call('GET /v1/approvals')).body.data
    await api.call(`POST /v1/approvals/${approval}/decision`, { decision: 'approve' })
    await settle(api.world)
    expect(await stateOf(id)).toMatchObject({ waiting: { on: 'input' } })
    await say(id, 'blue')
    expect((await viewOf(id)).output.text).toBe('blue')
  })

  it('waits alongside an approval: each has a separate answer', async () => {
    await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
    const id = await run(`${ASK}\n@call mcp__bank__pay {"amount":1}\n@then\n@say {last}`)
    expect(await stateOf(id)).toMatchObject({ waiting: { on: 'approval' } })
    await say(id, 'blue')
    expect(await stateOf(id)).toMatchObject({ waiting: { on: 'approval' } })
    const [{ id: approval }] = (await api.call('GET /v1/approvals')).body.data
    await api.call(`POST /v1/approvals/${approval}/decision`, { decision: 'approve' })
    await settle(api.world)
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(paid).toHaveLength(1)
  })

  it('in a subagent stops the clocks above, and is answered in the subagent', async () => {
    const task = JSON.stringify({ task: `${ASK}\n@then\n@say {last}` })
    const id = await run(`@spawn 1 ${task}\n@await\n@say {results}`)
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', waiting: { on: 'input' } })
    const child = await childOf(id)
    expect(await viewOf(child)).toMatchObject({ waiting_on: 'input' })
    await say(child, 'blue')
    expect(await viewOf(id)).toMatchObject({ status: 'completed', output: { text: '1' } })
    const announced = (await factsOf(api.world, id)).find(
      ({ type }) => type === 'subagent.announced',
    )
    expect(announced).toMatchObject({ announce: { result: 'blue' } })
  })

  it('a message from the parent model answers no question', async () => {
    const task = `${ASK}\n@then\n@say {last}`
    const given = JSON.stringify({ task, label: 'w' })
    const send = '@call subagents {"action":"send","target":"w","message":"take red"}'
    const id = await run(
      `@spawn 1 ${given}\n@then\n@slow 50\n${send}\n@then\n@await\n@say {results}`,
    )
    const child = await childOf(id).catch(() => undefined)
    const facts = await factsOf(api.world, id)
    const started = facts.find(({ type }) => type === 'subagent.spawned') as { run_id: string }
    expect(child ?? started.run_id).toBe(started.run_id)
    const below = await stateOf(started.run_id)
    expect(below.pending_input).toMatchObject([{ kind: 'message', text: 'take red' }])
    expect(below).toMatchObject({ status: 'waiting', waiting: { on: 'input' } })
    await say(started.run_id, 'blue')
    const [call] = (await stateOf(started.run_id)).calls.values()
    expect(call?.result?.text).toBe('blue')
  })

  it('reaches the webhook of the root from any descendant', async () => {
    const webhook = {
      url: 'https://hook.example/',
      events: ['question.asked', 'question.answered'],
    }
    const task = JSON.stringify({ task: `${ASK}\n@then\n@say {last}` })
    const id = await run(`@spawn 1 ${task}\n@await\n@say {results}`, { webhook })
    await say(await childOf(id), 'blue')
    const { data } = (await api.call('GET /v1/webhook-deliveries')).body
    const sent = data.map(({ event_type }: { event_type: string }) => event_type).sort()
    expect(sent).toEqual(['question.answered', 'question.asked'])
  })
})

describe('a session input', () => {
  const post = async (json: object, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await api.call('POST /v1/runs', json, headers)
    await settle(api.world)
    return answer
  }
  const session = async (id: string): Promise<string> => (await stateOf(id)).spec!.session_id

  it('answers the pending question of its run once, even when repeated', async () => {
    const id = await run(`${ASK}\n@then\n@say I take {last}`)
    const [question] = (await stateOf(id)).calls.keys()
    const json = { input: 'blue', session_id: await session(id), label: 'x' }
    const first = await post(json, 'the-answer')
    expect(first).toMatchObject({
      status: 202,
      body: { id, answered: { run_id: id, question, ignored: ['label'] } },
    })
    expect(await viewOf(id)).toMatchObject({ output: { text: 'I take blue' } })
    const again = await post(json, 'the-answer')
    expect(again).toMatchObject({ status: 202, body: { id, answered: { question } } })
    expect(again.body.answered.message_id).toBe(first.body.answered.message_id)
    expect((await api.call('GET /v1/runs')).body.data).toHaveLength(1)
    const next = await post({ ...json, input: '@say new' })
    expect(next.body.answered).toBeUndefined()
    expect(next.body.id).not.toBe(id)
  })

  it('a key reserved by a process that died still answers once', async () => {
    const { world, call, settle: rest } = await httpApi()
    const { id, session_id } = (
      await call('POST', '/v1/runs', { json: { input: `${ASK}\n@then\n@say I take {last}` } })
    ).body
    await rest()
    const json = { input: 'blue', session_id }
    const headers = { 'idempotency-key': 'the-answer' }
    const { commit } = world.store
    // The reservation is written, the message is not.
    const broken: typeof commit = async (partition, ...more) => {
      if (partition.includes(`/run/${id}`)) throw new Unavailable('died')
      return commit.call(world.store, partition, ...more)
    }
    world.store.commit = broken
    expect((await call('POST', '/v1/runs', { json, headers })).status).toBe(503)
    world.store.commit = commit
    expect((await call('GET', `/v1/runs/${id}`)).body).toMatchObject({ waiting_on: 'input' })
    const again = await call('POST', '/v1/runs', { json, headers })
    expect(again).toMatchObject({ status: 202, body: { id, answered: { run_id: id } } })
    expect(again.body.answered.question).not.toBeNull()
    await rest()
    const { body } = await call('GET', `/v1/runs/${id}`)
    expect(body).toMatchObject({ output: { text: 'I take blue' } })
  })

  it('waits or interrupts when requested, and so does a conversation', async () => {
    const id = await run(`${ASK}\n@then\n@say {last}`)
    const session_id = await session(id)
    const queued = await post({ input: '@say b', session_id, on_busy: 'enqueue' })
    expect(queued.body).toMatchObject({ status: 'waiting', waiting_on: 'session' })
    const input = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: '@say c' },
    ]
    expect((await post({ input, session_id })).body.waiting_on).toBe('session')
    await post({ input: '@say d', session_id, on_busy: 'interrupt' })
    expect((await viewOf(id)).status).toBe('cancelled')
  })

  it('answers a subagent of that run', async () => {
    const task = JSON.stringify({ task: `${ASK}\n@then\n@say {last}` })
    const id = await run(`@spawn 1 ${task}\n@await\n@say done`)
    const answer = await post({ input: 'blue', session_id: await session(id) })
    expect(answer.body).toMatchObject({ id, answered: { run_id: await childOf(id) } })
    expect(await viewOf(id)).toMatchObject({ status: 'completed' })
  })
})

describe('todo', () => {
  const todo = (todos: object[]) => `@call todo ${JSON.stringify({ todos })}`

  it('is replaced as a whole, and shown in the view and the events', async () => {
    const id = await run(
      `${todo([{ content: 'Look', status: 'in_progress', activeForm: 'Looking' }])}\n@then\n` +
        `${todo([
          { content: 'Look', status: 'completed' },
          { content: 'Write', status: 'pending' },
        ])}\n@then\n@call todo {}\n@then\n@say {last}`,
    )
    const shown = await viewOf(id)
    expect(shown.todos).toEqual([
      { content: 'Look', status: 'completed' },
      { content: 'Write', status: 'pending' },
    ])
    expect(shown.output.text).toBe('[x] Look\n[ ] Write')
    const updates = (await factsOf(api.world, id)).filter(({ type }) => type === 'todos.updated')
    expect(updates).toMatchObject([
      { todos: [{ content: 'Look', status: 'in_progress', active_form: 'Looking' }] },
      { todos: [{ content: 'Look' }, { content: 'Write' }] },
    ])
    const { data } = (await api.call('GET /v1/runs')).body
    expect(data[0].todos).toBeUndefined()
  })

  it('the later of two lists in one answer applies, and an invalid one changes nothing', async () => {
    const id = await run(
      `${todo([{ content: 'a', status: 'pending' }])}\n${todo([{ content: 'b', status: 'pending' }])}\n` +
        `@then\n${todo([{ content: 'c', status: 'done' }])}\n@then\n@say {last}`,
    )
    const shown = await viewOf(id)
    expect(shown.todos).toEqual([{ content: 'b', status: 'pending' }])
    expect(shown.output.text).toMatch(/^invalid_arguments/)
  })
})
