/**
 * `strata completion bash|zsh|fish`: prints a shell script that completes commands and options. The
 * script is generated from the program, so it matches this release.
 */

import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface CommandInfo {
  readonly name: string
  readonly about: string
  readonly options: readonly { readonly flag: string; readonly about: string }[]
  /** Allowed values of a command's first argument; if empty, file names are completed. */
  readonly words: readonly string[]
}

export function completion(program: Command, shell: Shell): string {
  const commands = program.commands.map((command): CommandInfo => {
    const options = [...command.options].map(({ long, description }) => ({
      flag: long ?? '',
      about: description,
    }))
    return {
      name: command.name(),
      about: command.description(),
      options: [...options, { flag: '--help', about: 'show help' }],
      words: command.registeredArguments[0]?.argChoices ?? [],
    }
  })
  return { bash, zsh, fish }[shell](commands)
}

const names = (commands: readonly CommandInfo[]): string =>
  commands.map(({ name }) => name).join(' ')
const flags = ({ options }: CommandInfo): string => options.map(({ flag }) => flag).join(' ')

const bash = (commands: readonly CommandInfo[]): string =>
  `_strata() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names(commands)} --help --version" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) words="${[flags(command), ...command.words].join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _strata strata`

/** Quotes a string for use in a shell command. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const described = (word: string, about: string): string =>
  quote(`${word}:${about.replaceAll(':', ' –')}`)

const zsh = (commands: readonly CommandInfo[]): string =>
  `#compdef strata
_strata() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${commands.map(({ name, about }) => described(name, about)).join(' ')})
    _describe command choices
    return
  fi
  case $words[2] in
${commands.map((command) => `    ${command.name}) choices=(${zshChoices(command)}) ;;`).join('\n')}
  esac
  _describe choice choices
  _files
}
compdef _strata strata`

const zshChoices = ({ options, words }: CommandInfo): string =>
  [...options.map(({ flag, about }) => described(flag, about)), ...words.map(quote)].join(' ')

const fish = (commands: readonly CommandInfo[]): string =>
  [
    ...commands.map(
      ({ name, about }) =>
        `complete -c strata -n __fish_use_subcommand -f -a ${name} -d ${quote(about)}`,
    ),
    ...commands.flatMap(({ name, options, words }) => [
      ...options.map(
        ({ flag, about }) =>
          `complete -c strata -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${quote(about)}`,
      ),
      ...words.map(
        (word) => `complete -c strata -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`,
      ),
    ]),
  ].join('\n')
