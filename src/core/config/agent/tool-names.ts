/**
 * The names of tools: ours, and what Claude Code, OpenCode, Codex, Copilot, pi and others call
 * them. A foreign name stands for one tool of ours or for a set.
 */

import { OFFERED_TOOLS } from '../../tools/available.ts'

/** Tools that an agent file may name and that this project knows by this name; some are not built. */
const NAMED = [
  'file_read',
  'file_write',
  'file_edit',
  'file_list',
  'file_search',
  'content_search',
  'attach_file',
  'web_fetch',
  'web_search',
  'skill',
  'todo',
  'ask_user',
  'memory_search',
  'memory_get',
  'memory_write',
  'schedule_wakeup',
  'shell_execute',
  'sessions_spawn',
  'subagents',
  'diagnostics',
  'skills_list',
  'skills_get',
  'skills_put',
  'skills_delete',
  'skills_set_enabled',
  'mcp_list',
  'mcp_put_server',
  'mcp_delete_server',
  'mcp_set_enabled',
  'agents_list',
  'agents_get',
  'agents_put',
  'agents_delete',
  'runtime_reload',
] as const

/** What is offered is known by its name, whether or not it stands in the list above. */
export const OUR_TOOLS: readonly string[] = [...new Set<string>([...NAMED, ...OFFERED_TOOLS])]

/** What a user-facing agent may use unless the tenant's policy says otherwise. */
export const USER_FACING_TOOLS: readonly string[] = [
  'web_search',
  'web_fetch',
  'file_read',
  'attach_file',
]

const FOREIGN: Readonly<Record<string, string>> = {
  file_read: 'NotebookRead read view_image read/readFile view read_file cat',
  file_write: 'Write write create create_file edit/createFile createFile write_file',
  file_edit:
    'MultiEdit NotebookEdit patch multiedit editFiles edit/editFiles edit_file str_replace insert',
  'file_write file_edit': 'edit apply_patch',
  file_list: 'LS list list_dir listDirectory search/listDirectory',
  file_search: 'Glob findTestFiles search/fileSearch fileSearch find file_search',
  content_search:
    'Grep codesearch codebase usages search/codebase search/textSearch search/usages textSearch rg',
  'file_search content_search': 'search',
  shell_execute:
    'Bash PowerShell BashOutput KillShell KillBash Monitor shell exec_command write_stdin execute ' +
    'exec runCommands runInTerminal terminalLastCommand run_shell_command terminal ' +
    'execute/runInTerminal execute/getTerminalOutput runCommands/runInTerminal',
  web_fetch: 'WebFetch fetch web/fetch openSimpleBrowser',
  web_search: 'WebSearch web/githubRepo githubRepo',
  'web_fetch web_search': 'web',
  sessions_spawn: 'Agent Task spawn_agent runSubagent custom-agent agent/runSubagent',
  todo:
    'TodoWrite TodoRead TaskCreate TaskGet TaskList TaskUpdate update_plan todos ' +
    'todo_write todo_read',
  ask_user: 'AskUserQuestion question request_user_input ask_user_question',
  skill: 'Skill SlashCommand',
  diagnostics: 'LSP problems testFailure runTests read/problems execute/runTests',
}

/** Lower-case name → tools of ours. */
const BY_NAME: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(FOREIGN).flatMap(([ours, names]) =>
    names.split(' ').map((name) => [name.toLowerCase(), ours.split(' ')] as const),
  ),
  ...OUR_TOOLS.map((name) => [name, [name]] as const),
])

/** Every word for a tool that is known, ours first: what a misspelt one may have been meant to be. */
export const KNOWN_WORDS: readonly string[] = [
  ...OUR_TOOLS,
  ...Object.values(FOREIGN).flatMap((names) => names.split(' ')),
]

/** The tools that a name without its `(specifier)` stands for; undefined when nobody knows it. */
export function toolsNamed(name: string): readonly string[] | undefined {
  // Claude Code's `Edit` does not create files; Copilot's `edit` does.
  if (name === 'Edit') return ['file_edit']
  return BY_NAME.get(name.toLowerCase())
}
