/** Every bound in one table, each with its reason. `GET /v1/limits` shows it. */

const bound = (value: number, reason: string) => ({ value, reason })

export const LIMIT_TABLE = {
  facts_per_run: bound(10_000, 'So that a whole log is read in a few pages'),
  calls_per_step: bound(128, 'Calls of one answer run at once; more are answered as errors'),
  identical_calls: bound(
    8,
    'The same call so often in a row is a loop; more are answered as errors',
  ),
  children_per_run: bound(
    1_000,
    'Each child keeps a few hundred bytes in the parent, which is folded whole',
  ),
  live_children: bound(32, 'Bounds backlog, cancel and memory; the rest follow as these end'),
  depth: bound(1, 'A tree that grows by itself is a bill; deeper only by configuration'),
  steps_default: bound(50, 'Most work is done by then; after it one last call without tools'),
  steps_max: bound(200, 'So that what a run may cost has an end, whatever its caller asks for'),
  run_timeout_seconds_default: bound(
    3_600,
    'Running time without waits for people; most runs take minutes',
  ),
  run_timeout_seconds_max: bound(86_400, 'A day: nothing that runs longer is watched by anybody'),
  model_attempts: bound(
    3,
    'Trouble that outlasts three attempts, parked between them, is for the caller',
  ),
  commit_row_bytes: bound(
    65_536,
    'An item of DynamoDB holds 400 KB; a row stays well below with its head',
  ),
  open_approvals_per_run: bound(
    20,
    'People decide carelessly when there is more; the next follow as they are decided',
  ),
  approval_seconds_default: bound(86_400, 'A day: somebody looks at an inbox once a day'),
  approval_seconds_max: bound(2_592_000, 'Thirty days, as long as a run is kept by default'),
  letters_per_commit: bound(
    40,
    'Children that end together share a commit; a transaction of DynamoDB has 100 items',
  ),
  announce_bytes: bound(
    2_048,
    "Text of a child's result in its parent's log; the rest is by digest",
  ),
  compact_percent: bound(
    70,
    "Of the model's window; beyond it a summary takes the place of what is old",
  ),
  summary_bytes: bound(16_384, 'What a summary has over this is cut: it is shown with every step'),
  structured_bytes: bound(
    32_768,
    'An answer by a schema stands in the log as data, within one commit row',
  ),
  announce_structured_bytes: bound(
    8_192,
    "Above this a subagent's data is read from its run instead",
  ),
  json_body_bytes: bound(262_144, 'Bodies are parsed whole in memory'),
  file_body_bytes: bound(1_048_576, 'Files, skills, agents and fan-outs are read and parsed whole'),
  front_matter_bytes: bound(65_536, 'A head is for people; a parser should not meet more'),
  toml_bytes: bound(65_536, 'The parser takes the whole text at once, and its time is not linear'),
  servers_per_config: bound(32, 'Each one is asked for its tools when a run starts'),
  tool_result_bytes: bound(
    262_144,
    "A fraction of a model's window; longer results are cut with a marker",
  ),
  tool_arguments_bytes: bound(262_144, 'As large as a body that people send'),
  metadata_pairs: bound(16, 'Metadata is shown in every list'),
  page: bound(100, 'An answer of a list stays small enough to be made at once'),
  tool_name_length: bound(64, 'What model vendors accept'),
  agent_catalog_bytes: bound(
    32_768,
    'It is part of every request of the model; beyond it agents are named only',
  ),
  skill_catalog_bytes: bound(
    16_384,
    'It is part of every request of the model; beyond it the rest is counted',
  ),
  webhook_body_bytes: bound(
    20_480,
    'Standard Webhooks advises it; larger events say where they are to be fetched',
  ),
  webhook_timeout_seconds: bound(
    15,
    'Standard Webhooks advises 15 to 30; a receiver should answer and work afterwards',
  ),
  webhook_attempts: bound(10, 'Over three days, which outlast a weekend'),
  key_bytes: bound(512, 'S3 takes 1,024 with the prefix of the tenant and of ours'),
  key_segments: bound(16, 'A folder of the Node host is as deep'),
  key_segment_bytes: bound(128, 'File systems take 255, with room for a suffix'),
} as const

type Name = keyof typeof LIMIT_TABLE

/** The numbers alone. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, { value }]) => [name, value]),
) as Readonly<Record<Name, number>>
