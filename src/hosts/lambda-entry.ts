/**
 * Lambda entry point: exports this process's handlers under the names of the functions. A function
 * with a configured secret reads the secret first; `dead` needs no secret.
 */

import { tracedLines } from './aws/trace.ts'
import type { LambdaRuntime } from './aws/url.ts'
import { deadLetters, type LambdaHandlers, lambdaHandlers } from './lambda.ts'

const print = tracedLines((line) => process.stdout.write(`${line}\n`), process.env)

async function open(): Promise<Partial<LambdaHandlers>> {
  const { env } = process
  // `_HANDLER` is set by the platform:
  // docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
  if (env._HANDLER === 'lambda.dead') return {}
  const { awslambda } = globalThis as unknown as { awslambda: LambdaRuntime }
  const resolvedEnv = env.STRATA_SECRET
    ? await (await import('./aws/secret.ts')).withSecret(env)
    : env
  return lambdaHandlers(resolvedEnv, awslambda, print)
}

export const { http, work, clock } = await open()
export const dead = deadLetters(print)
