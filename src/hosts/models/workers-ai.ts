/**
 * Calls Workers AI through the binding of a Worker, which needs no key. Chat completion requests
 * become calls to the binding.
 */

export interface AiBinding {
  run(
    model: string,
    inputs: Readonly<Record<string, unknown>>,
    options: { readonly returnRawResponse: true; readonly signal?: AbortSignal },
  ): Promise<Response>
}

/** Returns a `fetch` that sends chat completion requests to the Workers AI binding. */
export function bindingFetch(ai: AiBinding): typeof fetch {
  return async (_, init) => {
    const { model, ...inputs } = JSON.parse(String(init?.body)) as { model: string }
    const signal = init?.signal ? { signal: init.signal } : {}
    return ai.run(model, inputs, { returnRawResponse: true, ...signal })
  }
}
