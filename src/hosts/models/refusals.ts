/**
 * Maps the error messages of providers to failure codes. A row applies to every provider, because
 * servers that use another vendor's dialect also use that vendor's messages. The first matching row
 * counts.
 */

import type { ModelFailure } from '../../ports/world.ts'

interface Refusal {
  readonly code: ModelFailure['code']
  /** Patterns that match the codes, types, and sentences of a response, in lower case. */
  readonly says: readonly RegExp[]
  /** Providers that send the message, and the source pages. */
  readonly sources: readonly string[]
  /** Date on which the source pages were read. */
  readonly read: string
}

const REFUSALS: readonly Refusal[] = [
  {
    // The message is about the requested answer length, so a shorter conversation would not help.
    code: 'rejected',
    says: [
      /max_(completion_|output_)?tokens[^.]{0,40}(too large|must be|at most|not supported)/,
      /unsupported_parameter/,
    ],
    sources: ['Groq, OpenAI: github.com/RooCodeInc/Roo-Code/issues/5729'],
    read: '2026-11-28',
  },
  {
    code: 'too_long',
    says: [
      /context_length_exceeded|context_window_exceeded|prompt_too_long/,
      /model_max_prompt_tokens_exceeded/,
      /(maximum|max\.?) (supported )?(context|prompt|input|sequence)[\w ]{0,24}(length|size|window|tokens)/,
      /inputs?\W{0,3}tokens \+ \W?max_new_tokens\W? must be|string_above_max_length/,
      /context.?(length|window|size|limit)|range of input length/,
      /reduce the length of the (messages|prompt|input)/,
    ],
    sources: [
      'OpenAI: github.com/himanushi/chat-code/issues/17',
      'xAI: github.com/cline/cline/issues/3120',
      'DeepSeek: github.com/evalstate/fast-agent/issues/621',
      'Text Generation Inference: github.com/bytedance/UI-TARS-desktop/issues/626',
    ],
    read: '2026-11-28',
  },
  {
    code: 'too_long',
    says: [
      /exceed(s|ed|ing)? (the |your )?(model('s)? |maximum |max |input |allowed )*(context|length)/,
      /exceed(s|ed|ing)? (the |your )?(model('s)? |maximum |max |input |allowed |total )*token/,
      /more than (the )?max(imum)? tokens|maximum number of (input )?tokens/,
      /(prompt|input|total) token count[^.]{0,60}exceed|input length[^.]{0,80}exceed/,
      /tokens? in the prompt exceed|token count[^.]{0,40}exceeds? the (limit|max)/,
      /token count is \d+[^.]{0,40}supports up to/,
    ],
    sources: [
      'Moonshot: github.com/MoonshotAI/kimi-cli/issues/2011',
      'Groq: github.com/danny-avila/LibreChat/issues/5004',
      'Vertex AI: github.com/google-gemini/gemini-cli/issues/19727',
      'Anthropic: github.com/anthropics/claude-code/issues/228',
    ],
    read: '2026-11-28',
  },
  {
    code: 'too_long',
    says: [
      /(prompt|input|request|conversation|messages?)[\w ]{0,12} (is|are) too (long|large|big)/,
      /too many (input |prompt )?tokens/,
    ],
    sources: ['Anthropic: github.com/stackblitz-labs/bolt.diy/issues/401'],
    read: '2026-11-28',
  },
  {
    code: 'payment_required',
    says: [
      /insufficient_quota|insufficient.?(balance|credits?|funds)|credit balance is too low/,
      /billing_(not_active|hard_limit_reached)|payment_required|arrearage|out of credits/,
    ],
    sources: [
      'OpenAI: developers.openai.com/api/docs/guides/error-codes',
      'DeepSeek: api-docs.deepseek.com/quick_start/error_codes',
      'Anthropic: platform.claude.com/docs/en/api/errors',
    ],
    read: '2026-11-23',
  },
  {
    code: 'rejected',
    says: [
      /content_(filter|policy)|content.?(management|moderation)|responsibleai|moderation|flagged/,
      /data_inspection_failed|prohibited_content|sensitive_words/,
      /safety (system|filter|polic)|usage polic/,
    ],
    sources: [
      'Azure: learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
      'OpenRouter: openrouter.ai/docs/api-reference/errors',
    ],
    read: '2026-11-23',
  },
  {
    code: 'unauthorized',
    says: [
      /invalid_api_key|incorrect_api_key|authentication_error|invalid authentication/,
      /permission_(error|denied)|unauthenticated|api key not valid|api_key_invalid/,
    ],
    sources: [
      'OpenAI: developers.openai.com/api/docs/guides/error-codes',
      'Anthropic: platform.claude.com/docs/en/api/errors',
    ],
    read: '2026-11-23',
  },
  {
    code: 'model_not_found',
    says: [
      /model_not_found|not_found_error|model_not_available|no such model|unknown model/,
      /model .{0,80}(not found|does not exist|decommissioned)|model_decommissioned/,
    ],
    sources: [
      'OpenAI: developers.openai.com/api/docs/guides/error-codes',
      'Ollama: docs.ollama.com/api/errors',
    ],
    read: '2026-11-23',
  },
  {
    code: 'unavailable',
    says: [
      /overloaded|server_is_busy|model is (currently )?loading|at capacity|service_?unavailable/,
      /no available (channel|instance|provider)/,
    ],
    sources: [
      'OpenAI: developers.openai.com/api/docs/guides/error-codes',
      'Anthropic: platform.claude.com/docs/en/api/errors',
    ],
    read: '2026-11-23',
  },
  {
    code: 'rate_limited',
    says: [/rate.?limit|too many requests|resource_exhausted|throttl|quota|slow_down/],
    sources: [
      'OpenAI: developers.openai.com/api/docs/guides/error-codes',
      'Anthropic: platform.claude.com/docs/en/api/errors',
    ],
    read: '2026-11-23',
  },
]

/** Returns the failure code for an error message; undefined if no pattern matches. */
export const refusalOf = (words: string): ModelFailure['code'] | undefined =>
  REFUSALS.find(({ says }) => says.some((pattern) => pattern.test(words)))?.code
