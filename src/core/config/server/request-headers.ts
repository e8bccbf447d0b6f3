/**
 * Headers that a layer may add to requests to an MCP server. Headers are forbidden if they change
 * framing or routing, name another sender, or sign the request for a cloud. They are checked when a
 * file is written or read. They are checked again per request, because only then are secrets filled
 * in.
 */

const HOP = 'applies to a single connection'
const FRAMING = 'determines the framing of the request'
const SENDER = 'identifies the origin of a request'
const CLOUD = 'signs or authorizes requests to a cloud provider'
const PROTOCOL = 'is set by the protocol'

const RESERVED_HEADERS: Readonly<Record<string, string>> = {
  connection: HOP,
  'keep-alive': HOP,
  te: HOP,
  upgrade: HOP,
  'http2-settings': HOP,
  trailer: FRAMING,
  'transfer-encoding': FRAMING,
  'content-length': FRAMING,
  'content-encoding': FRAMING,
  expect: FRAMING,
  host: 'names the host, which the URL already specifies',
  forwarded: SENDER,
  via: SENDER,
  'x-real-ip': SENDER,
  'x-client-ip': SENDER,
  'x-cluster-client-ip': SENDER,
  'true-client-ip': SENDER,
  'fastly-client-ip': SENDER,
  'cdn-loop': SENDER,
  'x-host': SENDER,
  'x-original-host': SENDER,
  'x-original-url': SENDER,
  'x-rewrite-url': SENDER,
  'x-authenticated-user': SENDER,
  'metadata-flavor': CLOUD,
  metadata: CLOUD,
  'x-metadata-token': CLOUD,
  'mcp-session-id': PROTOCOL,
  'last-event-id': PROTOCOL,
}

const REFUSED_PREFIXES: Readonly<Record<string, string>> = {
  'proxy-': HOP,
  'sec-websocket-': HOP,
  'x-forwarded-': SENDER,
  'x-envoy-': SENDER,
  'cf-': SENDER,
  'x-amz-': CLOUD,
  'x-amzn-': CLOUD,
  'x-aws-': CLOUD,
  'x-goog-': CLOUD,
  'x-ms-date': CLOUD,
  'x-ms-content-': CLOUD,
  'x-ms-client-principal': CLOUD,
  'x-oss-': CLOUD,
  'x-cos-': CLOUD,
}

/** Vendor-specific headers that users send to servers and that do not sign requests. */
const ALLOWED: ReadonlySet<string> = new Set([
  'x-goog-api-key',
  'x-goog-user-project',
  'x-goog-fieldmask',
  // Cloudflare Access requires these credential headers, which do not identify a sender.
  'cf-access-client-id',
  'cf-access-client-secret',
  'cf-access-token',
])

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const VALUE = /^[\x20-\x7e]*$/
const VALUE_LENGTH = 8_192

/** Explains why a layer may not set this header; the returned text follows the header's name. */
export function headerNameFault(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not a valid header name'
  const lower = name.toLowerCase()
  if (ALLOWED.has(lower)) return undefined
  const exact = Object.hasOwn(RESERVED_HEADERS, lower) ? RESERVED_HEADERS[lower] : undefined
  return exact ?? Object.entries(REFUSED_PREFIXES).find(([start]) => lower.startsWith(start))?.[1]
}

/** Explains an invalid header value without quoting it, because it may contain a secret. */
export function headerValueFault(value: string): string | undefined {
  if (!VALUE.test(value)) return 'contains control characters or non-ASCII characters'
  return value.length > VALUE_LENGTH ? `has more than ${VALUE_LENGTH} characters` : undefined
}
