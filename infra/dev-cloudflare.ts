/**
 * `npm run dev:cloudflare [-- --port N --data FOLDER]`: the Worker on this machine, in the platform's
 * own runtime, with its database, bucket and objects in a folder. Keys are made at the first start and
 * lie in `.dev.vars`, which is also the place for those of model vendors; another folder has its own.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { newKey } from '../src/engine/tenant/api-keys.ts'
import { migrateLocally, startWorker } from '../test/support/worker.ts'
import { portOf, understood } from './command.ts'
import { ROOT } from './run.ts'

const MINUTE_MS = 60_000
/** Variables of the shell that a deployment reads, too; those in the file go before them. */
const OURS =
  /^(?:STRATA_|OPENAI_|ANTHROPIC_|BRAVE_|TAVILY_|EXA_|SEARXNG_|LANE_|MAX_|ALLOW_|OTEL_|LOG_LEVEL$|(?:AUDIT_)?RETENTION_DAYS$)/

const bytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** Reads the file; creates it with new keys when it does not exist. */
function variables(file: string): Record<string, string> {
  if (!existsSync(file)) {
    const master = Buffer.from(bytes(32)).toString('hex')
    const { key } = newKey(bytes)
    const text = `STRATA_MASTER_KEY=${master}\nSTRATA_ADMIN_KEY=${key}\n# OPENAI_API_KEY=\n`
    writeFileSync(file, text, { mode: 0o600 })
    console.log(`Admin API key (shown only once; stored in ${file}): ${key}`)
  }
  const shell = Object.entries(process.env).filter(([name]) => OURS.test(name))
  const all = [...shell, ...Object.entries(parseEnv(readFileSync(file, 'utf8')))]
  return Object.fromEntries(all.map(([name, value = '']) => [name, value]))
}

const { port, data } = understood(() => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { port: { ...text, default: '8787' }, data: text } })
  return { port: portOf(values.port), data: values.data }
})
const folder = data ?? join(ROOT, '.wrangler/dev')
mkdirSync(folder, { recursive: true })
const vars = variables(join(data ?? ROOT, '.dev.vars'))
await migrateLocally(folder)
const worker = await startWorker(vars, folder, { port, clockMs: MINUTE_MS, logLevel: 'log' })
console.log(`Strata listens on ${worker.url} (data in ${folder})`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void worker.stop().then(() => process.exit(0)))
