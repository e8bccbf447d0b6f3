/**
 * Associates log lines with X-Ray traces. Lambda writes the call's trace header into a variable
 * before each call: docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */

import type { Environment } from '../shared/options.ts'

const ROOT = /(?:^|;)\s*Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/
const SAMPLED = /(?:^|;)\s*Sampled=1(?:;|$)/

/**
 * Prints JSON log lines, with `xray_trace_id` appended while the current call is sampled; an
 * unsampled call has no trace to find. `env` is read for each line.
 */
export const tracedLines =
  (print: (line: string) => void, env: Environment) =>
  (line: string): void => {
    const header = env._X_AMZN_TRACE_ID ?? ''
    const [, root] = ROOT.exec(header) ?? []
    const isSampled = root !== undefined && SAMPLED.test(header) && line.endsWith('}')
    print(isSampled ? `${line.slice(0, -1)},"xray_trace_id":"${root}"}` : line)
  }
