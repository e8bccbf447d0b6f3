/**
 * Connects an in-memory run to real models and MCP servers, with the settings of a deployment on
 * Node.
 */

import { processRole } from '../hosts/aws/role.ts'
import { createMcpTools } from '../hosts/mcp/mcp.ts'
import { MODEL_TIMES } from '../hosts/models/exchange.ts'
import { createModel } from '../hosts/models/model.ts'
import { secretsOf } from '../hosts/models/providers.ts'
import { modelFetch } from '../hosts/node/model-fetch.ts'
import { nodeOptions } from '../hosts/node/options.ts'
import { pinnedFetch } from '../hosts/node/outbound.ts'
import { openStdio } from '../hosts/node/stdio.ts'
import { createWeb, guardedFetch } from '../hosts/outbound/fetch.ts'
import { systemClock } from '../hosts/shared/clock.ts'
import { environmentSecrets } from '../hosts/shared/secrets.ts'
import { fail } from '../lib/outcome.ts'
import { UnderWay } from './pending-calls.ts'
import { TENANT } from './tenant.ts'
import { NO_WEB, type TestSettings, type Traffic, type TrafficPorts } from './traffic.ts'

export interface Live {
  readonly ports: TrafficPorts
  /** Secret values that must not appear in a recording. */
  readonly hidden: readonly string[]
  close(): Promise<void>
}

/**
 * Opens connections to real models and servers; throws a one-line error if a setting is invalid.
 * OAuth at servers is not available.
 */
export async function openLive(settings: TestSettings): Promise<Live> {
  const options = nodeOptions(settings)
  const { allowLoopback, allowStdioMcp } = options.limits
  const policy = { allowLoopback, ownHosts: options.ownHosts }
  const connect = pinnedFetch({ allowLoopback })
  const secrets = environmentSecrets({
    env: options.env,
    tenant: TENANT,
    key: systemClock.random(32),
  })
  const tools = createMcpTools({
    secrets,
    fetch: guardedFetch(policy, connect),
    stdio: allowStdioMcp ? openStdio : undefined,
  })
  const names = [...(await secrets.names(TENANT))]
  const values = await Promise.all(names.map((name) => secrets.get(TENANT, name)))
  const keys = Object.values(options.model.providers).flatMap(secretsOf)
  const model = createModel(options.model, modelFetch(), MODEL_TIMES, { credentials: processRole })
  return {
    ports: {
      model,
      tools,
      secrets,
      web: { ...createWeb(policy, connect), send: async () => fail(NO_WEB) },
      settings: { allowLoopback, allowStdioMcp },
    },
    hidden: [...keys, ...values.filter((value) => value !== undefined)],
    close: () => tools.close(),
  }
}

/** Reports whether the settings provide a model. */
export const hasModel = (settings: TestSettings): boolean =>
  Object.keys(nodeOptions(settings).model.providers).length > 0

/** Creates traffic to real models and servers, without a recording. */
export async function liveTraffic(settings: TestSettings): Promise<Traffic> {
  const live = await openLive(settings)
  const underWay = new UnderWay()
  const ports = underWay.over(live.ports)
  return {
    ports: () => ports,
    underWay: () => underWay.count,
    check: () => {},
    unplayed: () => [],
    close: () => live.close(),
  }
}
