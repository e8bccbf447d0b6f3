/** Files that look like a secret, by their name or by what they hold: no push and no import sends them. */

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^\.env/, 'it is an environment file'],
  [/\.(?:pem|key|p12|pfx|jks|keystore|ppk)$/, 'it is named like a private key'],
  [/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, 'it is named like a private key'],
  [/^(?:\.netrc|\.pgpass|\.pypirc|\.git-credentials)$/, 'it is a file of passwords'],
]

/** Why the name looks like that of a secret; undefined: it does not. */
export function secretName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

const KEY =
  /^\s*-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY|-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|\s){1,4}[A-Za-z0-9+/=]{40}/

const latin = new TextDecoder('latin1')

/** Texts that only name the header of a key, as documents do, hold none. */
export function holdsKey(body: Uint8Array): boolean {
  const text = latin.decode(body)
  return text.includes('PRIVATE KEY') && KEY.test(text)
}
