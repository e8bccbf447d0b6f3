/** Where untrusted text came from, in runs, sessions and events. */

import * as z from 'zod'
import { RUN } from '../examples/story.ts'
import { idOf, text } from './words.ts'

export const Untrusted = z
  .strictObject({
    kind: z
      .enum(['web', 'mcp', 'hook'])
      .describe('A page or results of the web, a tool of an MCP server, a webhook that came in'),
    name: text('The tool, as the model sees it; with `hook`: the inbound hook'),
    from: z.string().optional().describe('The address or the query; absent: the name says all'),
    run_id: idOf('run', 'The run that read it'),
  })
  .meta({
    id: 'UntrustedSource',
    description: 'Where untrusted text came from',
    examples: [
      {
        kind: 'web',
        name: 'web_fetch',
        from: 'https://example.com/refunds',
        run_id: RUN,
      },
    ],
  })

/** Of whatever has read it. */
export const untrusted = (by: string) =>
  Untrusted.optional().describe(`The first untrusted text that ${by}; absent: none is known`)
