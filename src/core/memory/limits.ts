/** The part of the table of limits (`core/limits.ts`) that is about memory. */

import { bound } from '../limit.ts'

export const MEMORY_LIMITS = {
  memory_file_bytes: bound(
    262_144,
    'A file of memory: each change writes it whole, and a model is shown parts of it',
  ),
  memory_files: bound(10_000, 'Of one memory, as far as a search looks; the rest is counted'),
  memory_index_bytes: bound(
    33_554_432,
    'Text of one memory that is searched, newest files first; beyond it the answer says so',
  ),
  memory_shard_bytes: bound(
    2_097_152,
    'Text that one object of an index is about: it is made anew when a file of it changes',
  ),
  memory_heal_files: bound(500, 'Changed files that one search reads; it says when more are left'),
  memory_folders: bound(100, 'Memories that one search over all of a tenant looks at'),
  memory_results: bound(50, 'Passages that one search answers; nobody reads more'),
  memory_query_length: bound(1_000, 'Characters of a query: each word costs a look at the index'),
  memory_vector_texts: bound(
    512,
    'Passages whose vectors one search asks for: each batch is a request to the embedding model',
  ),
  memory_lines: bound(2_000, 'Lines of one answer; the next call goes on behind them'),
  memory_start_bytes: bound(
    32_768,
    'Notes that a run begins with: they are part of every request of the model',
  ),
  memory_start_bytes_default: bound(8_192, 'The same where nobody says; about two thousand tokens'),
  memory_flush_calls: bound(16, 'Writes of one answer that writes down what must last'),
} as const
