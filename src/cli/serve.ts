/** `strata serve`, which is `npm start`: the Node host in this process until it is told to stop. */

import { type NodeOptions, nodeOptions } from '../hosts/node/options.ts'
import { startNode } from '../hosts/node.ts'
import { createModel } from '../hosts/web/model.ts'

type Print = (line: string) => void

export async function runServer(
  env: Readonly<Record<string, string | undefined>>,
  print: Print,
): Promise<number> {
  const options = nodeOptions(env)
  const host = await startNode(options, (where, error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${where}: ${text}\n`)
  })
  print(`Strata listens on ${host.url} (data in ${placeOf(options)})`)
  if (host.adminKey !== undefined) {
    print(`Admin API key, shown this once: ${host.adminKey}`)
    await host.keyShown()
  }
  const model = createModel(options.model).find(undefined)
  print(
    model.ok ? `Model: ${model.value.id}` : `${model.error.message} Until then runs are refused.`,
  )
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await host.close()
  return 0
}

const placeOf = ({ store, dataDir, env }: NodeOptions): string =>
  store === 'sqlite' ? dataDir : `table ${env.STRATA_TABLE}, bucket ${env.STRATA_BUCKET}`
