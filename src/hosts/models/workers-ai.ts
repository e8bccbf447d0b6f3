/**
 * Calls Workers AI through a Worker's binding, which needs no key. Chat completion requests become
 * calls of the binding.
 */

export interface AiBinding {
  run(
    model: string,
    inputs: Readonly<Record<string, unknown>>,
    options: { readonly returnRawResponse: true; readonly signal?: AbortSignal },
  ): Promise<Response>
}

/** Returns a `fetch` that calls the binding. */
export function bindingFetch(ai: AiBinding): typeof fetch {
  return async (_, init) => {
    const { model, ...inputs } = JSON.parse(String(init?.body)) as { model: string }
    const signal = init?.signal ? { signal: init.signal } : {}
    return ai.run(model, inputs, { returnRawResponse: true, ...signal })
  }
}
