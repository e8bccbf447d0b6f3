/**
 * Runs one computation in a child process: a document conversion or a shell command. The request is
 * the entire input and the response the entire output, in V8's serialization format. A
 * decompression bomb ends only this process; in a thread, it would end the server.
 */

import { deserialize, serialize } from 'node:v8'
import type { DocumentRequest } from '../../ports/documents.ts'
import type { ShellRequest } from '../../ports/shell.ts'

export type Task =
  | { readonly task: 'document'; readonly request: DocumentRequest }
  | { readonly task: 'shell'; readonly request: ShellRequest }

const pieces: Buffer[] = []
for await (const piece of process.stdin) pieces.push(piece as Buffer)
const answer = serialize(await perform(deserialize(Buffer.concat(pieces)) as Task))
// Exits explicitly, because the timer of an abandoned command would keep the process alive.
process.stdout.write(answer, () => process.exit())

async function perform({ task, request }: Task): Promise<unknown> {
  if (task === 'document') return (await import('./documents.ts')).readDocument(request)
  return (await import('./shell.ts')).runShell(request)
}
