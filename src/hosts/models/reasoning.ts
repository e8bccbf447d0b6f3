/** Whether what a model has thought goes back to it with the conversation, in chat completions. */

/**
 * `always`: in each message of the assistant, empty if it has not thought. `when_given`: only if it
 * has thought. `never`: the server refuses the member.
 */
export type ReasoningBack = 'always' | 'when_given' | 'never'

interface KnownHost {
  /** The end of the host name. */
  readonly host: string
  readonly reasoning: ReasoningBack
  /** Page and date of the facts. */
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

/** The default for the server at this address. */
export function reasoningBack(baseURL: string): ReasoningBack {
  const { hostname } = new URL(baseURL)
  const match = KNOWN_HOSTS.find(({ host }) => hostname === host || hostname.endsWith(`.${host}`))
  return match?.reasoning ?? 'when_given'
}
