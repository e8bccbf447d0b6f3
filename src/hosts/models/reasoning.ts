/** Decides whether chat completion requests send reasoning back with the conversation. */

/**
 * Policy for sending reasoning back. `always` sends reasoning in each assistant message, possibly
 * empty. `when_given` sends only existing reasoning. `never` is for servers that reject the member.
 */
export type ReasoningBack = 'always' | 'when_given' | 'never'

interface KnownHost {
  /** Suffix of the server's host name. */
  readonly host: string
  readonly reasoning: ReasoningBack
  /** Source page of the facts, and the date on which it was read. */
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

/** Returns the default reasoning policy for the server at this address. */
export function reasoningBack(baseURL: string): ReasoningBack {
  const { hostname } = new URL(baseURL)
  const match = KNOWN_HOSTS.find(({ host }) => hostname === host || hostname.endsWith(`.${host}`))
  return match?.reasoning ?? 'when_given'
}
