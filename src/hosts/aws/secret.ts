/**
 * Variables that a deployment keeps in AWS Secrets Manager: one secret, a JSON object of texts. A
 * function reads it when it starts, so that they stand in no configuration of it. The request and
 * the answer: docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type Environment, required } from '../shared/options.ts'
import { REQUEST_MS, requestsWithin } from './ports.ts'

/**
 * The environment with the variables that `STRATA_SECRET_VARIABLES` names (separated by commas), from
 * the secret that `STRATA_SECRET` names. Throws a sentence that holds names and no value.
 */
export async function withSecret(env: Environment): Promise<Environment> {
  const id = required(env, 'STRATA_SECRET')
  const names = required(env, 'STRATA_SECRET_VARIABLES').split(',')
  const fields = fieldsOf(id, await read(id))
  const missing = names.filter((name) => typeof fields[name] !== 'string')
  if (missing.length > 0)
    throw new Error(`STRATA_SECRET=${id} has no string for ${missing.join(', ')}`)
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

/** The parser's own message would quote the text. */
function fieldsOf(id: string, text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {}
  throw new Error(`STRATA_SECRET=${id} is not a JSON object`)
}
