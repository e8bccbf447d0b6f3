/**
 * Workers AI through a Worker's binding, which needs no key: requests in the dialect of chat
 * completions become calls of the binding.
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
    return ai.run(model, inputs, { returnRawResponse: true, ...signal })
  }
}
