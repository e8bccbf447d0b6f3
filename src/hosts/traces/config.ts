/**
 * Reads the destination of traces from OpenTelemetry's environment variables:
 * opentelemetry.io/docs/specs/otel/protocol/exporter. Only OTLP over HTTP with JSON is supported.
 */

type Environment = Readonly<Record<string, string | undefined>>

export interface TracesConfig {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Resource attributes that describe this deployment in traces. */
  readonly resource: Readonly<Record<string, string>>
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
const PROTOCOL = 'OTEL_EXPORTER_OTLP_PROTOCOL'
const SUPPORTED = 'http/json'

/**
 * Reads the trace export settings; returns undefined if traces are not exported. Throws a one-line
 * error if a variable is invalid.
 */
export function tracesConfigFromEnv(env: Environment): TracesConfig | undefined {
  if (isOff(env)) return undefined
  const tracesUrl = env[TRACES_ENDPOINT]?.trim()
  const base = env[ENDPOINT]?.trim()
  if (!tracesUrl && !base) return undefined
  const url = tracesUrl ? urlOf(TRACES_ENDPOINT, tracesUrl) : urlOf(ENDPOINT, base!)
  if (!tracesUrl) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  const attributes = pairs(env, 'OTEL_RESOURCE_ATTRIBUTES')
  const name = env.OTEL_SERVICE_NAME?.trim() || attributes['service.name'] || 'strata'
  return {
    url: url.href,
    headers: {
      ...pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairs(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    resource: { ...attributes, 'service.name': name },
  }
}

const isOff = (env: Environment): boolean =>
  env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' ||
  env.OTEL_TRACES_EXPORTER?.trim().toLowerCase() === 'none'

/** Returns warnings about trace settings for the startup log. */
export function tracesWarnings(env: Environment): readonly string[] {
  const protocol = (env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env[PROTOCOL])?.trim()
  if (!protocol || protocol === SUPPORTED || !tracesConfigFromEnv(env)) return []
  return [`${PROTOCOL}=${protocol} is not supported; traces are sent as ${SUPPORTED}`]
}

function urlOf(name: string, text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.hash === '') return url
  throw new Error(`${name} must be a URL such as http://127.0.0.1:4318`)
}

/**
 * Parses a variable such as `key=value,key=value` with percent-encoded values. Errors never quote
 * values, which may be secrets.
 */
function pairs(env: Environment, name: string): Readonly<Record<string, string>> {
  const entries = (env[name] ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=')
      const key = entry.slice(0, at).trim()
      if (at < 1 || key === '') throw new Error(`${name} must be comma-separated key=value pairs`)
      return [key, decoded(entry.slice(at + 1).trim())]
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
