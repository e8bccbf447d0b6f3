/** Commands and code that send a request to create a run; none of them contains a key. */

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the commands for the JSON text of a request. */
export function commandsFor(
  request: string,
  origin: string,
): readonly { readonly name: string; readonly command: string }[] {
  return [
    {
      name: 'curl',
      command: [
        `curl -sS ${quoted(`${origin}/v1/runs`)} \\`,
        '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d ${quoted(request)}`,
        '',
      ].join('\n'),
    },
    {
      name: 'TypeScript',
      command: [
        "import { createClient } from 'strata/client'",
        '',
        `const strata = createClient({ url: ${JSON.stringify(origin)}, key: process.env.STRATA_API_KEY })`,
        `const run = await strata.runs.createAndWait(${request})`,
        'console.log(run.output?.text)',
        '',
      ].join('\n'),
    },
  ]
}
