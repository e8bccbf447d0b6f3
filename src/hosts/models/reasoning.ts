/** Decides whether chat completions return the model's reasoning with the conversation. */

/**
 * `always` sends reasoning in each assistant message, possibly empty. `when_given` sends existing
 * reasoning only. `never` is for servers that refuse the member.
 */
export type ReasoningBack = 'always' | 'when_given' | 'never'

interface KnownHost {
  /** Suffix of the host name. */
  readonly host: string
  readonly reasoning: ReasoningBack
  /** Source page and date of the facts. */
  readonly source: string
}

const KNOWN_HOSTS: readonly KnownHost[] = [
  {
    host: 'deepseek.com',
    reasoning: 'always',
    source: 'api-docs.deepseek.com/guides/thinking_mode#tool-calls (2026-11-28)',
  },
  {
    host: 'moonshot.ai',
    reasoning: 'always',
    source: 'github.com/agentscope-ai/QwenPaw/issues/433 (2026-11-28)',
  },
  {
    host: 'moonshot.cn',
    reasoning: 'always',
    source: 'github.com/agentscope-ai/QwenPaw/issues/433 (2026-11-28)',
  },
  {
    host: 'mistral.ai',
    reasoning: 'never',
    source: 'github.com/charmbracelet/crush/issues/1590 (2026-11-28)',
  },
  {
    host: 'groq.com',
    reasoning: 'never',
    source: 'github.com/janhq/jan/issues/8136 (2026-11-28)',
  },
]

/** Returns the default for the server at this address. */
export function reasoningBack(baseURL: string): ReasoningBack {
  const { hostname } = new URL(baseURL)
  const match = KNOWN_HOSTS.find(({ host }) => hostname === host || hostname.endsWith(`.${host}`))
  return match?.reasoning ?? 'when_given'
}
