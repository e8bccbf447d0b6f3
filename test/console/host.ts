/** The server that the console belongs to, and the data that its pages show. */

import { createClient, type Strata } from '../../src/client/index.ts'

export interface Host {
  readonly url: string
  readonly key: string
  readonly api: Strata
}

export const clientAt = ({ url, key }: Pick<Host, 'url' | 'key'>): Host => ({
  url,
  key,
  api: createClient({ url, apiKey: key }),
})

/** A subagent's task is a script too. */
export const spawn = (label: string, ...task: readonly string[]): string =>
  `@spawn 1 ${JSON.stringify({ label, agent: 'general', task: task.join('\n') })}`

/** Calls of this tool wait for a person from here on. */
export async function askFor(host: Host, tool: string): Promise<void> {
  const { policy, etag } = await host.api.policy.read()
  if (policy.approvals[tool] === 'ask') return
  const approvals = { ...policy.approvals, [tool]: 'ask' as const }
  await host.api.policy.put({ ...policy, approvals } as never, { ifMatch: etag ?? '' })
}

/** Asks again until it is so; fails with the name. */
export async function until(what: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`not within 30 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
