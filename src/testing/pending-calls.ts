/** Real calls that are under way: while there are some, time in memory passes as on the wall. */

import type { TrafficPorts } from './traffic.ts'

/** Calls to these ports, counted while they are under way. */
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
