/**
 * What providers say when they refuse, and what it means. A row counts for every provider: servers
 * that speak another's dialect use its words too. Rows stand in the order in which they are asked.
 */

import type { ModelFailure } from '../../ports/world.ts'

interface Refusal {
  readonly code: ModelFailure['code']
  /** Matched against the codes, types and sentences of the answer, in lower case. */
  readonly says: RegExp
  /** Who says so, where it was read, and the day. */
  readonly source: string
}

const REFUSALS: readonly Refusal[] = [
  {
    // About the length of the answer that was asked for: a shorter conversation would not help.
    code: 'rejected',
    says: /max_(completion_|output_)?tokens[^.]{0,40}(too large|must be|at most|not supported)|unsupported_parameter/,
    source: 'Groq, OpenAI: github.com/RooCodeInc/Roo-Code/issues/5729 (2026-11-28)',
  },
  {
    code: 'too_long',
    says: /context_length_exceeded|model_max_prompt_tokens_exceeded|prompt_too_long|context_window_exceeded/,
    source: 'OpenAI, Groq, xAI: github.com/himanushi/chat-code/issues/17 (2026-11-28)',
  },
  {
    code: 'too_long',
    says: /(maximum|max\.?) (context|prompt|input|sequence)[\w ]{0,24}(length|size|window|tokens)|context.?(length|window|size|limit)|reduce the length of the (messages|prompt|input)|range of input length/,
    source:
      'OpenAI, vLLM, DeepSeek, xAI: github.com/cline/cline/issues/3120, evalstate/fast-agent/issues/621 (2026-11-28)',
  },
  {
    code: 'too_long',
    says: /exceed(s|ed|ing)? (the |your )?(model('s)? |maximum |max |input |allowed )*(context|token (limit|count)|tokens? allowed|length)|more than (the )?max(imum)? tokens/,
    source: 'Moonshot: github.com/MoonshotAI/kimi-cli/issues/2011 (2026-11-28)',
  },
  {
    code: 'too_long',
    says: /(prompt|input|request|conversation|messages?)[\w ]{0,12} (is|are) too (long|large|big)|too many (input |prompt )?tokens|maximum number of (input )?tokens/,
    source:
      'Anthropic: platform.claude.com/docs/en/api/errors; Amazon, Cohere: their SDKs’ tests (2026-11-23)',
  },
  {
    code: 'too_long',
    says: /(prompt|input|total) token count[^.]{0,60}exceed|token count[^.]{0,40}exceeds? the (limit|max)|input length[^.]{0,80}exceed/,
    source:
      'Google, Groq, Anthropic: github.com/danny-avila/LibreChat/issues/5004, anthropics/claude-code/issues/228 (2026-11-28)',
  },
  {
    code: 'payment_required',
    says: /insufficient_quota|insufficient.?(balance|credits?|funds)|credit balance is too low|billing_(not_active|hard_limit_reached)|payment_required|arrearage|out of credits/,
    source:
      'OpenAI: developers.openai.com/api/docs/guides/error-codes; DeepSeek: api-docs.deepseek.com/quick_start/error_codes; Anthropic: platform.claude.com/docs/en/api/errors (2026-11-28)',
  },
  {
    code: 'rejected',
    says: /content_(filter|policy)|content.?(management|moderation)|responsibleai|moderation|flagged|data_inspection_failed|prohibited_content|sensitive_words|safety (system|filter|polic)|usage polic/,
    source:
      'Azure: learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter; OpenRouter: openrouter.ai/docs/api-reference/errors (2026-11-28)',
  },
  {
    code: 'unauthorized',
    says: /invalid_api_key|incorrect_api_key|authentication_error|permission_(error|denied)|invalid authentication|unauthenticated/,
    source: 'OpenAI, Anthropic, Google: their pages on errors (2026-11-23)',
  },
  {
    code: 'model_not_found',
    says: /model_not_found|not_found_error|model_not_available|no such model|model .{0,80}(not found|does not exist)|unknown model/,
    source:
      'OpenAI, Anthropic, Ollama: their pages on errors; docs.ollama.com/api/errors (2026-11-28)',
  },
  {
    code: 'unavailable',
    says: /overloaded|server_is_busy|model is (currently )?loading|at capacity|no available (channel|instance|provider)|service_?unavailable/,
    source: 'OpenAI, Anthropic, vLLM, one-api: their pages on errors (2026-11-28)',
  },
  {
    code: 'rate_limited',
    says: /rate.?limit|too many requests|resource_exhausted|throttl|quota|slow_down/,
    source: 'OpenAI, Google, Amazon: their pages on errors (2026-11-23)',
  },
]

/** The meaning of an answer's words; undefined if none of them is known. */
export const refusalOf = (words: string): ModelFailure['code'] | undefined =>
  REFUSALS.find(({ says }) => says.test(words))?.code
