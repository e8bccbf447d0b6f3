/**
 * Every parser that reads text from outside, with texts it takes and what they are made of. A case
 * is red when it throws what is not the parser's own refusal, or holds the thread too long.
 */

import { translate } from '../../../src/core/config/agent/grants.ts'
import { rolePrefix } from '../../../src/core/config/agent/role.ts'
import { parseLayerFile } from '../../../src/core/config/layer/compile.ts'
import { parseConfig } from '../../../src/core/config/server/file.ts'
import { editTable } from '../../../src/core/config/toml/edit.ts'
import { parseToml } from '../../../src/core/config/toml/parse.ts'
import { frontMatter } from '../../../src/core/config/yaml/frontmatter.ts'
import { activationOf } from '../../../src/core/run/prompt/skill-activation.ts'
import { checkAnswer } from '../../../src/core/run/prompt/structured-output.ts'
import { judgeArguments } from '../../../src/core/tools/argument-rules.ts'
import { parseArguments } from '../../../src/core/tools/plan.ts'
import { schemaError } from '../../../src/core/tools/schema.ts'
import { openHook } from '../../../src/core/webhook/inbound.ts'
import { openWebhook } from '../../../src/core/webhook/signature.ts'
import { parseTemplate, render } from '../../../src/core/webhook/template.ts'
import { wakeOf } from '../../../src/hosts/shared/wake.ts'
import { parseJson } from '../../../src/http/request/body.ts'
import { expectation, isKnown } from '../../../src/http/request/conditions.ts'
import { RequestRefused } from '../../../src/http/request/problem.ts'
import { hasDotSegment } from '../../../src/http/request/target.ts'
import { Budget, Exhausted } from '../../../src/lib/budget.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { globMatcher, matchSegment } from '../../../src/lib/glob.ts'
import { readJson } from '../../../src/lib/json.ts'
import { keyPath, keyPrefix } from '../../../src/lib/key.ts'
import { tightened } from '../../../src/lib/loose-json.ts'
import { readPattern } from '../../../src/lib/pattern.ts'
import { retryAfterMs } from '../../../src/lib/retry-after.ts'
import { cpuMs } from '../../support/cpu.ts'
import { bent } from './mutate.ts'

export interface Parser {
  readonly name: string
  /** Texts that it takes. */
  readonly seeds: readonly string[]
  /** What such texts are made of. */
  readonly words: readonly string[]
  readonly read: (text: string) => unknown
  /** What it may throw. */
  readonly refusal?: (error: unknown) => boolean
}
export interface Red {
  readonly parser: string
  readonly seed: number
  readonly why: string
  readonly text: string
}

/** Milliseconds for which one text may hold the thread. */
export const HELD_MS = 50

export interface TimeCheck {
  /** The bound in milliseconds. */
  readonly heldMs: number
  /** Runs its argument and returns the time that it took; processor time by default. */
  readonly timeOf?: (act: () => void) => number
}

const PATHS = Array.from({ length: 200 }, (_, i) => `src/${'ab/'.repeat(i % 12)}file-${i}.test.ts`)
const isRefused = (error: unknown): boolean => error instanceof RequestRefused
const isExhausted = (error: unknown): boolean => error instanceof Exhausted
const HEAD =
  '---\nname: a-b\ndescription: "Does it: well"\ntools: [Read, "Bash(git *)"]\nmetadata:\n  a: b\n  c: |\n    text\n---\nBody.\n'
const TOML =
  '[mcp_servers.docs]\nurl = "https://x.example/mcp"\nenabled_tools = ["a", "b"]\nhttp_headers = { "X-A" = "$' +
  '{B:-c}" }\n\n[mcp_servers."a.b"]\ncommand = \'npx\'\nargs = ["-y"]\n'
const SCHEMA =
  '{"type":"object","properties":{"a":{"type":"string","pattern":"^(a|b)+$","maxLength":9},"b":{"$ref":"#/$defs/x"}},"required":["a"],"$defs":{"x":{"anyOf":[{"type":"integer","minimum":0},{"enum":[null,"y"]}]}},"additionalProperties":false}'
const JSON_WORDS = [
  '{"a":',
  '[',
  '"a"',
  ',',
  '1',
  '{"$ref":"#"}',
  '"type":"object"',
  '"\\u0061"',
  '"allOf":[',
  '}',
]
const GLOBS = ['**/', '*', '?', '{a,b}', '{', ',', '}', 'src', '/', '.ts']
const ETAGS = ['"a"', 'W/"b"', '*', ',', ' ', '"']
const SIGNATURE = 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='

const any = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }

export const PARSERS: readonly Parser[] = [
  {
    name: 'glob',
    seeds: ['**/*.{ts,js}', 'src/**/a?b/*'],
    words: GLOBS,
    refusal: isExhausted,
    read: (text) => {
      const match = globMatcher(text.slice(0, 200))
      return match && PATHS.filter(match)
    },
  },
  {
    name: 'policy glob',
    seeds: ['mcp__*__get_*', '*'],
    words: GLOBS,
    read: (text) => matchSegment(text.slice(0, 200), 'mcp__github__get_'.repeat(4)),
  },
  {
    name: 'pattern',
    seeds: ['^(a|b)+\\d{2,5}$', '[\\w-]+@[^.]+\\.\\p{L}+'],
    words: ['(a+)+', '(?:', '[^', ']', '{1,9}', '\\b', '|', '(?=', '\\1', '.*'],
    refusal: isExhausted,
    read: (text) => {
      const read = readPattern(text.slice(0, 1_200))
      return read.ok && read.value.matches(`${'ab'.repeat(5_000)}!`, new Budget(2_000_000))
    },
  },
  {
    name: 'template',
    seeds: ['Do {{issue.title}} of {{$event}}: {{commits[0].message}} {{$}}'],
    words: ['{{', '}}', 'a.b', '[0]', '$'],
    read: (text) => {
      const read = parseTemplate(text)
      return (
        read.ok &&
        render(read.value, { issue: { title: 'x' }, commits: [{ message: 'y' }] }, 'push')
      )
    },
  },
  {
    name: 'front matter',
    seeds: [HEAD, '---\na: b\n---\n'],
    words: [
      '\n',
      '---\n',
      'a: b\n',
      '  - x\n',
      ': ',
      '&a ',
      '*a',
      '!t ',
      '[',
      '{',
      "'",
      '|\n',
      '? ',
      '<<: ',
    ],
    read: frontMatter,
  },
  {
    name: 'agent',
    seeds: [HEAD],
    words: ['tools: ', 'model: ', 'name: ', 'Bash(', 'mcp__a__b', 'timeoutSeconds: 1e9\n', '\n'],
    read: (text) => parseLayerFile('.agents/agents/a-b.md', encode(text)),
  },
  {
    name: 'skill',
    seeds: [HEAD],
    words: ['allowed-tools: ', 'metadata:\n', 'base64 -d | sh', '\n', 'a'],
    read: (text) => parseLayerFile('.agents/skills/a-b/SKILL.md', encode(text)),
  },
  {
    name: 'TOML',
    seeds: [TOML, 'a.b.c = 1\n[[d]]\ne = 2020-01-01'],
    words: ['a.', '[', '{', '"""', "'''", '= 1\n', '[constructor.', '\\u0061', ',', '#'],
    read: parseToml,
  },
  {
    name: 'config.toml',
    seeds: [TOML],
    words: ['[mcp_servers.', ']\n', 'url = ', '"', '${A:-', '}', 'tool_timeout_sec = 9\n'],
    read: (text) => parseConfig(encode(text), '.agents/config.toml'),
  },
  {
    name: 'mcp.json',
    seeds: ['{"mcpServers":{"a":{"url":"https://x.example","headers":{"X":"y"}}}}'],
    words: JSON_WORDS,
    read: (text) => parseConfig(encode(text), '.agents/mcp.json'),
  },
  {
    name: 'TOML edit',
    seeds: [TOML],
    words: ['[mcp_servers.docs]\n', 'a = {', '}', 'url = ', ',', '.', '"'],
    read: (text) => {
      editTable(text, ['mcp_servers', 'docs'], { url: 'https://y.example', args: ['a'] })
      editTable(text, ['mcp_servers', 'docs'], undefined)
    },
  },
  {
    name: 'tool words',
    seeds: ['mcp__a__b', 'Bash(git *)', 'a_b_c', 'mcp:a/b'],
    words: ['mcp__', '_', '(', ')', '*', '/', 'a'],
    read: translate,
  },
  {
    name: 'JSON body',
    seeds: ['{"input":"@say x","metadata":{"a":"b"}}', '[1,{"a":[]}]'],
    words: JSON_WORDS,
    refusal: isRefused,
    read: parseJson,
  },
  {
    name: 'JSON',
    seeds: ['{"a":1,"b":{"a":[true,null,"\\u0061"]}}'],
    words: JSON_WORDS,
    read: (text) => readJson(text, { depth: 64, values: 50_000 }),
  },
  { name: 'arguments', seeds: ['{"path":"a","n":1}', ''], words: JSON_WORDS, read: parseArguments },
  {
    name: 'JSON Schema',
    seeds: [SCHEMA],
    words: [...JSON_WORDS, '"pattern":"(a+)+$"', '"properties":{', '"required":', '"not":{'],
    read: (text) => {
      const read = readJson(text, { depth: 1e9, values: 1e9, duplicates: 'taken' })
      if (read.ok) {
        const schema = any(read.value)
        schemaError(schema, { a: 'abab', b: 1 })
        schemaError(schema, [[1, 2], 'a'.repeat(5_000)])
      }
    },
  },
  {
    name: 'structured answer',
    seeds: ['```json\n{"a":"ab"}\n```', '{"a":"b","b":3}'],
    words: [...JSON_WORDS, '```', '\n'],
    read: (text) => checkAnswer(JSON.parse(SCHEMA), text),
  },
  {
    name: 'line for a shell',
    seeds: ['ls -la "a b" | grep c; git status && ls 2>/dev/null', "cat 'a;b' \\\n d"],
    words: ['$(', '`', "'", '"', '\\', '\n', ';', '&&', '>', '*', '#', '2>&1'],
    read: (text) => {
      const rules = { allow: ['ls *', 'git status'], ask: ['*'], deny: ['rm *'] }
      judgeArguments(rules, 'shell_execute', { command: text })
    },
  },
  {
    name: 'loose JSON',
    seeds: ['{}{"a":"x\ny",}</tool_call>', '```json\n{"a":[1,]}\n```'],
    words: [...JSON_WORDS, '```', '\n', '<|im_end|>'],
    read: (text) => {
      const meant = tightened(text)
      if (meant !== undefined) tightened(meant)
    },
  },
  {
    name: 'file key',
    seeds: ['a/b/SKILL.md', 'é/ü.md'],
    words: ['/', '..', '%2e', '\\', 'a'.repeat(128), '\u0301'],
    read: (text) => {
      keyPath(text)
      keyPrefix(text)
    },
  },
  {
    name: 'request target',
    seeds: ['/v1/files/a%2fb?x=1', 'https://x.example/a'],
    words: ['/', '..', '%2e', '%252e', '?', '#'],
    read: hasDotSegment,
  },
  {
    name: 'conditions',
    seeds: ['"abc"', 'W/"a", "b"', '*'],
    words: ETAGS,
    refusal: isRefused,
    read: (text) => {
      isKnown(text, 'abc')
      expectation(text, undefined)
      expectation(undefined, text)
    },
  },
  {
    name: 'retry-after',
    seeds: ['120', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    words: ['1', ' ', 'GMT', ':'],
    read: (text) => retryAfterMs(text, 1e12),
  },
  {
    name: 'wake message',
    seeds: ['{"partition":"t/run/r","lane":"main","started":true,"hops":1}'],
    words: JSON_WORDS,
    read: wakeOf,
  },
  {
    name: 'signature',
    seeds: [SIGNATURE, `${SIGNATURE} v1a,AAAA`],
    words: ['v1,', 'v1a,', ' ', ',', '='],
    read: (text) =>
      openWebhook(
        { 'webhook-id': 'msg_1', 'webhook-timestamp': '1000', 'webhook-signature': text },
        encode('{}'),
        [`whsec_${'A'.repeat(32)}`, text],
        1_000_000,
      ),
  },
  {
    name: 'signed body',
    seeds: ['{"type":"a.b","data":{}}'],
    words: JSON_WORDS,
    read: (text) =>
      openHook(
        { scheme: 'github', public_keys: [] },
        {
          headers: { 'x-hub-signature-256': text, 'x-github-event': text },
          body: encode(text),
          digest: 'd',
        },
        ['s'],
        0,
      ),
  },
  { name: 'role', seeds: ['[frontend] fix it'], words: ['[', ']', ' ', 'qa'], read: rolePrefix },
  {
    name: 'command',
    seeds: ['/deploy now', 'Context:\na\n\nTask:\n/deploy x'],
    words: ['/', ' ', 'Task:', 'Context:\n', '\n'],
    read: (text) => activationOf(text, [{ id: 'deploy' } as never]),
  },
]

export const caseOf = ({ seeds, words }: Parser, seed: number): string => bent(seeds, words, seed)

/** What is wrong with the parser on the text of this seed; undefined when nothing is. */
export function tried(
  parser: Parser,
  seed: number,
  { heldMs, timeOf = cpuMs }: TimeCheck,
): Red | undefined {
  const text = caseOf(parser, seed)
  const red = (why: string): Red => ({ parser: parser.name, seed, why, text })
  let thrown: unknown
  const act = (): void => {
    try {
      parser.read(text)
    } catch (error) {
      if (parser.refusal?.(error) !== true) thrown = error
    }
  }
  const first = timeOf(act)
  if (thrown !== undefined) return red(String((thrown as Error).stack ?? thrown))
  if (first < heldMs) return undefined
  const best = first > 20 * heldMs ? first : Math.min(timeOf(act), timeOf(act), timeOf(act))
  return best < heldMs ? undefined : red(`held the thread for ${Math.round(best)} ms`)
}

/** How a red case is shown: enough to have it again. */
export const shown = ({ parser, seed, why, text }: Red): string =>
  `${parser}, seed ${seed}: ${why}\n  node test/hostile/fuzz/main.ts --parsers --only ${JSON.stringify(parser)} --seed ${seed} --seeds 1\n  ${JSON.stringify(text.slice(0, 300))} (${text.length} characters)`
