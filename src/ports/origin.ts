/** Origin of a changing request, as the audit log records it. */

/** Protocols and pages by which a request can arrive. */
export const REQUEST_CHANNELS = [
  'api',
  'console',
  'mcp',
  'a2a',
  'ag_ui',
  'openai',
  'link',
  'hook',
] as const

export interface RequestOrigin {
  /** Author of the request's changes: ID of the API key or token; `system` for a hook's sender. */
  readonly by: string
  /** ID of the request, as in `X-Request-Id`. */
  readonly request_id: string
  /** Client address; absent if unknown. */
  readonly address?: string | undefined
  readonly via: (typeof REQUEST_CHANNELS)[number]
  /** Credential of the request, never its secret; absent for a hook's sender. */
  readonly credential?: {
    readonly type: 'key' | 'token' | 'browser_session' | 'identity'
    readonly id: string
    /** URL of the OpenID Connect issuer, and its name of the user; only for an identity. */
    readonly issuer?: string
    readonly subject?: string
  }
}
