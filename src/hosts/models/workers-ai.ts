/**
 * Workers AI through a Worker's binding, which needs no key: requests of the OpenAI-compatible
 * package become calls of the binding. Older models stream `{"response": "text"}`; the
 * package gets that as the chunks that it reads.
 */

export interface AiBinding {
  run(
    model: string,
    inputs: Readonly<Record<string, unknown>>,
    options: { readonly returnRawResponse: true; readonly signal?: AbortSignal },
  ): Promise<Response>
}

/** The binding stands in for the connection. */
export function bindingFetch(ai: AiBinding): typeof fetch {
  return async (_, init) => {
    const { model, ...inputs } = JSON.parse(String(init?.body)) as { model: string }
    const signal = init?.signal ? { signal: init.signal } : {}
    const answer = await ai.run(model, inputs, { returnRawResponse: true, ...signal })
    if (!answer.ok || answer.body === null) return answer
    const body = answer.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(eventByEvent(model))
      .pipeThrough(new TextEncoderStream())
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
}

function eventByEvent(model: string): TransformStream<string, string> {
  let rest = ''
  const each = (line: string): string => {
    const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : ''
    return data.startsWith('{') ? `data: ${JSON.stringify(chunk(JSON.parse(data), model))}` : line
  }
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) controller.enqueue(`${each(line)}\n`)
    },
    flush(controller) {
      if (rest !== '') controller.enqueue(each(rest))
    },
  })
}

interface Older {
  readonly response?: string | null
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly usage?: object
}

/** A chunk of chat completions as it is; an older event as one. */
function chunk(event: object, model: string): object {
  if ('choices' in event) return event
  const { response, tool_calls = [], usage } = event as Older
  const calls = tool_calls.map(({ name, arguments: given }, index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))
  const delta = {
    ...(response ? { content: response } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  // The last event has the usage.
  const finish_reason = usage ? 'stop' : null
  return { model, choices: [{ index: 0, delta, finish_reason }], ...(usage ? { usage } : {}) }
}
