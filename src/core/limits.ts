/** Every limit in one table, each with its reason. `GET /v1/limits` shows it. */

import { KEY_BYTES, KEY_SEGMENT_BYTES, KEY_SEGMENTS } from '../lib/key.ts'
import { bound } from './limit.ts'

export const LIMIT_TABLE = {
  api_keys: bound(100, 'Per tenant, including expired keys that were not revoked'),
  key_cache_seconds: bound(
    5,
    'A process caches a verified key this long, and open streams check theirs as often',
  ),
  browser_sessions: bound(50, 'Concurrent sessions per tenant: a few browsers for each operator'),
  browser_session_seconds: bound(43_200, 'A working day; the browser signs in again the next day'),
  sign_in_link_seconds: bound(
    600,
    'A link that is not opened within minutes may have leaked into a log or a chat',
  ),
  sign_in_failures: bound(
    20,
    'Per minute and client address, in each process; further attempts get 429',
  ),
  token_seconds: bound(
    86_400,
    'A token in a page or a script cannot be revoked alone, so it expires within a day',
  ),
  access_link_seconds: bound(
    604_800,
    'Leaves time for a weekend or a week off; a link decides or shows one item',
  ),
  access_link_form_bytes: bound(
    16_384,
    'Fits a decision and an encoded reason of 2,000 characters',
  ),
  key_addresses: bound(20, 'Each request is compared with all addresses of its key'),
  key_requests_per_second: bound(
    2_500,
    'Per API key, with a burst of two seconds; a loop of one key leaves half to the others',
  ),
  tenant_requests_per_second: bound(
    5_000,
    'Per tenant, with a burst of two seconds; 1,000 runs per second need three requests each',
  ),
  key_run_starts_per_minute: bound(
    120_000,
    'Per API key, with a burst of a minute; a fan-out of 100,000 tasks fits into one burst',
  ),
  tenant_run_starts_per_minute: bound(
    240_000,
    'Per tenant, with a burst of a minute; twice the limit of a key',
  ),
  key_body_bytes_per_second: bound(
    67_108_864,
    'Per API key, with a burst of ten seconds; exceeds the throughput of one process',
  ),
  tenant_body_bytes_per_second: bound(
    134_217_728,
    'Per tenant, with a burst of ten seconds; twice the limit of a key',
  ),
  key_overlap_seconds: bound(604_800, 'A week is enough to roll out a new key'),
  calls_per_step: bound(128, 'Calls of one answer run concurrently; further calls get an error'),
  identical_calls: bound(
    8,
    'Consecutive identical calls indicate a loop; further calls get an error',
  ),
  children_per_run: bound(
    1_000,
    'Each child keeps a few hundred bytes in the state of its parent, which is loaded whole',
  ),
  tasks_per_fanout: bound(
    100_000,
    'For fan-outs that take tasks in pages; each page has its own log, so no log grows with it',
  ),
  fanout_pages: bound(1_000, 'The log of an open fan-out counts pages; each has up to 1,000 tasks'),
  open_fanout_seconds: bound(86_400, 'An open fan-out that gets no page for a day is abandoned'),
  live_children: bound(
    32,
    'Bounds backlog, cancellation, and memory; further children start as these end',
  ),
  depth: bound(1, 'Unbounded nesting makes cost unpredictable; the configuration can allow more'),
  usage_tokens: bound(
    20_000_000,
    'No model reads or writes as much in one call; a higher reported value is discarded',
  ),
  first_slice_tokens: bound(
    32_000,
    'Reserved for a child before any child has ended; later slices follow the measured usage',
  ),
  first_slice_usd: bound(1, 'Same as `first_slice_tokens`, for a budget in US dollars'),
  bounded_answer_tokens: bound(
    32_768,
    'With less budget left, the answer is bounded (max_output_tokens); few answers are longer',
  ),
  steps_default: bound(
    50,
    'Most tasks need fewer; after the last step, one more call without tools is made',
  ),
  steps_max: bound(200, 'Bounds the cost of a run, whatever its caller requests'),
  run_timeout_seconds_default: bound(
    3_600,
    'Running time without waits for people; most runs take minutes',
  ),
  run_timeout_seconds_max: bound(
    86_400,
    'A day; runs that take longer are split into several runs',
  ),
  model_attempts: bound(
    3,
    'Attempts of a model call when the patience is 0, over about eleven seconds',
  ),
  model_patience_seconds_default: bound(
    3_600,
    'Most provider outages end within an hour, and a parked run costs nothing',
  ),
  model_patience_seconds_max: bound(
    86_400,
    'Bounds how long a parked run stays open; after a day its answer is rarely useful',
  ),
  model_pause_seconds: bound(
    300,
    'The longest pause between two attempts bounds how late a run notices a recovery',
  ),
  model_circuit_failures: bound(
    5,
    'Consecutive failures that open the circuit of a tenant and model in a process',
  ),
  model_circuit_seconds: bound(
    30,
    'The longest time that a circuit stays open before one call probes the model',
  ),
  storage_call_seconds: bound(
    30,
    'Store, bucket, and queue answer in milliseconds; a slower call counts as failed',
  ),
  approval_patterns: bound(
    100,
    'Patterns of one rule by arguments; each call of the tool is matched against all of them',
  ),
  approval_line_length: bound(
    8_192,
    'Characters of a command line that is judged command by command; a longer line is opaque',
  ),
  approval_commands: bound(64, 'Commands of such a command line, for the same reason'),
  approval_pattern_length: bound(200, 'Characters of such a pattern, as for any glob'),
  storage_marker_seconds: bound(
    5,
    'An unmounted bucket reads as empty, so its marker is read again after this time',
  ),
  commit_row_bytes: bound(
    65_536,
    'Keeps a commit with its head below the 400 KB item limit of DynamoDB',
  ),
  open_approvals_per_run: bound(
    20,
    'People decide carelessly when there are more; further approvals open as these are decided',
  ),
  question_length: bound(
    1_000,
    'Characters of a question to the user; longer questions are not read',
  ),
  question_choices: bound(10, 'Choices of a question to the user; more choices do not help'),
  questions_per_call: bound(4, 'Questions to the user in one call, answered by one message'),
  pauses_per_call: bound(
    5,
    'Times that an MCP server can ask a person within one call; further requests are declined',
  ),
  form_fields: bound(20, 'Fields of a form that an MCP server shows to the user'),
  form_bytes: bound(
    8_192,
    'A form of an MCP server is stored in the log, with everything that it asks',
  ),
  caller_tools: bound(128, 'Functions of the caller in one run; models choose poorly among more'),
  todos: bound(50, 'Entries of the to-do list of a run; each change stores the whole list'),
  todo_length: bound(300, 'Characters of a to-do entry'),
  approval_seconds_default: bound(86_400, 'A day, because approvals are usually read once a day'),
  approval_seconds_max: bound(
    2_592_000,
    'Thirty days, which is also the default retention of runs',
  ),
  session_title: bound(200, 'Characters of the title of a session; lists show it in one line'),
  session_retention_seconds_max: bound(
    315_360_000,
    'Ten years; omit the value to keep sessions for ever',
  ),
  fork_segments: bound(
    256,
    'Segments (up to 64 KB each) that a fork copies while its caller waits',
  ),
  mail_per_commit: bound(
    40,
    'Children that end together share a commit; a DynamoDB transaction has up to 100 items',
  ),
  announce_bytes: bound(
    2_048,
    "Text of a child's result in the log of its parent; the rest is stored by digest",
  ),
  announce_attachments: bound(
    20,
    'Names of files in the result of a child; the run of the child lists all of them',
  ),
  compact_percent: bound(
    70,
    "Share of the model's window; above it, a summary replaces old messages",
  ),
  summary_bytes: bound(16_384, 'A longer summary is cut, because every step includes it'),
  structured_bytes: bound(32_768, 'Structured output is stored in the log, within one commit row'),
  announce_structured_bytes: bound(
    8_192,
    'Larger structured output of a subagent is read from its run',
  ),
  web_page_bytes: bound(10_485_760, 'Decoded bytes of a web page or file'),
  web_fetch_seconds: bound(20, 'Includes all redirects; the model waits for the result'),
  unreachable_hosts: bound(30, 'Unreachable addresses per tenant and minute; more indicate a scan'),
  web_redirects: bound(
    5,
    'Each redirect is checked like the first address; legitimate chains are shorter',
  ),
  web_cache_seconds: bound(900, 'Further parts of a fetched page are read without another request'),
  web_characters: bound(
    50_000,
    'Characters of a page in one result; the next call continues after them',
  ),
  web_results: bound(20, 'Results of one web search; later results are rarely used'),
  document_seconds: bound(20, 'A page of several megabytes takes one or two seconds'),
  document_memory_bytes: bound(
    134_217_728,
    'Parsers need about twenty times the text; a decompression bomb is stopped here',
  ),
  shell_files: bound(
    2_000,
    'Files that a command sees or creates; each is read and written as a whole',
  ),
  shell_bytes: bound(16_777_216, 'Total of all these files, before and after the command'),
  shell_seconds: bound(60, 'The model waits for the command, which works in memory only'),
  shell_output_bytes: bound(
    65_536,
    'For each of the two output streams; a model reads no more of a log',
  ),
  shell_memory_bytes: bound(
    268_435_456,
    'For the shell with all its files, or for all processes of a sandbox together',
  ),
  shell_processes: bound(64, 'Processes of a sandbox (`ALLOW_SHELL`); a build starts a dozen'),
  shells_per_run: bound(4, 'Concurrent long-running processes; each can use the memory of a shell'),
  shells_per_server: bound(
    16,
    'Concurrent long-running processes of all runs of a server; further ones are refused',
  ),
  shell_disk_bytes: bound(268_435_456, 'Working folder and /tmp of a sandbox while a command runs'),
  shell_disk_files: bound(20_000, 'Files and folders of a sandbox; counting visits each of them'),
  shell_loops: bound(
    100_000,
    'Iterations and commands of one call; more indicate an infinite loop',
  ),
  shell_state_bytes: bound(65_536, 'Exported variables that are kept for the next command'),
  json_body_bytes: bound(262_144, 'Bodies are parsed in memory as a whole'),
  body_chunks: bound(
    10_000,
    'Each chunk of a body costs as much as a kilobyte, however small it is',
  ),
  media_body_bytes: bound(
    5_242_880,
    'Bodies of runs, messages, and fan-outs with files in Base64; Lambda accepts 6 MB in total',
  ),
  text_page_bytes: bound(
    1_048_576,
    'Bytes of one page of a large text; the whole text is in memory while the page is read',
  ),
  media_bytes: bound(
    5_242_880,
    'A picture, sound, or file; model vendors accept no larger pictures',
  ),
  media_parts: bound(20, 'Pictures, sounds, and files of one input or message'),
  media_fanout_parts: bound(
    200,
    'Pictures, sounds, and files of all tasks of one request; pages allow more',
  ),
  media_fanout_bytes: bound(16_777_216, 'Total of those files, which are in memory together'),
  media_request_bytes: bound(
    8_388_608,
    'All files in one model request; it is in memory several times',
  ),
  media_fetch_seconds: bound(20, 'The caller waits for all files that its request names by URL'),
  download_seconds: bound(900, 'Validity of a link to an attached file'),
  json_depth: bound(64, 'Levels of a JSON body; recursive functions need a bounded stack'),
  json_values: bound(50_000, 'Members and items of a JSON body; each is visited several times'),
  file_body_bytes: bound(
    1_048_576,
    'Files, skills, agents, and fan-outs are read and parsed as a whole',
  ),
  front_matter_bytes: bound(65_536, 'Front matter is written by people; keeps the parser fast'),
  front_matter_keys: bound(200, 'Every listing and digest includes the front matter'),
  front_matter_lines: bound(1_000, 'The time of the parser is not linear in lines'),
  front_matter_marks: bound(
    1_000,
    'Brackets, colons, quotes, and similar characters; each costs the parser a decision',
  ),
  toml_bytes: bound(65_536, 'The parser reads the whole text at once, and its time is not linear'),
  schema_bytes: bound(
    131_072,
    'Characters of a JSON Schema; a tool that describes a whole API needs fewer',
  ),
  schema_values: bound(4_000, 'Values in a JSON Schema; each costs a check of every argument'),
  schema_depth: bound(64, 'Levels of a JSON Schema; realistic schemas have fewer than ten'),
  toml_lines: bound(1_500, 'Fits thirty servers; up to three readers read each line'),
  toml_values: bound(
    4_000,
    'Values of a TOML file; names of inherited properties require a second parser',
  ),
  toml_key_parts: bound(32, 'Each part of a dotted key is a nested table'),
  servers_per_config: bound(32, 'Each server is asked for its tools when a run starts'),
  tool_result_bytes: bound(
    262_144,
    "A fraction of a model's window; a longer result is cut with a marker",
  ),
  search_files: bound(500, 'Each file of a content search is read from the bucket'),
  search_hits: bound(200, 'More hits indicate a vague query; the model can request more'),
  search_seconds: bound(10, 'After this time, a content search returns the hits that it has'),
  search_pattern_length: bound(1_000, 'Characters of a regular expression'),
  search_steps: bound(
    20_000_000,
    'Steps of an expression over a line, or with `multiline` over a text; at most 0.9 s',
  ),
  memory_file_bytes: bound(
    262_144,
    'Each change writes the whole file, and a model is shown parts of it',
  ),
  memory_add_seconds: bound(
    25,
    'Time that an addition waits for others to the same file; Lambda answers within 29 seconds',
  ),
  memory_files: bound(10_000, 'Files of one memory that a search covers; the rest is counted'),
  memory_index_bytes: bound(
    33_554_432,
    'Text of one memory that a search covers, newest files first; the result says what is left out',
  ),
  memory_shard_bytes: bound(
    2_097_152,
    'Text covered by one object of an index, which is rebuilt when a file of it changes',
  ),
  memory_heal_files: bound(
    500,
    'Changed files that one search reads; the result says when more are left',
  ),
  memory_folders: bound(100, 'Memories that a search over a whole tenant covers'),
  memory_results: bound(50, 'Passages that one search returns'),
  memory_query_length: bound(1_000, 'Characters of a query; each word costs a lookup in the index'),
  memory_vector_texts: bound(
    512,
    'Passages whose vectors one search requests; each batch is a request to the embedding model',
  ),
  memory_lines: bound(2_000, 'Lines of one result; the next call continues after them'),
  memory_start_bytes: bound(
    32_768,
    'Notes that a run starts with; every model request includes them',
  ),
  memory_start_bytes_default: bound(8_192, 'Default of `memory_start_bytes`; about 2,000 tokens'),
  memory_flush_calls: bound(16, 'Writes of the one answer that stores what must survive a summary'),
  memory_flush_pending: bound(
    64,
    'Entries that storage rejected and the next step writes; the state of the run includes them',
  ),
  tool_arguments_bytes: bound(262_144, 'Same as `json_body_bytes`'),
  metadata_pairs: bound(16, 'Every list includes metadata'),
  page: bound(100, 'Keeps a page of a list small enough to be built at once'),
  ignored_names: bound(
    20,
    'Names of ignored members; as many fit into a response header, at 100 characters each',
  ),
  usage_days: bound(366, 'Days of one usage report: a year'),
  usage_roots: bound(
    10_000,
    'Runs and fan-outs that one usage report reads; it names the day where it stopped',
  ),
  tool_name_length: bound(64, 'The maximum of model vendors'),
  agent_catalog_bytes: bound(
    32_768,
    'Every model request includes the catalog; above this, agents are listed by name only',
  ),
  skill_catalog_bytes: bound(
    16_384,
    'Every model request includes the catalog; above this, the rest is counted',
  ),
  webhook_body_bytes: bound(
    20_480,
    'Recommended by Standard Webhooks; larger events contain a URL instead',
  ),
  webhook_timeout_seconds: bound(
    15,
    'Standard Webhooks recommends 15 to 30; a receiver should respond before it works',
  ),
  webhook_answer_seconds: bound(
    1,
    'The status decides; a slow response body must not occupy a slot of the queue',
  ),
  webhook_attempts: bound(10, 'Over three days, which outlast a weekend'),
  server_startup_seconds: bound(
    60,
    'A run waits for its servers before it starts; files can lower this',
  ),
  server_discovery_seconds: bound(
    2,
    'Some servers of older revisions never answer the discovery request; they are then initialized',
  ),
  tool_call_seconds: bound(600, 'A call occupies its run; files can lower this'),
  offered_tools: bound(
    40,
    'Models choose poorly among more; further tools of MCP servers are found by a search',
  ),
  remote_tools_percent: bound(
    10,
    'Share of the window for MCP tools, which every request includes; else a search finds them',
  ),
  tool_search_results: bound(20, 'Results of one tool search; each is included in later requests'),
  tool_search_bytes: bound(
    65_536,
    'Schemas in the result of a tool search; further ones come with the tools',
  ),
  tools_per_server: bound(
    1_000,
    'The pinned configuration of a run includes every tool, and each search reads it',
  ),
  tool_list_bytes: bound(
    4_194_304,
    'Tools of one server as JSON; far above what a model can be shown',
  ),
  tool_list_pages: bound(
    100,
    'Each page of a tool list is a request; ten tools per page still reach `tools_per_server`',
  ),
  tool_findings: bound(
    20,
    'Findings about the tools of a server that are listed; further ones are counted',
  ),
  tool_schema_branches: bound(
    100,
    'Alternatives of one schema that are merged into one object; references could multiply them',
  ),
  tool_description_bytes: bound(
    32_768,
    'Description of an MCP tool, which every model request includes',
  ),
  remote_tool_name_length: bound(
    1_024,
    'Characters of the name of an MCP tool, which every pinned configuration and call includes',
  ),
  structured_result_bytes: bound(
    65_536,
    'Structured data beside the text of a tool result, which usually says the same',
  ),
  result_part_bytes: bound(
    16_384,
    'A part of a tool result with an unknown type, which the model is shown as JSON',
  ),
  tool_list_seconds: bound(300, 'Default lifetime of a tool list; new tools appear within minutes'),
  tool_list_seconds_max: bound(
    3_600,
    'Maximum lifetime of a tool list, whatever its server states',
  ),
  shared_list_bytes: bound(
    1_048_576,
    'Longer tool lists are cached per process, because they would take a dozen rows of the store',
  ),
  oauth_link_seconds: bound(600, 'A person opens the link at once; a later response is refused'),
  oauth_answer_bytes: bound(262_144, 'Metadata and tokens of an authorization server'),
  oauth_request_seconds: bound(20, 'Per request to an authorization server; the run waits for it'),
  tool_message_bytes: bound(
    4_194_304,
    'A message of a server is parsed as a whole, in the thread that serves all requests',
  ),
  tool_text_bytes: bound(
    1_048_576,
    'A longer text of a message is cut while it is read; the model is shown less in any case',
  ),
  tool_wire_bytes: bound(
    67_108_864,
    'One response of a server as a whole, including texts that are cut',
  ),
  tool_messages: bound(
    5_000,
    'Messages of a server between two of our requests; each is parsed separately',
  ),
  provider_options_length: bound(
    16_384,
    'Characters of JSON; every model request and the pinned configuration include the options',
  ),
  fallback_models: bound(
    8,
    'A step tries the models of a chain in turn; each can take as long as a call',
  ),
  model_idle_seconds: bound(
    300,
    'Reasoning models can be silent for minutes; a connection that is silent for longer is dead',
  ),
  model_trailer_seconds: bound(5, 'Only the usage may follow the end of an answer'),
  model_call_seconds: bound(
    840,
    'The longest answers take minutes; stays below the limit of a step',
  ),
  model_error_seconds: bound(
    2,
    'The status of a refusal decides; an endless body must not block the call',
  ),
  model_answer_bytes: bound(
    1_048_576,
    'Text, reasoning, and arguments of one answer; no model writes as much',
  ),
  model_event_bytes: bound(
    4_194_304,
    'One event of a stream is parsed as a whole; some vendors repeat the answer in the last one',
  ),
  model_wire_bytes: bound(
    67_108_864,
    'Vendors wrap each token in a few hundred bytes; the longest answers take about 40 MB',
  ),
  outbound_buffered_bytes: bound(
    16_777_216,
    'Total of all responses that are being read; parsing needs a multiple of it',
  ),
  hook_hops: bound(
    8,
    'Webhooks that return as hooks this often form a loop; legitimate chains are shorter',
  ),
  start_seconds_max: bound(2_592_000, 'Thirty days; use a schedule for later starts'),
  priority_max: bound(
    10,
    'Priorities of runs and fan-outs range from -10 to 10; finer steps have no effect',
  ),
  schedules: bound(100, 'Per tenant; each is evaluated when it is due'),
  wakeups: bound(20, 'Pending wakeups of one session; more indicate a loop'),
  wakeup_seconds_max: bound(2_592_000, 'Thirty days; use a schedule for later times'),
  wakeup_seconds_min: bound(60, 'The clock of the clouds ticks once a minute'),
  schedule_seconds_min: bound(60, 'Between two slots; the clock of the clouds ticks once a minute'),
  schedule_every_seconds_max: bound(31_622_400, 'A year; use a date for rarer events'),
  schedule_source_seconds: bound(300, 'Between two reads of the file that defines a schedule'),
  schedule_grace_seconds: bound(300, 'A slot that is found later than this counts as missed'),
  schedule_catch_up: bound(100, 'Missed slots that are made up for, or counted'),
  schedule_fires: bound(50, 'Runs of one schedule that are queued or active'),
  schedule_failures: bound(
    10,
    'Consecutive failures; the schedule is then paused, and `schedule.disabled` is sent',
  ),
  schedule_window_seconds_max: bound(604_800, 'A missed slot can be made up for within a week'),
  schedule_jitter_seconds_max: bound(3_600, 'An hour spreads any load'),
  schedule_upcoming: bound(10, 'Slots that one response lists'),
  key_bytes: bound(
    KEY_BYTES,
    'S3 accepts 1,024 bytes, including our prefix and that of the tenant',
  ),
  key_segments: bound(KEY_SEGMENTS, 'Bounds the depth of folders on Node'),
  key_segment_bytes: bound(KEY_SEGMENT_BYTES, 'File systems accept 255; leaves room for a suffix'),
} as const

type Name = keyof typeof LIMIT_TABLE

/** The numbers alone. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, { value }]) => [name, value]),
) as Readonly<Record<Name, number>>
