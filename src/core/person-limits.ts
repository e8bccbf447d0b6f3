/** The part of the table of limits that is about people: what they are asked, and what they see. */

import { bound } from './limit.ts'

export const PERSON_LIMITS = {
  open_approvals_per_run: bound(
    20,
    'People decide carelessly when there is more; the next follow as they are decided',
  ),
  question_length: bound(1_000, 'Characters of a question to the user; people read no more'),
  question_choices: bound(10, 'Choices of a question to the user; more are no help'),
  questions_per_call: bound(4, 'Questions to the user in one call, answered by one message'),
  pauses_per_call: bound(
    5,
    'How often an MCP server may ask a person in the middle of one call; then it is declined',
  ),
  form_fields: bound(20, 'Fields of a form that an MCP server lets the user fill in'),
  form_bytes: bound(8_192, "An MCP server's form, and all that it asks with it, stands in the log"),
  caller_tools: bound(128, 'Tools of the caller in one run; models do not choose among more'),
  todos: bound(50, "Entries of a run's own list; it is a fact each time, and shown whole"),
  todo_length: bound(300, 'Characters of an entry of that list'),
  approval_seconds_default: bound(86_400, 'A day: somebody reads the approvals once a day'),
  approval_seconds_max: bound(2_592_000, 'Thirty days, as long as a run is kept by default'),
} as const
