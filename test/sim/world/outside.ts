/** Model, tools and web as one process reaches them: actors at the far end of an unsafe line. */

import { fail, type Outcome, ok } from '../../../src/lib/outcome.ts'
import type {
  Model,
  ModelAnswer,
  ModelFailure,
  ModelRequest,
  RemoteTool,
  ToolFailure,
  ToolOutcome,
  Tools,
  Web,
  WebAnswer,
  WebRequest,
  World,
} from '../../../src/ports/world.ts'
import {
  CHAIN_MODEL,
  isCompaction,
  isNoting,
  lastingAnswer,
  modelAnswer,
  planned,
  REMOTE_TOOLS,
  receiverAnswer,
  simModel,
  summaryAnswer,
  toolAnswer,
  vaultAsks,
} from '../actors/actors.ts'
import { absurdAnswer, absurdReply, absurdResult, endless, silence } from '../faults/peers.ts'
import { actingTenant, I19_ownTenantOnly } from '../laws/tenancy.ts'
import { short } from './names.ts'
import { remote } from './ports.ts'
import type { Process } from './process.ts'
import type { Injected, Sim } from './sim.ts'

export const outsidePorts = (
  sim: Sim,
  process: Process,
): Pick<World, 'model' | 'tools' | 'web'> => ({
  model: modelPort(sim, process),
  tools: toolsPort(sim, process),
  web: webPort(sim, process),
})

/** How each kind of injected fault shows where something is asked for and may have happened. */
interface Shown<T> {
  readonly refused: () => T
  /** No answer came, whether or not it was done. */
  readonly silent: () => T
  /** A request that travels twice is answered twice, where that is the line's own doing. */
  readonly once?: boolean
}

const shown =
  <T>({ refused, silent, once = false }: Shown<T>) =>
  (kind: Injected, apply: () => T): T => {
    if (kind === 'refused') return refused()
    if (kind === 'lost write') return silent()
    if (kind === 'twice' && !once) apply()
    const value = apply()
    return kind === 'hidden write' ? silent() : value
  }

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
  const injected = shown({
    refused: () => refusal('rate_limited'),
    silent: () => refusal('unavailable'),
  })
  const isDown = (): boolean => {
    if (faults.strikes('model outage') && schedule.now >= sim.modelBackAt) {
      sim.modelBackAt = schedule.now + faults.outageMs()
      sim.rare('an outage of the model')
    }
    return !faults.over && schedule.now < sim.modelBackAt
  }
  const note = (request: ModelRequest, signal: AbortSignal): Promise<Said> => {
    const apply = (): Said =>
      faults.strikes('model cut') ? refusal('unavailable') : ok(lastingAnswer(request, chance))
    const work = remote(sim, process, {
      label: 'what must last',
      apply,
      injected,
      ms: [200, 2_000],
    })
    return abortable(work, signal, () => refusal('aborted'))
  }
  const summarise = (request: ModelRequest, signal: AbortSignal): Promise<Said> => {
    law.effects.summarised(request)
    const apply = (): Said =>
      faults.strikes('model cut') ? refusal('unavailable') : ok(summaryAnswer(request))
    const work = remote(sim, process, { label: 'summary', apply, injected, ms: [200, 2_000] })
    return abortable(work, signal, () => refusal('aborted'))
  }
  return {
    find: (reference) => ok(simModel(reference)),
    async respond(request, { signal, onDelta }) {
      law.halts.I26_noCallBeginsWhileHalted(actingTenant(), 'a model call')
      const { model: _, ...conversation } = request
      law.belongings.isShown(actingTenant(), conversation, 'a model request')
      if (isNoting(request)) return note(request, signal)
      if (isCompaction(request)) return summarise(request, signal)
      law.effects.asked(process, request)
      if (faults.strikes('model silent')) return silence()
      if (faults.strikes('model endless')) return endless(sim, process, onDelta)
      const { plan, step, turn } = planned(request)
      const time = faults.strikes('model slow')
        ? chance.between(10_000, chance.pick([130_000, 600_000]))
        : (step?.ms ?? 500)
      const half = Math.max(1, Math.floor(time / 2))
      schedule.after(half, process, '', () => onDelta({ type: 'text', text: 'thinking' }))
      const apply = (): Said => {
        if (plan.deadly) {
          sim.rare('an answer kills its reader')
          law.objects.kills(law.births.byPlan.get(plan.id))
          sim.kill(process)
        }
        if (request.model === CHAIN_MODEL && chance.flip(0.5)) {
          return refusal(chance.pick(['unavailable', 'rate_limited']))
        }
        if (isDown()) return refusal('unavailable')
        if (plan.broken && turn === 0) return refusal('rejected', { retryable: false })
        if (faults.strikes('model cut')) return refusal('unavailable')
        if (!faults.strikes('model refusal')) {
          const answer = modelAnswer(request, chance)
          return ok(faults.strikes('model absurd') ? absurdAnswer(answer, chance) : answer)
        }
        const retryAfterMs = chance.pick([undefined, 2_000, 40_000, 400_000])
        return refusal('rate_limited', retryAfterMs === undefined ? {} : { retryAfterMs })
      }
      const label = `model ${plan.id} step ${turn}`
      const work = remote(sim, process, { label, apply, injected, ms: [half, half + 5] })
      return abortable(work, signal, () => refusal('aborted'))
    },
  }
}

/** What a server is sent beside the call: the token of the tenant, which it has under this name. */
const tokenOf = async (
  sim: Sim,
  { world }: Process,
  tenant: string,
): Promise<string | undefined> =>
  sim.twins ? world.secrets.get(tenant, 'TOKEN', { use: 'mcp', place: PLACE }) : undefined
const PLACE = 'tools.example'

type Called = Outcome<ToolOutcome, ToolFailure>
type Listed = Outcome<readonly RemoteTool[], string>

/** What happens each time it is asked for: a line that asked twice would be to blame, not we. */
const ONCE: ReadonlySet<string> = new Set(['pay', 'wire', 'vault'])

function toolsPort(sim: Sim, process: Process): Tools {
  const { faults, chance, law } = sim
  return {
    forget: () => undefined,
    probe: async () => fail('not in this world'),
    async list(_tenant, { startup_timeout_sec }) {
      if (faults.strikes('server silent')) return silence()
      return remote(sim, process, {
        label: 'list tools',
        ms: faults.strikes('server slow') ? [2_000, startup_timeout_sec * 500] : [5, 50],
        injected: shown<Listed>({
          refused: () => fail('the server is down'),
          silent: () => fail('no answer in time'),
        }),
        apply: () =>
          faults.strikes('server down') ? fail('the server is down') : ok(REMOTE_TOOLS),
      })
    },
    async call(tenant, _server, { tool, arguments: given, key, signal, mayAsk, answers }) {
      I19_ownTenantOnly(sim, tenant)
      law.halts.I26_noCallBeginsWhileHalted(tenant, `the call ${key}`)
      law.belongings.isShown(tenant, [tool, given, await tokenOf(sim, process, tenant)], 'a call')
      if (faults.strikes('tool failure')) {
        return fail({ code: 'unsent', message: 'the server is unreachable' })
      }
      const slow = given.behaviour === 'slow' && faults.strikes('tool slow')
      const ms = slow ? chance.between(20_000, 80_000) : chance.between(5, 400)
      law.effects.calls(process, tool, given, key)
      law.effects.continues(tool, given, key, answers)
      const asks = vaultAsks(String(given.token))
      const asksNow = tool === 'vault' && !answers && mayAsk?.(asks.requests, asks.state) === true
      if (given.behaviour === 'deadly') sim.rare('an answer kills its reader')
      const work = remote<Called>(sim, process, {
        label: `tool ${tool} ${short(key)} ${String(given.token)}`,
        ms: [ms, ms + 5],
        injected: shown<Called>({
          refused: () => fail({ code: 'unsent', message: 'the server is unreachable' }),
          silent: () => fail({ code: 'timeout', message: 'the answer is lost' }),
          once: ONCE.has(tool),
        }),
        apply: () => {
          // A server that only asks has done nothing yet, and may be asked again.
          if (asksNow) return ok({ text: '', is_error: false, asks })
          law.effects.performed(tool, given, key)
          if (given.behaviour === 'deadly') {
            law.objects.kills(law.callOwner.get(key.split('.')[0]!))
            sim.kill(process)
          }
          if (faults.strikes('tool lost answer')) {
            return fail({
              code: chance.pick(['unknown', 'timeout']),
              message: 'the answer is lost',
            })
          }
          if (tool === 'vault') sim.rare('a paused call goes on')
          const said = faults.strikes('tool absurd')
            ? absurdResult(chance)
            : ok(toolAnswer(given, sim.schedule.now))
          if (said.ok) law.effects.said(key, said.value.text)
          return said
        },
      })
      // It was done, and nobody is ever told; a hang-up changes nothing.
      if (faults.strikes('tool silent')) return silence()
      return abortable(
        work,
        signal,
        (): Called => fail({ code: 'unknown', message: 'the call was aborted' }),
      )
    },
  }
}

/** Which event a post was about. */
const eventOf = new WeakMap<WebRequest, string>()

/** What reaches the engine in the end: what comes after its own time-outs, nobody hears. */
export function hearing(sim: Sim, process: Process, world: World): World {
  const { law } = sim
  return {
    ...world,
    tools: {
      ...world.tools,
      async call(tenant, server, call) {
        const answer = await world.tools.call(tenant, server, call)
        if (!call.signal.aborted) law.effects.heard(process, call.key)
        return answer
      },
    },
    web: {
      ...world.web,
      async send(request, signal) {
        const answer = await world.web.send(request, signal)
        law.effects.posts.heard(process, eventOf.get(request) ?? '', answer)
        law.deliveries.heard(request, answer)
        return answer
      },
    },
  }
}

function webPort(sim: Sim, process: Process): Web {
  const { schedule, faults, chance, law } = sim
  return {
    check: (url) => (url.startsWith('https://') ? undefined : 'the URL must start with https://'),
    send(request) {
      law.belongings.isShown(actingTenant(), request, `a request to ${request.url}`)
      const hang = faults.strikes('receiver hang')
      const ms = hang ? request.timeoutMs / 2 : chance.between(10, 300)
      const sent = schedule.now
      const work = remote<Outcome<WebAnswer, string>>(sim, process, {
        label: `post ${request.url}`,
        ms: [ms, ms],
        injected: shown<Outcome<WebAnswer, string>>({
          refused: () => ok({ status: 503, headers: {}, body: 'no' }),
          silent: () => fail('no answer in time'),
        }),
        apply: () => {
          const refused = faults.strikes('receiver refusal')
          const answer = refused
            ? ok({ status: chance.pick([500, 502, 404, 429]), headers: {}, body: 'no' })
            : faults.strikes('receiver absurd')
              ? absurdReply(chance)
              : receiverAnswer(request.url, schedule.now, chance)
          law.deliveries.posted(process, request, sent)
          eventOf.set(request, law.effects.gotPost(process, { request, sent }, answer))
          const lost = hang || (answer.ok && faults.strikes('receiver lost answer'))
          return lost ? fail('no answer in time') : answer
        },
      })
      return faults.strikes('receiver silent') ? silence() : work
    },
  }
}
