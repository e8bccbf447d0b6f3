/**
 * The signed part of a Standard Webhooks message, before any cryptography: headers, signatures and
 * the key inside a secret. It needs nothing of Node, so receivers in browsers and Workers share it.
 */

const PREFIX = 'whsec_'

/** The key inside `whsec_<base64>` of 24 to 64 bytes (the prefix may be missing), or undefined. */
export function secretKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const key = fromBase64(text)
  return key && key.length >= 24 && key.length <= 64 ? key : undefined
}

/** The bytes, or undefined when the text is not their exact base64; padding may be missing. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text)
    const exact = btoa(binary).replace(/=+$/, '') === text.replace(/=+$/, '')
    return exact ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

/** As a server hands them over; a list means that the header came more than once. */
export type InboundHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface SignedParts {
  readonly id: string
  /** The header as it came, which is signed. */
  readonly time: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** The `v1` and `v1a` signatures. */
  readonly signatures: readonly string[]
}

const TOLERANCE_SECONDS = 300
const SIGNATURES_MAX = 8

/** Undefined: malformed, or not within five minutes of `now` (milliseconds). Names are lower case. */
export function signedParts(headers: InboundHeaders, now: number): SignedParts | undefined {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  const signatureHeader = headers['webhook-signature']
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatureHeader !== 'string')
    return
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id) || !/^\d{1,12}$/.test(time)) return
  const timestamp = Number(time)
  if (Math.abs(Math.floor(now / 1_000) - timestamp) > TOLERANCE_SECONDS) return
  const signatures = signaturesIn(signatureHeader)
  return signatures && { id, time, timestamp, signatures }
}

/** The `v1` and `v1a` signatures of a header, others left out; undefined when it is malformed. */
function signaturesIn(header: string): readonly string[] | undefined {
  const entries = header.split(' ').filter((entry) => entry !== '')
  // A second comma means that a proxy joined headers, which no sender signs.
  const odd = entries.some((entry) => !/^[a-z0-9]+,[^,]*$/.test(entry))
  if (odd || entries.length > SIGNATURES_MAX) return undefined
  return entries.filter((entry) => entry.startsWith('v1,') || entry.startsWith('v1a,'))
}
