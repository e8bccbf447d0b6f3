/**
 * Finds the default model of a deployment that configures only a server: the first model in the
 * response to `GET /models`. The response is read on first use and cached for a while. A failure is
 * returned as a message, and the next use retries.
 */

import * as z from 'zod'
import { hiding } from '../../lib/hide.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelMissing } from '../../ports/world.ts'
import type { ModelConfig, ProviderConfig } from './config.ts'
import { secretsOf } from './providers.ts'

const KEPT_MS = 300_000
const WAIT_MS = 10_000
const LIST_BYTES = 1_048_576

type First = Outcome<string, ModelMissing>
const List = z.object({ data: z.array(z.object({ id: z.string().min(1).max(256) })).min(1) })

/** First model of each server, by address; shared, because each Worker event creates a port. */
const firstModels = new Map<string, { readonly at: number; readonly first: First }>()

export class FirstModel {
  readonly #provider: ProviderConfig | undefined
  readonly #name: string
  readonly #connect: typeof fetch
  #failed: First | undefined

  constructor({ first, providers }: ModelConfig, connect: typeof fetch) {
    this.#name = first ?? ''
    this.#provider = first === undefined ? undefined : providers[first]
    this.#connect = connect
  }

  /** First model that the server lists; undefined if not read yet or not needed. */
  get current(): First | undefined {
    const address = this.#provider?.base_url
    return (address === undefined ? undefined : firstModels.get(address)?.first) ?? this.#failed
  }

  async read(): Promise<void> {
    const provider = this.#provider
    const address = provider?.base_url
    if (provider === undefined || address === undefined) return
    const cached = firstModels.get(address)
    if (cached && cached.at + KEPT_MS > Date.now()) return
    const first = await this.#ask(provider, address)
    this.#failed = first.ok ? undefined : first
    // The last known model is kept while the server is unavailable.
    if (first.ok) firstModels.set(address, { at: Date.now(), first })
  }

  async #ask({ key, headers, ...provider }: ProviderConfig, address: string): Promise<First> {
    const hide = hiding(secretsOf({ key, headers, ...provider }))
    const failed = (reason: string, isAway = true): First =>
      fail({
        ...(isAway ? { away: isAway } : {}),
        message: hide(
          `The default is the first model listed by the server for ${this.#name}, but ` +
            `${reason}; set STRATA_MODEL.`,
        ),
      })
    try {
      const response = await this.#connect(`${address.replace(/\/+$/, '')}/models`, {
        headers: { ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) },
        redirect: 'manual',
        signal: AbortSignal.timeout(WAIT_MS),
      })
      if (!response.ok) {
        await response.body?.cancel()
        const { status } = response
        return failed(`it responded with ${status} to GET /models`, status >= 500 || status === 429)
      }
      const list = List.safeParse(JSON.parse(await readText(response)))
      const [model] = list.success ? list.data.data : []
      return model ? ok(model.id) : failed('its list of models is empty', false)
    } catch {
      return failed('its list of models could not be read')
    }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > LIST_BYTES) throw new Error('the list is too long')
  }
  return text
}
