/**
 * Provides Prometheus metrics of a Node process (`GET /metrics`): runs, models, and deliveries
 * counted from the log, plus measurements of requests, model calls, the store, and lanes.
 */

import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Beat } from '../../engine/worker/beat.ts'
import type { SeenRequest } from '../../http/request/request-log.ts'
import type { Log, Metrics, Model, Store } from '../../ports/world.ts'
import {
  COUNTERS,
  type CountedName,
  type Measure,
  measured,
  modelLabels,
} from '../metrics/measures.ts'
import { systemClock } from '../shared/clock.ts'
import type { Lanes } from './queue.ts'

const HELP: Readonly<Record<CountedName, string>> = {
  runs_ended: 'Ended runs',
  fanouts_ended: 'Ended fan-outs',
  model_failures: 'Steps without a model answer, by failure code',
  model_mended: 'Irregular parts of model responses that were repaired or omitted',
  model_tokens: 'Model tokens, as reported; cache and reasoning tokens are included',
  model_cost_usd: 'Cost in US dollars at list prices',
  tool_failures: 'Tool calls that failed or whose outcome is unknown',
  deliveries: 'Webhook delivery attempts, by outcome',
  quota_rejections: 'Requests and model calls that a quota did not permit',
  traces_lost: 'Logs whose spans were not accepted by any receiver',
}

const SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200]
const SHORT_SECONDS = [0.000_1, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5]

export interface NodeMetrics extends Metrics {
  /** Wraps a log and counts its entries as metrics. */
  log(log: Log): Log
  model(model: Model): Model
  store(store: Store): Store
  request(request: SeenRequest): void
  beat(beat: Beat): void
  /** Registers the load of this process's lanes, which is read on each scrape. */
  lanes(load: Lanes['load']): void
  /** Records how long a partition waited in its lane. */
  waited(lane: string, ms: number): void
}

export function nodeMetrics(open: boolean): NodeMetrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const counters = countersOf(registers)
  const histogram = (name: string, help: string, labelNames: string[], buckets = SECONDS) =>
    new Histogram({ name: `strata_${name}`, help, labelNames, buckets, registers })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `strata_${name}`, help, labelNames, registers })
  const runs = histogram('run_duration_seconds', "Time from a run's acceptance to its end", [
    'status',
  ])
  const calls = histogram('model_call_duration_seconds', 'Model calls, per attempt', [
    ...['provider', 'model', 'outcome'],
  ])
  const requests = histogram(
    ...(['http_request_duration_seconds', 'Time to the first byte of the answer'] as const),
    ['method', 'route', 'status'],
    SHORT_SECONDS.concat(10, 60),
  )
  const stored = histogram(
    ...(['store_duration_seconds', 'Store calls'] as const),
    ['operation', 'outcome'],
    SHORT_SECONDS,
  )
  const waits = histogram('lane_wait_seconds', "Time from a partition's wake to its processing", [
    'lane',
  ])
  const due = gauge('due', 'Partitions with an overdue alarm at the last tick')
  const oldest = gauge('oldest_due_seconds', 'Delay of the oldest overdue alarm')
  let load: Lanes['load'] | undefined
  const waiting = gauge('lane_waiting', 'Partitions waiting in a lane', ['lane'])
  const handled = gauge('lane_handled', 'Partitions being processed', ['lane'])
  const age = gauge('lane_oldest_seconds', 'Waiting time of the oldest partition', ['lane'])
  const readProcess = processGauges(registers)
  const readLanes = (): void => {
    for (const [lane, laneLoad] of Object.entries(load?.() ?? {})) {
      waiting.set({ lane }, laneLoad.waiting)
      handled.set({ lane }, laneLoad.handled)
      age.set({ lane }, laneLoad.oldestMs / 1_000)
    }
  }
  const take = ({ name, labels, value }: Measure): void => {
    if (name === 'run_duration') runs.observe(labels, value)
    else counters[name].inc(labels, value)
  }
  return {
    open,
    async text() {
      readLanes()
      readProcess()
      return registry.metrics()
    },
    log: (log) => measured(log, take),
    model: (model) => timedModel(model, calls),
    store: (store) => timedStore(store, stored),
    request: ({ method, route = 'none', status, duration_ms }) =>
      requests.observe(
        { method: METHODS.has(method) ? method : 'other', route, status },
        duration_ms / 1_000,
      ),
    beat(report) {
      due.set(report.due)
      oldest.set(report.oldestDueSeconds)
    },
    lanes(read) {
      load = read
    },
    waited: (lane, ms) => waits.observe({ lane }, ms / 1_000),
  }
}

/** Creates process gauges with the standard names that Prometheus dashboards use. */
function processGauges(registers: Registry[]): () => void {
  const memory = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of this process',
    registers,
  })
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU seconds used by this process',
    registers,
  })
  let reportedSeconds = 0
  return () => {
    memory.set(process.memoryUsage.rss())
    const { user, system } = process.cpuUsage()
    const seconds = (user + system) / 1_000_000
    cpu.inc(Math.max(0, seconds - reportedSeconds))
    reportedSeconds = seconds
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function countersOf(registers: Registry[]): Readonly<Record<CountedName, Counter>> {
  const counters = Object.entries(COUNTERS).map(([name, labelNames]) => {
    const help = HELP[name as CountedName]
    return [name, new Counter({ name: `strata_${name}_total`, help, labelNames, registers })]
  })
  return Object.fromEntries(counters)
}

const timedModel = (model: Model, calls: Histogram): Model => ({
  ...model,
  async respond(request, options) {
    const began = systemClock.monotonic()
    const answer = await model.respond(request, options)
    const outcome = answer.ok ? 'ok' : answer.error.code
    const seconds = (systemClock.monotonic() - began) / 1_000
    calls.observe({ ...modelLabels(request.model), outcome }, seconds)
    return answer
  },
})

function timedStore(store: Store, stored: Histogram): Store {
  const timed =
    <A extends unknown[], T>(operation: string, call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const began = systemClock.monotonic()
      let outcome = 'error'
      try {
        const result = await call(...args)
        outcome = typeof result === 'string' ? result : 'ok'
        return result
      } finally {
        stored.observe({ operation, outcome }, (systemClock.monotonic() - began) / 1_000)
      }
    }
  return {
    ...store,
    read: timed('read', store.read.bind(store)),
    heads: timed('heads', store.heads.bind(store)),
    commit: timed('commit', store.commit.bind(store)),
    due: timed('due', store.due.bind(store)),
    list: timed('list', store.list.bind(store)),
    find: timed('find', store.find.bind(store)),
    drop: timed('drop', store.drop.bind(store)),
  }
}
