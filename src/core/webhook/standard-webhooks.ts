/**
 * Parses the signed parts of a Standard Webhooks message without cryptography: headers, signatures,
 * and the key inside a secret. Uses no Node APIs, so that receivers in browsers and Workers can
 * share the module.
 */

const PREFIX = 'whsec_'

/** Returns the key in `whsec_<base64>` (24 to 64 bytes; prefix optional), or undefined. */
export function secretKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const key = fromBase64(text)
  return key && key.length >= 24 && key.length <= 64 ? key : undefined
}

/** Decodes Base64 with optional padding. Returns undefined for non-canonical text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text)
    const exact = btoa(binary).replace(/=+$/, '') === text.replace(/=+$/, '')
    return exact ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

/** Message headers as a server provides them. A list means that the header was repeated. */
export type InboundHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface SignedParts {
  readonly id: string
  /** Raw timestamp header of the message, part of the signed text. */
  readonly time: string
  /** Message time in seconds since 1970. */
  readonly timestamp: number
  /** Message signatures of versions `v1` and `v1a`. */
  readonly signatures: readonly string[]
}

const TOLERANCE_SECONDS = 300
const SIGNATURES_MAX = 8

/**
 * Returns the signed parts of a message. Returns undefined if the message is malformed or not
 * within five minutes of `now` (milliseconds). Header names are lower case.
 */
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

/**
 * Returns the `v1` and `v1a` signatures of a signature header, ignoring other versions. Returns
 * undefined if the header is malformed.
 */
function signaturesIn(header: string): readonly string[] | undefined {
  const entries = header.split(' ').filter((entry) => entry !== '')
  // A second comma means that a proxy joined headers. No sender signs a joined header.
  const odd = entries.some((entry) => !/^[a-z0-9]+,[^,]*$/.test(entry))
  if (odd || entries.length > SIGNATURES_MAX) return undefined
  return entries.filter((entry) => entry.startsWith('v1,') || entry.startsWith('v1a,'))
}
