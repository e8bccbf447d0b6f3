/** Keys of the head of a SKILL.md. https://agentskills.io/specification (read 2026-11). */

import * as z from 'zod'
import { contentSearch } from '../../tools/builtin/content-search.ts'
import { fileRead } from '../../tools/builtin/file-read.ts'
import { shellExecute } from '../../tools/builtin/shell-execute.ts'
import { BOOLEAN, type FileKey, MAP, TEXT, TEXTS } from '../file-key.ts'

export const COMPATIBILITY_LENGTH = 500

export const SKILL_KEYS: readonly FileKey[] = [
  {
    name: 'name',
    schema: TEXT,
    default: 'the name of the folder, with a warning',
    example: 'report',
    about: 'Name of the skill. The name of its folder counts where they differ.',
    otherwise: 'file',
  },
  {
    name: 'description',
    schema: TEXT,
    default: 'required',
    example: 'The form of a written report. Load it before writing one.',
    about: 'Sentence by which models decide whether to open the skill.',
    otherwise: 'file',
  },
  {
    name: 'license',
    schema: TEXT,
    default: 'none',
    example: 'Apache-2.0',
    about: 'License of the skill. It is shown and has no effect.',
    otherwise: 'file',
  },
  {
    name: 'compatibility',
    schema: TEXT.max(COMPATIBILITY_LENGTH),
    default: 'none',
    example: 'Needs git.',
    about: 'Requirements in words. They are shown and have no effect.',
    otherwise: 'ignored',
  },
  {
    name: 'metadata',
    schema: MAP,
    default: 'none',
    example: { requires: { bins: ['git'] }, os: ['linux'] },
    about:
      'Map of values. `os` and `requires` (`secrets`, `servers`, `config`, `bins`, `anyBins`) ' +
      'make the skill unavailable where they are not met, with the reason.',
    otherwise: 'ignored',
  },
  {
    name: 'allowed-tools',
    schema: z.union([TEXT, TEXTS]),
    default: 'none',
    example: [fileRead.name, contentSearch.name],
    about: 'Tools that the skill uses. They are shown; the list grants and approves nothing.',
    otherwise: 'file',
  },
  {
    name: 'confirm-before',
    schema: z.union([TEXT, TEXTS]),
    default: 'none',
    example: [shellExecute.name],
    about: 'Tools that wait for the approval of a person after the skill is opened.',
    otherwise: 'file',
  },
  {
    name: 'arguments',
    schema: z.union([TEXT, TEXTS]),
    default: 'none',
    example: ['issue', 'branch'],
    about: 'Names for the words after the skill’s name, for placeholders such as `$issue`.',
    otherwise: 'ignored',
  },
  {
    name: 'disable-model-invocation',
    schema: BOOLEAN,
    default: 'false',
    example: true,
    about: 'Whether only a caller may open the skill, as `/name`.',
    otherwise: 'file',
  },
  {
    name: 'user-invocable',
    schema: BOOLEAN,
    default: 'true',
    example: false,
    about: 'Whether a caller may open the skill, as `/name`.',
    otherwise: 'file',
  },
]
