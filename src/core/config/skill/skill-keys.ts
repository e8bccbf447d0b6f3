/** Front matter keys of a SKILL.md file. https://agentskills.io/specification (read 2026-11). */

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
    default: "the folder's name, with a warning",
    example: 'report',
    about:
      "Name of the skill. If the folder has a different name, the folder's name takes " +
      'precedence.',
    otherwise: 'file',
  },
  {
    name: 'description',
    schema: TEXT,
    default: 'required',
    example: 'The format of a written report. Load it before you write one.',
    about: 'Sentence that models use to decide whether to open the skill.',
    otherwise: 'file',
  },
  {
    name: 'license',
    schema: TEXT,
    default: 'none',
    example: 'Apache-2.0',
    about: 'License of the skill. Informational only.',
    otherwise: 'file',
  },
  {
    name: 'compatibility',
    schema: TEXT.max(COMPATIBILITY_LENGTH),
    default: 'none',
    example: 'Requires git.',
    about: "The skill's requirements, in prose. Informational only.",
    otherwise: 'ignored',
  },
  {
    name: 'metadata',
    schema: MAP,
    default: 'none',
    example: { requires: { bins: ['git'] }, os: ['linux'] },
    about:
      'Map of values. If the conditions in `os` and `requires` (`secrets`, `servers`, ' +
      '`config`, `bins`, `anyBins`) are not met, the skill is unavailable and the reason is ' +
      'reported.',
    otherwise: 'ignored',
  },
  {
    name: 'allowed-tools',
    schema: z.union([TEXT, TEXTS]),
    default: 'none',
    example: [fileRead.name, contentSearch.name],
    about:
      'Tools that the skill uses. Informational only: the list neither grants nor approves ' +
      'tools.',
    otherwise: 'file',
  },
  {
    name: 'confirm-before',
    schema: z.union([TEXT, TEXTS]),
    default: 'none',
    example: [shellExecute.name],
    about: "Tools that require a person's approval after the skill is opened.",
    otherwise: 'file',
  },
  {
    name: 'arguments',
    schema: z.union([TEXT, TEXTS]),
    default: 'none',
    example: ['issue', 'branch'],
    about:
      "Argument names for the words after the skill's name, used in placeholders such as " +
      '`$issue`.',
    otherwise: 'ignored',
  },
  {
    name: 'disable-model-invocation',
    schema: BOOLEAN,
    default: 'false',
    example: true,
    about: 'Whether only callers can open the skill, as `/name`.',
    otherwise: 'file',
  },
  {
    name: 'user-invocable',
    schema: BOOLEAN,
    default: 'true',
    example: false,
    about: 'Whether callers can open the skill, as `/name`.',
    otherwise: 'file',
  },
]
