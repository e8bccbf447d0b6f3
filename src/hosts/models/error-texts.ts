/**
 * Extracts codes, types, and sentences about a failure from a provider's response. No shape of the
 * response is assumed, because proxies wrap errors in members, lists, and JSON strings.
 */

import { isRecord } from './wire/json.ts'

export interface ErrorDetails {
  /** HTTP status named in the body of an error that arrived inside a stream or through a proxy. */
  readonly status: number | undefined
  /** Error message for people, possibly empty. */
  readonly message: string
  /** Error codes, types, and sentences in lower case, for matching. */
  readonly words: string
}

const DEPTH = 6
const MEMBERS = 40
const WORDS_LENGTH = 8_000
/** Names of members that may contain the message for people, in order of preference. */
const SENTENCES = ['message', 'msg', 'detail', 'error_message', 'error_description', 'description']
const CODES = ['code', 'type', 'error_code', 'errorCode', 'reason', 'status', 'param', '__type']
const STATUSES = ['status', 'code', 'status_code', 'statusCode', 'http_code', 'httpStatus']

export function saidIn(body: unknown): ErrorDetails {
  const findings: Findings = { status: undefined, sentences: [], words: [], left: MEMBERS }
  look(body, findings, DEPTH)
  const message = findings.sentences.find((text) => text.trim() !== '') ?? ''
  const words = [...findings.words, ...findings.sentences].join(' ').toLowerCase()
  return { status: findings.status, message, words: words.slice(0, WORDS_LENGTH) }
}

interface Findings {
  status: number | undefined
  readonly sentences: string[]
  readonly words: string[]
  left: number
}

function look(value: unknown, findings: Findings, depth: number): void {
  if (depth === 0 || findings.left-- <= 0) return
  if (typeof value === 'string') return lookAtText(value, findings, depth)
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MEMBERS)) look(item, findings, depth - 1)
    return
  }
  if (!isRecord(value)) return
  for (const name of STATUSES) findings.status ??= statusOf(value[name])
  for (const name of CODES) {
    const code = value[name]
    if (typeof code === 'string' || typeof code === 'number') findings.words.push(String(code))
  }
  for (const name of SENTENCES) look(value[name], findings, depth - 1)
  // Unwraps the members that a proxy adds: the error itself, a list of errors, or the upstream
  // response.
  for (const [name, member] of Object.entries(value).slice(0, MEMBERS)) {
    const isWrapped = typeof member === 'object' || name === 'error' || name === 'raw'
    if (isWrapped && !SENTENCES.includes(name)) look(member, findings, depth - 1)
  }
}

function lookAtText(text: string, findings: Findings, depth: number): void {
  const start = text.trimStart()[0]
  if (start === '{' || start === '[') {
    try {
      return look(JSON.parse(text), findings, depth - 1)
    } catch {
      // The text starts like JSON but is not JSON.
    }
  }
  findings.sentences.push(start === '<' ? pageText(text) : text)
}

/** Summarizes an HTML error page, for example `an HTML page: 502 Bad Gateway`. */
function pageText(html: string): string {
  const head = html.slice(0, 20_000)
  const title = /<(title|h1)[^>]{0,200}>([^<]{1,200})</i
    .exec(head)?.[2]
    ?.replace(/\s+/g, ' ')
    .trim()
  return title ? `an HTML page: ${title}` : 'an HTML page'
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined
}
