/** Model, tools and web as one process reaches them: actors at the far end of an unsafe line. */

import { fail, type Outcome, ok } from '../../src/lib/outcome.ts'
import type {
  Model,
  ModelAnswer,
  ModelFailure,
  ModelRequest,
  ToolFailure,
  ToolOutcome,
  Tools,
  Web,
  WebAnswer,
  World,
} from '../../src/ports/world.ts'
import {
  isCompaction,
  modelAnswer,
  planned,
  REMOTE_TOOLS,
  receiverAnswer,
  summaryAnswer,
  toolAnswer,
  windowOf,
} from './actors.ts'
import { remote } from './ports.ts'
import type { Process } from './process.ts'
import type { Sim } from './sim.ts'

export const outsidePorts = (
  sim: Sim,
  process: Process,
): Pick<World, 'model' | 'tools' | 'web'> => ({
  model: modelPort(sim, process),
  tools: toolsPort(sim, process),
  web: webPort(sim, process),
})

/** The promise, or the value that an abort gives, whichever comes first. */
function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  aborted: () => T,
): Promise<T> {
  if (!signal) return work
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) return resolve(aborted())
    signal.addEventListener('abort', () => resolve(aborted()), { once: true })
    work.then(resolve, reject)
  })
}

type Said = Outcome<ModelAnswer, ModelFailure>

function modelPort(sim: Sim, process: Process): Model {
  const { schedule, faults, chance, law } = sim
  const refusal = (code: ModelFailure['code'], more: Partial<ModelFailure> = {}): Said =>
    fail({ code, message: 'the provider refused', retryable: true, ...more })
  const summarise = (request: ModelRequest, signal: AbortSignal): Promise<Said> => {
    law.effects.summarised(request)
    const apply = (): Said =>
      faults.strikes('model cut') ? refusal('unavailable') : ok(summaryAnswer(request))
    const work = remote(sim, process, { label: 'summary', apply, ms: [200, 2_000] })
    return abortable(work, signal, () => refusal('aborted'))
  }
  return {
    find: (reference) => ok({ id: reference ?? 'sim/model', window: windowOf(reference ?? '') }),
    async respond(request, { signal, onDelta }) {
      if (isCompaction(request)) return summarise(request, signal)
      law.effects.asked(process, request)
      const { plan, step, turn } = planned(request)
      const time = faults.strikes('model slow')
        ? chance.between(10_000, chance.pick([130_000, 600_000]))
        : (step?.ms ?? 500)
      const half = Math.max(1, Math.floor(time / 2))
      schedule.after(half, process, '', () => onDelta({ type: 'text', text: 'thinking' }))
      const apply = (): Said => {
        if (plan.broken && turn === 0) return refusal('rejected', { retryable: false })
        if (faults.strikes('model cut')) return refusal('unavailable')
        if (!faults.strikes('model refusal')) return ok(modelAnswer(request, chance))
        const retryAfterMs = chance.pick([undefined, 2_000, 40_000, 400_000])
        return refusal('rate_limited', retryAfterMs === undefined ? {} : { retryAfterMs })
      }
      const label = `model ${plan.id} step ${turn}`
      const work = remote(sim, process, { label, apply, ms: [half, half + 5] })
      return abortable(work, signal, () => refusal('aborted'))
    },
  }
}

type Called = Outcome<ToolOutcome, ToolFailure>

function toolsPort(sim: Sim, process: Process): Tools {
  const { faults, chance, law } = sim
  return {
    forget: () => undefined,
    probe: async () => fail('not in this world'),
    list: (_tenant, { startup_timeout_sec }) =>
      remote(sim, process, {
        label: 'list tools',
        ms: faults.strikes('server slow') ? [2_000, startup_timeout_sec * 500] : [5, 50],
        apply: () =>
          faults.strikes('server down') ? fail('the server is down') : ok(REMOTE_TOOLS),
      }),
    async call(_tenant, _server, { tool, arguments: given, key, signal }) {
      if (faults.strikes('tool failure')) {
        return fail({ code: 'unsent', message: 'the server cannot be reached' })
      }
      const slow = given.behaviour === 'slow' && faults.strikes('tool slow')
      const ms = slow ? chance.between(20_000, 80_000) : chance.between(5, 400)
      law.effects.calls(process, tool, given, key)
      const work = remote<Called>(sim, process, {
        label: `tool ${tool} ${String(given.token)}`,
        ms: [ms, ms + 5],
        apply: () => {
          law.effects.performed(tool, given, key)
          if (faults.strikes('tool lost answer')) {
            return fail({
              code: chance.pick(['unknown', 'timeout']),
              message: 'the answer is lost',
            })
          }
          return ok(toolAnswer(given, sim.schedule.now))
        },
      })
      void work.then(() => law.effects.heard(process, key))
      return abortable(
        work,
        signal,
        (): Called => fail({ code: 'unknown', message: 'the call was aborted' }),
      )
    },
  }
}

function webPort(sim: Sim, process: Process): Web {
  const { schedule, faults, chance, law } = sim
  return {
    check: (url) => (url.startsWith('https://') ? undefined : 'the URL must begin with https://'),
    send(request) {
      const hang = faults.strikes('receiver hang')
      const ms = hang ? request.timeoutMs / 2 : chance.between(10, 300)
      let event = ''
      const sent = schedule.now
      const work = remote<Outcome<WebAnswer, string>>(sim, process, {
        label: `post ${request.url}`,
        ms: [ms, ms],
        apply: () => {
          const refused = faults.strikes('receiver refusal')
          const answer = refused
            ? ok({ status: chance.pick([500, 502, 404, 429]), headers: {}, body: 'no' })
            : receiverAnswer(request.url, schedule.now, chance)
          event = law.effects.gotPost(process, { request, sent }, answer)
          const lost = hang || (answer.ok && faults.strikes('receiver lost answer'))
          return lost ? fail('no answer in time') : answer
        },
      })
      void work.then((answer) => law.effects.posts.heard(process, event, answer))
      return work
    },
  }
}
