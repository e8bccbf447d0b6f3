/** A request as a command and as a program. Whatever it holds, a shell reads it as one word. */

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Linux takes 131,072 bytes in one word of a command; characters have up to three. */
const WORD_CHARACTERS = 40_000
const END = 'STRATA_REQUEST'

export function curlOf(url: string, body: unknown): string {
  const text = JSON.stringify(body)
  const isLong = text.length > WORD_CHARACTERS
  return [
    `curl --globoff ${quoted(`${url}/v1/runs`)} \\`,
    `  -H "authorization: Bearer $STRATA_API_KEY" \\`,
    `  -H 'content-type: application/json' \\`,
    // JSON has no line breaks of its own here, so none of its lines ends the text.
    ...(isLong
      ? [`  --data-binary @- <<'${END}'`, text, END]
      : [`  --data-binary ${quoted(text)}`]),
  ].join('\n')
}

export const typescriptOf = (url: string, body: unknown): string =>
  [
    `import { createClient } from 'strata/client'`,
    '',
    '// The key comes from STRATA_API_KEY.',
    `const strata = createClient({ url: ${JSON.stringify(url)} })`,
    `const run = await strata.runs.createAndWait(${JSON.stringify(body, null, 2)})`,
    `console.log(run.output?.text)`,
  ].join('\n')
