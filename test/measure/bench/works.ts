/** What the benchmark does with a server: each resolves when all that it asked for is done. */

export interface ApiCalls {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
}

export const apiCalls = (url: string, key: string): ApiCalls => ({
  async call(method, path, body, headers = {}) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response
  },
})

const WAIT = { prefer: 'wait=60' }
const LOOK_MS = 10

export type Works = ReturnType<typeof works>

export const works = (api: ApiCalls) => {
  const run = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    const response = await api.call('POST', '/v1/runs', body, WAIT)
    const { status } = (await response.json()) as { status: string }
    if (status !== 'completed') throw new Error(`a run ended as ${status}`)
  }
  return {
    api,
    run: (input: string) => run({ input }),
    /** So many turns of one session, each after the answer to the one before. */
    async turns(count: number): Promise<void> {
      const response = await api.call('POST', '/v1/sessions', {})
      const { id } = (await response.json()) as { id: string }
      for (let turn = 0; turn < count; turn += 1) await run({ input: '@say done', session_id: id })
    },
    /** A run that asks a person, who says yes at once, followed by its stream. */
    async approval(): Promise<void> {
      const input = '@call file_write {"path":"a.txt","content":"x"}\n@say done'
      const stream = { accept: 'text/event-stream' }
      const response = await api.call('POST', '/v1/runs', { input }, stream)
      for await (const { type, data } of events(response)) {
        const { id } = data as { id: string }
        if (type === 'approval.requested') {
          await api.call('POST', `/v1/approvals/${id}/decision`, { decision: 'approve' })
        }
        if (type === 'run.completed') return
      }
      throw new Error('the stream ended before the run')
    },
    /** So many tasks by one request, looked at until all have ended. */
    async fanout(count: number): Promise<void> {
      const tasks = Array.from({ length: count }, (_, index) => ({ task: `@say part ${index}` }))
      await api.call('POST', '/v1/fanouts', { tasks })
      for (;;) {
        const response = await api.call('GET', '/v1/fanouts?limit=1')
        const { data } = (await response.json()) as { data: { status: string }[] }
        if (data[0]?.status === 'completed') return
        if (data[0]?.status !== 'running') throw new Error(`it ended as ${data[0]?.status}`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
    },
  }
}

interface Seen {
  readonly type: string
  readonly data: unknown
}

async function* events(response: Response): AsyncGenerator<Seen> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const json = /^data: (.*)$/m.exec(block)?.[1]
      if (json !== undefined && /^id: /m.test(block)) yield JSON.parse(json) as Seen
    }
  }
}
