/** Counts pending real calls. While any call is pending, in-memory time advances with real time. */

import type { TrafficPorts } from './traffic.ts'

/** Wraps traffic ports and counts their pending calls. */
export class UnderWay {
  #count = 0
  get count(): number {
    return this.#count
  }

  async during<T>(act: () => Promise<T>): Promise<T> {
    this.#count += 1
    try {
      return await act()
    } finally {
      this.#count -= 1
    }
  }

  over(ports: TrafficPorts): TrafficPorts {
    const { model, tools } = ports
    const { ready } = model
    return {
      ...ports,
      model: {
        find: (reference, schema) => model.find(reference, schema),
        respond: (request, options) => this.during(() => model.respond(request, options)),
        ...(ready ? { ready: () => this.during(() => ready.call(model)) } : {}),
      },
      tools: {
        list: (...args) => this.during(() => tools.list(...args)),
        call: (...args) => this.during(() => tools.call(...args)),
        probe: (...args) => this.during(() => tools.probe(...args)),
        forget: (tenant) => tools.forget(tenant),
      },
    }
  }
}
