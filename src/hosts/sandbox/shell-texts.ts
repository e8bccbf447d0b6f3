/**
 * Adapts the emulated shell's messages for a model, because the original messages name the shell
 * package, its settings, and missing commands.
 */

const HELP = 'just-bash shell builtins'
const HELP_END = 'jobs'
/** Commands that `help` lists although they do not exist. */
const ABSENT: ReadonlySet<string> = new Set(
  'bg caller disown enable fc fg jobs kill logout suspend times trap ulimit umask'.split(' '),
)

/**
 * Replacements for whole sentences of the shell package, so that printed file content stays
 * unchanged.
 */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /: command not available in browser environments\. Exclude '[^']*' from your commands or use the Node\.js bundle\./g,
    ': command not found',
  ],
  [/, increase executionLimits\.\w+/g, '; this shell limit is fixed'],
  [
    /\s*This is a defense-in-depth measure and indicates a bug in just-bash\. Please report this at security@vercel\.com/g,
    '',
  ],
  [
    /Linux version 5\.15\.0-generic \(just-bash\) #1/g,
    'Linux version 5.15.0-generic (emulated) #1',
  ],
  [/(html-to-markdown - convert HTML to Markdown) \(BashEnv extension\)/g, '$1'],
  [/^ *This is a non-standard BashEnv extension command, not available in regular bash\.\n/gm, ''],
  [
    /^ *Commonly used with curl to convert web pages:\n *curl -s https:\/\/example\.com \| html-to-markdown\n/gm,
    '',
  ],
  [/^ *curl -s https:\/\/example\.com \| html-to-markdown > page\.md\n/gm, ''],
]

/** Replaces the shell package's own sentences in a command's output. */
export function inOurWords(output: string): string {
  const text = SENTENCES.reduce(
    (result, [pattern, instead]) => result.replace(pattern, instead),
    output,
  )
  const at = text.indexOf(HELP)
  return at < 0 ? text : text.slice(0, at) + helpOf(text.slice(at).split('\n'))
}

/**
 * Removes missing commands from the output of `help`; the output of other commands follows
 * unchanged.
 */
function helpOf(lines: readonly string[]): string {
  const end = lines.indexOf(HELP_END) + 1 || lines.length
  const builtins = lines.slice(1, end).flatMap((line) => {
    const names = line.split(/ {2,}/)
    const available = names.filter((name) => !ABSENT.has(name))
    return available.length === 0
      ? []
      : [available.length === names.length ? line : available.join('  ')]
  })
  const head = 'Builtins in this emulated shell; `ls /bin` lists its commands.'
  return [head, ...builtins, ...lines.slice(end)].join('\n')
}
