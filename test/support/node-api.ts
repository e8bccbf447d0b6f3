/** The Node host in this process, on a free port, with the scripted model and a temporary folder. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelConfig } from '../../src/hosts/models/config.ts'
import { nodeOptions } from '../../src/hosts/node/options.ts'
import { type NodeHost, startNode } from '../../src/hosts/node.ts'
import { cleanup } from './cleanup.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

export interface NodeApi {
  readonly host: NodeHost
  readonly folder: string
  readonly model: ModelServer
  /** Lines that the host reported as errors. */
  readonly told: readonly string[]
  readonly url: string
  readonly key: string
}

/** `models`: other providers than the environment can name. */
export async function startNodeApi(
  env: Readonly<Record<string, string>> = {},
  models: Partial<ModelConfig> = {},
): Promise<NodeApi> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'))
  const model = await startModelServer()
  const given = nodeOptions({
    DATA_DIR: folder,
    PORT: '0',
    ALLOW_LOOPBACK: 'true',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'none',
    STRATA_MODEL: 'openai/scripted',
    // Three attempts: a test that wants an outage waited out says so.
    MODEL_PATIENCE_SECONDS: '0',
    ...env,
  })
  const options = { ...given, model: { ...given.model, ...models } }
  const told: string[] = []
  const started = await startNode(options, (where, error) => {
    told.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`)
    console.error(where, error)
  })
  // A test may close it before the end, to go on with another one.
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= started.close()
    return closed
  }
  const host = { ...started, close }
  cleanup.push(async () => {
    await host.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { host, folder, model, told, url: host.url, key: host.adminKey ?? '' }
}
