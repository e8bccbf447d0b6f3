/** Entry point of Lambda: the handlers of this process, under the names that the functions bear. */

import type { LambdaRuntime } from './aws/url.ts'
import { lambdaHandlers } from './lambda.ts'

const { awslambda } = globalThis as unknown as { awslambda: LambdaRuntime }

export const { http, work, clock, dead } = lambdaHandlers(process.env, awslambda, (line) => {
  process.stdout.write(`${line}\n`)
})
