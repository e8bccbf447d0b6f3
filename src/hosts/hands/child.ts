/**
 * A process that reads one document: its description is the first line of the input, the bytes
 * follow; the answer is JSON. A bomb ends with it (a thread would take its process along).
 */

import { readDocument } from './documents.ts'

const pieces: Buffer[] = []
for await (const piece of process.stdin) pieces.push(piece as Buffer)
const input = Buffer.concat(pieces)
const line = input.indexOf(10)
const { type, url } = JSON.parse(input.subarray(0, line).toString()) as {
  readonly type: string
  readonly url?: string
}
const answer = await readDocument({ bytes: new Uint8Array(input.subarray(line + 1)), type, url })
process.stdout.write(JSON.stringify(answer))
