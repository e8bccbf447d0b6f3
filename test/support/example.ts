/** A script of examples/ as a person runs it. */

import { spawn } from 'node:child_process'

export async function runExample(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn('sh', [`examples/${name}`], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  const take = (chunk: Buffer) => {
    out += chunk.toString()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}
