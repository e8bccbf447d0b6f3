/**
 * A process that computes one thing, a document or a command of a shell: the request is the whole
 * input, the answer the whole output (V8's own format). A bomb ends with it; a thread would take
 * its process along.
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
// A timer of a command that was given up would keep it here.
process.stdout.write(answer, () => process.exit())

async function perform({ task, request }: Task): Promise<unknown> {
  if (task === 'document') return (await import('./documents.ts')).readDocument(request)
  return (await import('./shell.ts')).runShell(request)
}
