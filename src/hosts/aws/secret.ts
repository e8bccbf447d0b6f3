/**
 * Reads variables from AWS Secrets Manager: one secret, a JSON object of strings. A function reads
 * the secret when it starts, so that its configuration contains no secret values. Request and
 * response: docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type Environment, required } from '../shared/options.ts'
import { REQUEST_MS, requestsWithin } from './ports.ts'

/**
 * Returns the environment with the variables listed in `STRATA_SECRET_VARIABLES` (separated by
 * commas) added from the secret named in `STRATA_SECRET`. Throws an error that contains names but
 * no values.
 */
export async function withSecret(env: Environment): Promise<Environment> {
  const id = required(env, 'STRATA_SECRET')
  const names = required(env, 'STRATA_SECRET_VARIABLES').split(',')
  const fields = fieldsOf(id, await read(id))
  const missing = names.filter((name) => typeof fields[name] !== 'string')
  if (missing.length > 0)
    throw new Error(`STRATA_SECRET=${id} has no string value for ${missing.join(', ')}`)
  return { ...env, ...Object.fromEntries(names.map((name) => [name, fields[name] as string])) }
}

async function read(id: string): Promise<string | undefined> {
  const client = new SecretsManagerClient({ requestHandler: requestsWithin(REQUEST_MS.ask) })
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }))
    return SecretString
  } catch (error) {
    const { name, message } = error as Error
    throw new Error(`STRATA_SECRET=${id} cannot be read: ${name}: ${message}`)
  } finally {
    client.destroy()
  }
}

/** Parses the secret's text; omits the parser's error message, which would quote the text. */
function fieldsOf(id: string, text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {}
  throw new Error(`STRATA_SECRET=${id} must contain a JSON object`)
}
