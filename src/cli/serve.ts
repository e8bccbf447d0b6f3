/** `strata serve`, also `npm start`: runs the Node host in this process until stopped. */

import { logSink } from '../hosts/node/log-sink.ts'
import { keepMemorySmall } from '../hosts/node/memory.ts'
import { type NodeOptions, nodeOptions } from '../hosts/node/options.ts'
import { warmUp } from '../hosts/node/warm-up.ts'
import { type NodeHost, startNode } from '../hosts/node.ts'
import { createLog, failureEntry } from '../hosts/shared/log.ts'
import type { Log } from '../ports/log.ts'
import { consoleLine } from './console-line.ts'
import type { Terminal } from './terminal.ts'

export const runServer = (terminal: Terminal): Promise<number> =>
  serve(nodeOptions(terminal.env), async (host, options) => {
    const { out: print } = terminal
    print(`Strata listens on ${host.url} (data in ${placeOf(options)})`)
    if (options.limits.paused)
      print(
        'Paused: the server serves data but starts no work. Restart without --paused to ' +
          'continue.',
      )
    for (const warning of host.warnings) print(`warning: ${warning}`)
    await printAdminKey(host, print)
    await host.world.model.ready?.()
    const model = host.world.model.find(undefined)
    print(
      model.ok
        ? `Model: ${model.value.id}`
        : `${model.error.message} Until then, runs are rejected.`,
    )
    // If the operator has chosen the admin key, the output probably ends up in container logs.
    const isLinked = !terminal.env.STRATA_ADMIN_KEY?.trim()
    print(`Console: ${await consoleLine(host, isLinked)}`)
    print(`API docs: ${host.url}/docs`)
    print(`Next: STRATA_URL=${host.url} STRATA_API_KEY=… npx strata run "Say hello."`)
  })

/**
 * Prints the admin key that this start created. A storage failure must not prevent the server from
 * starting, so if the key cannot be recorded as shown, a warning is printed.
 */
export async function printAdminKey(
  { adminKey, keyShown }: Pick<NodeHost, 'adminKey' | 'keyShown'>,
  print: (line: string) => void,
): Promise<void> {
  if (adminKey === undefined) return
  print(`Admin API key (shown only once): ${adminKey}`)
  try {
    await keyShown()
  } catch (error) {
    const { message } = error as Error
    print(
      `warning: the admin key could not be recorded as shown (${message}). It works, and the ` +
        'next start creates another one.',
    )
  }
}

/** Serves until a signal arrives or `ended` resolves. `show` prints the startup message. */
export async function serve(
  options: NodeOptions,
  show: (host: NodeHost, options: NodeOptions) => Promise<void>,
  ended?: Promise<void>,
): Promise<number> {
  keepMemorySmall()
  const pretty = process.stderr.isTTY
  const sink = logSink(process.stderr.fd)
  // A crash after an error must not lose the error's log line.
  const log = createLog({
    level: options.logLevel,
    sink: (line, level) => sink.line(line, level === 'error'),
    pretty,
  })
  process.once('exit', sink.flush)
  const host = await startNode(
    options,
    (where, error) => log.write(failureEntry(where, error)),
    log,
  )
  // Handlers are registered before any output, because a reader of the first line may stop the
  // process at once.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve)
    void ended?.then(() => {
      for (const signal of SIGNALS) process.off(signal, resolve)
      resolve()
    })
  })
  await show(host, options)
  const warming = new AbortController()
  const warm = options.warmUp ? warmedUp(options, log, warming.signal) : undefined
  await stopped
  warming.abort('the server is stopping')
  await Promise.all([host.close(), warm])
  process.off('exit', sink.flush)
  sink.flush()
  return 0
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Warms up the server while it handles its first requests; a failed warm-up does not stop the
 * server.
 */
async function warmedUp(options: NodeOptions, log: Log, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  try {
    await warmUp((warmOptions) => startNode(warmOptions, noErrors), options, signal)
    log.write({
      level: 'debug',
      event: 'warm_up',
      duration_ms: Math.round(performance.now() - began),
    })
  } catch (error) {
    if (!signal.aborted) log.write(failureEntry('warm-up', error))
  }
}

/** These runs belong only to the warm-up, which reports their failures itself. */
const noErrors = (): void => {}

const placeOf = ({ store, dataDir, env }: NodeOptions): string =>
  store === 'sqlite' ? dataDir : `table ${env.STRATA_TABLE}, bucket ${env.STRATA_BUCKET}`
