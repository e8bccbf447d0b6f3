/**
 * Reads secrets from the environment. Only variables listed in `STRATA_SECRETS` are read, so that
 * an agent file cannot request every variable, and only for the operator's tenant. Seals secrets
 * with AES-256-GCM under the deployment's master key.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { mayGo, parseSecrets } from '../../core/config/server/secret-binding.ts'
import { assert } from '../../lib/assert.ts'
import { base64url } from '../../lib/bytes.ts'
import type { Secrets } from '../../ports/world.ts'

export interface EnvironmentSecrets {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Tenant that may use the environment's secrets. */
  readonly tenant: string
  /** Master key (32 bytes). */
  readonly key: Uint8Array
}

export function environmentSecrets({ env, tenant, key }: EnvironmentSecrets): Secrets {
  assert(key.byteLength === KEY_BYTES, 'the master key must have 32 bytes')
  // With bytes as a key, Node's ciphers take three times as long.
  const current = createSecretKey(key)
  const previousBytes = previousKey(env)
  const previous = previousBytes && createSecretKey(previousBytes)
  const declared = parseSecrets(env.STRATA_SECRETS)
  const bound = new Map([...declared].flatMap(([name, to]) => (to ? [[name, to] as const] : [])))
  const valueFor = (owner: string, name: string): string | undefined =>
    owner === tenant && declared.has(name) && Object.hasOwn(env, name) ? env[name] : undefined
  return {
    // Keys of models and search are configured separately, so a variable never replaces them.
    get: async (owner, name, to) =>
      to && (to.use !== 'mcp' || !mayGo(bound.get(name), to.place))
        ? undefined
        : valueFor(owner, name),
    names: async (owner, use = 'mcp') =>
      new Set(
        use === 'mcp'
          ? [...declared.keys()].filter((name) => valueFor(owner, name) !== undefined)
          : [],
      ),
    bindings: async (owner) => (owner === tenant ? bound : new Map()),
    rotation: previous && rotationOf(current, previous),
    seal: async (text, context) => seal(current, text, context),
    async open(sealed, context) {
      const text = open(current, sealed, context)
      return text ?? (previous && open(previous, sealed, context))
    },
  }
}

/** Returns warnings about `STRATA_SECRETS` for the startup log, each one sentence. */
export function secretWarnings(env: EnvironmentSecrets['env']): string[] {
  return [...parseSecrets(env.STRATA_SECRETS)].flatMap(([name, to]) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    const free =
      `STRATA_SECRETS: ${name} has no host, so layers may send it to any host; use ` +
      `${name}@host to restrict it`
    const short =
      `STRATA_SECRETS: ${name} has fewer than 8 characters, too short to be redacted from ` +
      'outputs'
    return [
      ...(to === undefined ? [free] : []),
      ...(value !== undefined && value.length < 8 ? [short] : []),
    ]
  })
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Prefix of the seal format, which allows later formats. */
const FORMAT = 'v1.'

/** Seals a text as `v1.` followed by the nonce, ciphertext, and authentication tag in base64url. */
function seal(key: KeyObject, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return FORMAT + base64url(Buffer.concat(parts))
}

function open(key: KeyObject, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url')
  // Rejects alternative base64url encodings of the same bytes: the last character may carry bits
  // that decoding drops.
  if (sealed !== FORMAT + base64url(bytes)) return undefined
  if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) return undefined
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    return undefined
  }
}

/** Converts 64 hex digits to a key of 32 bytes; returns undefined for any other text. */
export function keyFromHex(text: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}\s*$/.test(text)) return undefined
  return new Uint8Array(Buffer.from(text.trim(), 'hex'))
}

/** Returns an ID of the exchange of two keys that shows nothing of them. */
const rotationOf = (key: KeyObject, previous: KeyObject): string =>
  createHmac('sha256', key).update('rotation').update(previous.export()).digest('hex').slice(0, 16)

/** Reads the previous master key, which still opens older sealed secrets during a key rotation. */
function previousKey({ STRATA_MASTER_KEY_PREVIOUS: text }: EnvironmentSecrets['env']) {
  if (text === undefined || text === '') return undefined
  const key = keyFromHex(text)
  if (key) return key
  throw new Error('STRATA_MASTER_KEY_PREVIOUS must be 64 hex digits, or unset')
}

/** Reads the master key that all processes of one deployment share. */
export function masterKeyFrom(env: Readonly<Record<string, string | undefined>>): Uint8Array {
  const key = keyFromHex(env.STRATA_MASTER_KEY ?? '')
  if (key) return key
  throw new Error('STRATA_MASTER_KEY must be 64 hex digits; generate it with openssl rand -hex 32')
}
