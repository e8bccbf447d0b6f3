/**
 * The peer: a turn is an instance of a workflow, each model call one of its durable steps, and
 * subagents are steps beside each other, which is cheaper for it than an instance each. Its end is
 * posted to the bench, since an instance can only be polled.
 */

import { WorkflowEntrypoint } from 'cloudflare:workers'

interface Env {
  readonly MODEL_URL: string
  readonly TURN: { create(options: { params: Turned }): Promise<{ id: string }> }
}
interface Turned {
  readonly input: string
  readonly done: string
}
interface Event {
  readonly payload: Turned
}
interface Step {
  do<T>(name: string, act: () => Promise<T>): Promise<T>
}
interface Call {
  readonly id: string
  readonly function: { readonly arguments: string }
}
interface Said {
  readonly content: string
  readonly tool_calls?: readonly Call[]
}

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'sessions_spawn',
      description: 'Starts a subagent on a task.',
      parameters: { type: 'object', properties: { task: { type: 'string' } } },
    },
  },
]

async function ask(url: string, messages: readonly object[], tools?: object[]): Promise<Said> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', messages, tools }),
  })
  if (!response.ok) throw new Error(`the model answered ${response.status}`)
  const { choices } = (await response.json()) as { choices: [{ message: Said }] }
  return choices[0].message
}

export class Turn extends WorkflowEntrypoint<Env> {
  async run({ payload: { input, done } }: Event, step: Step): Promise<string> {
    const { MODEL_URL: url } = this.env
    const messages = [{ role: 'user', content: input }]
    const first = await step.do('model', () => ask(url, messages, TOOLS))
    const calls = first.tool_calls ?? []
    const text = calls.length === 0 ? first.content : await this.#closed(step, messages, first)
    await fetch(done, { method: 'POST', body: text })
    return text
  }

  /** The answer to the results of all subagents. */
  async #closed(step: Step, messages: readonly object[], first: Said): Promise<string> {
    const { MODEL_URL: url } = this.env
    const results = await Promise.all(
      first.tool_calls!.map(({ id, function: { arguments: text } }, index) =>
        step.do(`subagent ${index}`, async () => {
          const { task } = JSON.parse(text) as { task: string }
          const { content } = await ask(url, [{ role: 'user', content: task }])
          return { role: 'tool', tool_call_id: id, content }
        }),
      ),
    )
    const last = await step.do('close', () => ask(url, [...messages, first, ...results], TOOLS))
    return last.content
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method !== 'POST') return new Response('ready')
    const { id } = await env.TURN.create({ params: (await request.json()) as Turned })
    return Response.json({ id }, { status: 202 })
  },
}
