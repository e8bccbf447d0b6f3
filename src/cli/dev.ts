/**
 * `strata dev`: the server of one person for the folder that he stands in. The folder's layers are
 * pushed to it, again whenever they are saved; its key stays the same; and where no model is
 * configured a scripted one answers, so that everything can be tried without an account.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { newKey } from '../engine/tenant/api-keys.ts'
import { nodeOptions } from '../hosts/node/options.ts'
import { systemClock } from '../hosts/shared/clock.ts'
import { startModelServer } from '../testing/model-server.ts'
import { consoleLine } from './console-line.ts'
import { type Layers, layersOf } from './dev-layers.ts'
import { serve } from './serve.ts'
import type { Environment, Terminal } from './terminal.ts'

export interface DevOptions {
  readonly port?: number | undefined
  readonly data?: string | undefined
}

const SCRIPTED = 'openai/scripted'

/** The exit code, once the server was stopped. */
export async function dev(terminal: Terminal, given: DevOptions): Promise<number> {
  const env: Environment = { WARM_UP: 'false', ...fileOf('.env'), ...terminal.env, ...named(given) }
  const dataDir = nodeOptions(env).dataDir
  const own = env.STRATA_ADMIN_KEY?.trim()
  const key = own || keptKey(dataDir)
  const isScripted = Object.keys(nodeOptions(env).model.providers).length === 0
  const model = isScripted ? await startModelServer({ keep: 0 }) : undefined
  const scripted = model && { OPENAI_BASE_URL: model.url, STRATA_MODEL: SCRIPTED }
  let layers: Layers | undefined
  try {
    return await serve(
      nodeOptions({ ...env, ...scripted, STRATA_ADMIN_KEY: key }),
      async (host) => {
        const { out } = terminal
        out(`Strata listens on ${host.url} (data in ${dataDir})`)
        out(`Console:  ${await consoleLine(host, true)}`)
        out(`Its API:  ${host.url}/docs`)
        out(`API key:  ${own ? 'the one of STRATA_ADMIN_KEY' : key}`)
        for (const warning of host.warnings) out(`warning: ${warning}`)
        await host.world.model.ready?.()
        out(`Model:    ${isScripted ? PLAY : modelOf(host.world.model.find(undefined))}`)
        layers = await layersOf({ ...terminal, env: { ...env, ...client(host.url, key) } })
        out(nextOf(host.url, own ? '…' : key, isScripted))
      },
    )
  } finally {
    layers?.close()
    await model?.close()
  }
}

const client = (url: string, key: string) => ({ STRATA_URL: url, STRATA_API_KEY: key })

const named = ({ port, data }: DevOptions): Environment => ({
  ...(port === undefined ? {} : { PORT: String(port) }),
  ...(data === undefined ? {} : { DATA_DIR: data }),
})

const fileOf = (path: string): Environment =>
  existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}

/** The same at every start, so that a terminal that knows it goes on working. */
function keptKey(dataDir: string): string {
  const file = join(dataDir, 'dev-key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const { key } = newKey(systemClock.random)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

const PLAY = `${SCRIPTED}: no provider's key is set, so a scripted model answers. It repeats
          what it is asked, or follows lines such as \`@say Hello\` (strata dev --help). Put
          OPENAI_API_KEY or ANTHROPIC_API_KEY into a file .env here and start again for a real one.`

const modelOf = (found: { ok: true; value: { id: string } } | NotFound): string =>
  found.ok ? found.value.id : `${found.error.message} Until then runs are refused.`
interface NotFound {
  readonly ok: false
  readonly error: { readonly message: string }
}

function nextOf(url: string, key: string, isScripted: boolean): string {
  const input = isScripted ? '@say Hello from the script.' : 'Say hello.'
  return `
Try it from another terminal:
  export STRATA_URL=${url} STRATA_API_KEY=${key}
  npx strata run "${input}"
Ctrl-C stops it.`
}
