/** Table of all limits, each with its reason, returned by `GET /v1/limits`. */

import { KEY_BYTES, KEY_SEGMENT_BYTES, KEY_SEGMENTS } from '../lib/key.ts'
import { bound } from './limit.ts'

export const LIMIT_TABLE = {
  api_keys: bound(100, 'Per tenant, including expired keys that have not been revoked'),
  key_cache_seconds: bound(
    5,
    'Cached keys and open streams are verified again after this time, so revocation takes ' +
      'effect',
  ),
  issuers: bound(10, 'OpenID Connect issuers that a deployment trusts; each has its own keys'),
  jwt_bytes: bound(8_192, 'JSON Web Token of a request; proxies limit header lines to this size'),
  quota_active_runs: bound(
    1_000,
    'Largest quota of active runs, queued runs, or subagents, which are stored in one row',
  ),
  quota_call_seconds: bound(
    1_800,
    'A model call that has not reported its cost after this time counts with its reservation',
  ),
  quota_output_tokens: bound(
    8_192,
    'Tokens that a model call reserves for its answer under a quota, unless the run limits them',
  ),
  tenants: bound(1_000, 'Per deployment, including deleted tenants, whose IDs are not reused'),
  tenant_state_seconds: bound(
    3,
    'Other processes read a changed state of a tenant after this time, so that a pause takes ' +
      'effect within 5 seconds',
  ),
  secrets: bound(100, 'Secrets per tenant; each process reads all of them together'),
  secret_bytes: bound(
    8_192,
    'Bytes in the value of one secret; most HTTP servers reject longer headers',
  ),
  secrets_bytes: bound(
    262_144,
    "Bytes in all of a tenant's secrets, which each process keeps in memory in encrypted form",
  ),
  secret_hosts: bound(50, 'Hosts of one secret; each request compares its host with all of them'),
  secret_cache_seconds: bound(
    10,
    'Other processes use a changed secret after at most this time; a shorter time costs more reads',
  ),
  tenant_line_bytes: bound(
    150_000_000,
    'A line of an imported export contains one object in base64 and is parsed in memory',
  ),
  browser_sessions: bound(
    50,
    'Concurrent sessions per tenant; allows several browsers for each operator',
  ),
  browser_session_seconds: bound(
    43_200,
    'Covers a working day; the browser signs in again the next day',
  ),
  sign_in_link_seconds: bound(
    600,
    'A link that is not opened within minutes may have leaked into a log or chat',
  ),
  sign_in_failures: bound(
    20,
    'Per minute and client address, in each process; additional attempts get 429',
  ),
  token_seconds: bound(
    86_400,
    'A token in a page or script cannot be revoked individually, so it expires within a ' + 'day',
  ),
  access_link_seconds: bound(
    604_800,
    'Leaves time for a weekend or a week off; a link grants access to one item only',
  ),
  access_link_form_bytes: bound(
    16_384,
    'Enough for a decision and an encoded reason of 2,000 characters',
  ),
  audit_seal_seconds: bound(
    5,
    'Audit entries are sealed this long after the first one, so that entries of a burst share a ' +
      'commit',
  ),
  audit_settle_seconds: bound(
    600,
    'Lists lag and clocks of processes differ; an older audit entry outside the chain counts as ' +
      'inserted',
  ),
  audit_page_entries: bound(200, 'A page of the audit chain is read at once, and deleted at once'),
  audit_changes: bound(20, 'Changed members in an audit entry; its digests cover all members'),
  audit_change_characters: bound(200, 'Name and value of a changed member in an audit entry'),
  key_addresses: bound(20, 'Each request is compared with all addresses that its API key allows'),
  key_requests_per_second: bound(
    2_500,
    "Per API key, with a two-second burst; a key in a loop leaves half of the tenant's " +
      'limit to other keys',
  ),
  tenant_requests_per_second: bound(
    5_000,
    'Per tenant, with a two-second burst; starting 1,000 runs per second needs three ' +
      'requests per run',
  ),
  key_run_starts_per_minute: bound(
    120_000,
    'Per API key, with a one-minute burst; a fan-out of 100,000 tasks fits into one burst',
  ),
  tenant_run_starts_per_minute: bound(
    240_000,
    'Per tenant, with a one-minute burst; twice the limit per API key',
  ),
  key_body_bytes_per_second: bound(
    67_108_864,
    'Per API key, with a ten-second burst; exceeds the throughput of one process',
  ),
  tenant_body_bytes_per_second: bound(
    134_217_728,
    'Per tenant, with a ten-second burst; twice the limit per API key',
  ),
  key_overlap_seconds: bound(604_800, 'A week is enough to roll out a new key'),
  calls_per_step: bound(
    128,
    'The calls in one response run concurrently; additional calls return an error',
  ),
  identical_calls: bound(
    8,
    'Consecutive identical calls indicate a loop; additional calls return an error',
  ),
  children_per_run: bound(
    1_000,
    "Each child adds a few hundred bytes to its parent's state, which is loaded as a unit",
  ),
  tasks_per_fanout: bound(
    100_000,
    'For fan-outs that receive tasks in pages; each page has its own log, so log size ' +
      'stays bounded',
  ),
  fanout_pages: bound(
    1_000,
    "An open fan-out's log has one entry per page; each page has up to 1,000 tasks",
  ),
  open_fanout_seconds: bound(
    86_400,
    'An open fan-out that receives no page for a day is considered abandoned',
  ),
  live_children: bound(
    32,
    'Bounds backlog, cancellation, and memory; additional children start as active ones ' + 'end',
  ),
  depth: bound(
    1,
    'Unbounded nesting makes cost unpredictable; the configuration can raise this limit',
  ),
  usage_tokens: bound(
    20_000_000,
    'No model reads or writes this many tokens in one call; higher reported values are ' +
      'discarded',
  ),
  first_slice_tokens: bound(
    32_000,
    'Reserved for a child before any child has ended; later reservations follow the ' +
      'measured usage',
  ),
  first_slice_usd: bound(1, 'Same as `first_slice_tokens`, for a budget in US dollars'),
  bounded_answer_tokens: bound(
    32_768,
    'If less budget remains, the response is bounded (max_output_tokens); few responses ' +
      'are longer',
  ),
  steps_default: bound(
    50,
    'Most tasks need fewer steps; after the last step, one final call without tools is ' + 'made',
  ),
  steps_max: bound(200, "Bounds a run's cost regardless of the caller's request"),
  run_timeout_seconds_default: bound(
    3_600,
    'Running time, excluding waits for people; most runs finish within minutes',
  ),
  run_timeout_seconds_max: bound(86_400, 'One day; split longer work into several runs'),
  model_attempts: bound(
    3,
    'Attempts per model call if patience is 0, spread over about eleven seconds',
  ),
  model_patience_seconds_default: bound(
    3_600,
    'Most provider outages end within an hour, and a parked run costs nothing',
  ),
  model_patience_seconds_max: bound(
    86_400,
    'Bounds how long a parked run stays open; after a day, its result is rarely useful',
  ),
  model_pause_seconds: bound(
    300,
    'Maximum pause between two attempts; bounds the delay before a run detects a recovery',
  ),
  model_circuit_failures: bound(
    5,
    'Consecutive failures that open the circuit for a tenant and model in one process',
  ),
  model_circuit_seconds: bound(
    30,
    'Maximum time that a circuit stays open before a call probes the model',
  ),
  storage_call_seconds: bound(
    30,
    'Store, bucket, and queue respond within milliseconds; slower calls count as failed',
  ),
  approval_patterns: bound(
    100,
    'Argument patterns per rule; each tool call is matched against all of them',
  ),
  approval_line_length: bound(
    8_192,
    'Characters in a command line that is checked command by command; longer lines are ' + 'opaque',
  ),
  approval_commands: bound(64, 'Commands in one command line; more commands make the line opaque'),
  approval_pattern_length: bound(
    200,
    'Characters in an argument pattern, the same as for other glob patterns',
  ),
  storage_marker_seconds: bound(
    5,
    'An unmounted bucket appears empty, so its marker is checked again after this time',
  ),
  commit_row_bytes: bound(
    65_536,
    "Keeps a commit with its head below DynamoDB's 400 KB item limit",
  ),
  open_approvals_per_run: bound(
    20,
    'People review less carefully when there are more; additional approvals open as these ' +
      'are decided',
  ),
  question_length: bound(
    1_000,
    'Characters in a question to the user; longer questions are rarely read',
  ),
  question_choices: bound(10, 'Choices in a question to the user; more choices are not helpful'),
  questions_per_call: bound(4, 'Questions to the user in one call, all answered by one message'),
  pauses_per_call: bound(
    5,
    'Input requests from an MCP server within one call; additional requests are declined',
  ),
  form_fields: bound(20, 'Maximum number of fields in a form that an MCP server shows to the user'),
  form_bytes: bound(8_192, "The log stores an MCP server's form, including all its fields"),
  caller_tools: bound(128, 'Caller-defined functions in one run; models choose poorly among more'),
  todos: bound(50, "Entries in a run's to-do list; each change stores the entire list"),
  todo_length: bound(300, 'Characters in a to-do entry'),
  approvals_per_decision: bound(
    100,
    'A list page of approvals; each decision is a commit and an audit entry, and all of them ' +
      'must fit into the 29 seconds of a Lambda response',
  ),
  approval_seconds_default: bound(86_400, 'One day, because approvals are usually reviewed daily'),
  approval_seconds_max: bound(2_592_000, 'Thirty days, the same as the default run retention'),
  session_title: bound(200, 'Characters in a session title; lists show the title on one line'),
  session_retention_seconds_max: bound(
    315_360_000,
    'Ten years; omit the value to keep sessions forever',
  ),
  fork_segments: bound(
    256,
    'Segments (up to 64 KB each) that a fork copies while its caller waits',
  ),
  mail_per_commit: bound(
    40,
    'Children that end at the same time share a commit; a DynamoDB transaction has up to ' +
      '100 items',
  ),
  announce_bytes: bound(
    2_048,
    "Text of a child's result in its parent's log; longer text is stored by digest",
  ),
  announce_attachments: bound(
    20,
    "File names in a child's result; the child's run lists all files",
  ),
  compact_percent: bound(
    70,
    "Percentage of the model's context window; above it, a summary replaces old messages",
  ),
  summary_bytes: bound(
    16_384,
    'Longer summaries are truncated, because every step includes the summary',
  ),
  structured_bytes: bound(
    32_768,
    'Structured output is stored in the log and must fit into one commit row',
  ),
  announce_structured_bytes: bound(
    8_192,
    "A subagent's larger structured output is available from its run",
  ),
  web_page_bytes: bound(10_485_760, 'Decoded size of a web page or file, in bytes'),
  web_fetch_seconds: bound(20, 'Includes all redirects; the model waits for the result'),
  unreachable_hosts: bound(
    30,
    'Unreachable addresses per tenant and minute; a higher number indicates a scan',
  ),
  web_redirects: bound(
    5,
    'Each redirect is checked like the initial URL; legitimate chains are shorter',
  ),
  web_cache_seconds: bound(900, 'Additional parts of a fetched page are read from the cache'),
  web_characters: bound(50_000, 'Page characters per result; the next call continues after them'),
  web_results: bound(20, 'Results per web search; additional results are rarely used'),
  document_seconds: bound(20, 'Converting a page of several megabytes takes one or two seconds'),
  document_memory_bytes: bound(
    134_217_728,
    'Parsers need about twenty times the size of the text; also stops decompression bombs',
  ),
  shell_files: bound(
    2_000,
    'Files that a command can read or create; each file is read and written in full',
  ),
  shell_bytes: bound(16_777_216, "Total size of a command's files, before and after the command"),
  shell_seconds: bound(60, 'The model waits for the command, which runs in memory only'),
  shell_output_bytes: bound(
    65_536,
    'Per output stream (standard output and standard error); models do not read longer ' + 'logs',
  ),
  shell_memory_bytes: bound(
    268_435_456,
    'For the shell with all its files, or for all processes in a sandbox combined',
  ),
  shell_processes: bound(
    64,
    'Processes in a sandbox (`ALLOW_SHELL`); a build starts about a dozen',
  ),
  shells_per_run: bound(
    4,
    'Concurrent long-running processes per run; each can use as much memory as a shell',
  ),
  shells_per_server: bound(
    16,
    'Concurrent long-running processes across all runs on a server; additional processes ' +
      'are rejected',
  ),
  shell_disk_bytes: bound(
    268_435_456,
    "Size of a sandbox's working directory and /tmp while a command runs",
  ),
  shell_disk_files: bound(20_000, 'Files and folders in a sandbox; counting them visits each one'),
  shell_loops: bound(
    100_000,
    'Iterations and commands in one call; a higher number indicates an infinite loop',
  ),
  shell_state_bytes: bound(65_536, 'Exported variables that are preserved for the next command'),
  json_body_bytes: bound(262_144, 'Request bodies are parsed in memory as a whole'),
  body_chunks: bound(
    10_000,
    'Processing a chunk costs as much as a kilobyte of data, even if the chunk is smaller',
  ),
  media_body_bytes: bound(
    5_242_880,
    'Run, message, and fan-out bodies with Base64 files; Lambda accepts 6 MB in total',
  ),
  text_page_bytes: bound(
    1_048_576,
    'Bytes in one page of a large text; reading a page loads the entire text into memory',
  ),
  media_bytes: bound(
    5_242_880,
    'Size of an image, audio clip, or file; model providers reject larger images',
  ),
  media_parts: bound(20, 'Images, audio clips, and files in one input or message'),
  media_fanout_parts: bound(
    200,
    'Images, audio clips, and files across all tasks in one request; use pages to send ' + 'more',
  ),
  media_fanout_bytes: bound(
    16_777_216,
    'Total size of all task files in one request; all are in memory at the same time',
  ),
  media_request_bytes: bound(
    8_388_608,
    'Total size of the files in one model request, which is copied in memory several ' + 'times',
  ),
  media_fetch_seconds: bound(
    20,
    'The caller waits until all files that the request references by URL are fetched',
  ),
  download_seconds: bound(900, 'Lifetime of a download link for an attached file'),
  json_depth: bound(64, 'Nesting depth of a JSON body; recursive functions need a bounded stack'),
  json_values: bound(50_000, 'Members and items in a JSON body; each one is visited several times'),
  file_body_bytes: bound(
    1_048_576,
    'Files, skills, agents, and fan-outs are read and parsed as a whole',
  ),
  file_version_bytes: bound(
    262_144,
    'Each written content of a file is stored once more; larger files are rarely configuration',
  ),
  overlay_bytes: bound(
    1_048_576,
    'Texts of all edited files of one resolution, which are parsed with every request',
  ),
  overlay_files: bound(100, 'Edited files of one resolution; each one is searched in each listing'),
  overlay_body_bytes: bound(
    3_145_728,
    'Body of a resolution or of a comparison of two overlays, with JSON escapes',
  ),
  import_files: bound(
    5_000,
    'Files of one import, each of which is read, and compared with the file that it would replace',
  ),
  import_bytes: bound(
    33_554_432,
    'Files of one import are in memory together, because records depend on other files',
  ),
  import_rule_steps: bound(
    30_000_000,
    'Steps that read the ignore rules of an import and compare its paths; about half a second',
  ),
  import_layers: bound(
    20,
    'Layers such as `base/` inside of an imported folder, each of which is compared with the base',
  ),
  layer_files_counted: bound(
    1_000,
    'Files of one layer that the list of layers counts; one page of a bucket listing',
  ),
  front_matter_bytes: bound(
    65_536,
    "Front matter is written by people and stays small; bounds the parser's time",
  ),
  front_matter_keys: bound(200, 'Every listing and digest includes the front matter'),
  front_matter_lines: bound(1_000, "The parser's time is not linear in the number of lines"),
  front_matter_marks: bound(
    1_000,
    'Brackets, colons, quotes, and similar characters; each one requires a parser ' + 'decision',
  ),
  toml_bytes: bound(65_536, 'The parser reads the entire text at once, and its time is not linear'),
  schema_bytes: bound(
    131_072,
    'Characters in a JSON Schema; even a tool that describes an entire API needs fewer',
  ),
  schema_values: bound(
    4_000,
    'Values in a JSON Schema; each one adds a check to every argument validation',
  ),
  schema_depth: bound(
    64,
    'Nesting depth of a JSON Schema; realistic schemas have fewer than ten levels',
  ),
  toml_lines: bound(1_500, 'Enough for thirty servers; up to three parsers read each line'),
  toml_values: bound(
    4_000,
    'Values in a TOML file; names of inherited properties require a second parser',
  ),
  toml_key_parts: bound(32, 'Each part of a dotted key creates a nested table'),
  servers_per_config: bound(32, "Each server's tools are listed when a run starts"),
  tool_result_bytes: bound(
    262_144,
    "A fraction of a model's context window; longer results are truncated with a marker",
  ),
  search_files: bound(500, 'A content search reads each file from the bucket'),
  search_hits: bound(200, 'More matches indicate a vague query; the model can request more'),
  search_seconds: bound(10, 'After this time, a content search returns the hits found so far'),
  search_pattern_length: bound(1_000, 'Length of a regular expression, in characters'),
  search_steps: bound(
    20_000_000,
    'Steps to match an expression against a line, or with `multiline` against the entire ' +
      'text; at most 0.9 s',
  ),
  memory_file_bytes: bound(
    262_144,
    'Each change writes the entire file, and models see only parts of it',
  ),
  memory_add_seconds: bound(
    25,
    'Time that an append waits for other appends to the same file; Lambda responds within ' +
      '29 seconds',
  ),
  memory_files: bound(
    10_000,
    'Files in one memory that a search covers; additional files are only counted',
  ),
  memory_index_bytes: bound(
    33_554_432,
    'Text in one memory that a search covers, newest files first; the result states what ' +
      'was omitted',
  ),
  memory_shard_bytes: bound(
    2_097_152,
    'Text covered by one index object, which is rebuilt when one of its files changes',
  ),
  memory_heal_files: bound(
    500,
    'Changed files that one search reads; the result states whether more remain',
  ),
  memory_folders: bound(100, 'Memories that a tenant-wide search covers'),
  memory_results: bound(50, 'Maximum number of passages per search'),
  memory_query_length: bound(1_000, 'Characters in a query; each word requires an index lookup'),
  memory_vector_texts: bound(
    512,
    'Passages for which a search requests vectors; each batch is one call to the ' +
      'embedding model',
  ),
  memory_lines: bound(2_000, 'Lines per result; the next call continues after them'),
  memory_start_bytes: bound(
    32_768,
    'Memory notes that a run starts with; every model request includes them',
  ),
  memory_start_bytes_default: bound(8_192, 'Default for `memory_start_bytes`; about 2,000 tokens'),
  memory_flush_calls: bound(
    16,
    'Memory writes in the response that saves information before a summary',
  ),
  memory_flush_pending: bound(
    64,
    "Entries that storage rejected and that the next step writes; the run's state " +
      'includes them',
  ),
  tool_arguments_bytes: bound(262_144, 'Same as `json_body_bytes`'),
  metadata_pairs: bound(16, 'Every list includes the metadata'),
  page: bound(100, 'Allows a list page to be built in one step'),
  ignored_names: bound(
    20,
    'Names of ignored members; a response header has room for this many names of 100 ' +
      'characters',
  ),
  usage_days: bound(366, 'Days in one usage report: one year'),
  usage_groups: bound(
    50,
    'Groups that a usage report lists per day; a report sums the others, so its size stays bounded',
  ),
  usage_roots: bound(
    10_000,
    'Runs and fan-outs that one usage report reads; the report states the day on which it ' +
      'stopped',
  ),
  tool_name_length: bound(64, 'Maximum that model providers accept'),
  agent_catalog_bytes: bound(
    32_768,
    'Every model request includes the catalog; above this size, agents are listed by name ' +
      'only',
  ),
  skill_catalog_bytes: bound(
    16_384,
    'Every model request includes the catalog; above this size, additional skills are ' +
      'only counted',
  ),
  webhook_body_bytes: bound(
    20_480,
    'Recommended by Standard Webhooks; larger events are replaced by a URL',
  ),
  webhook_timeout_seconds: bound(
    15,
    'Standard Webhooks recommends 15 to 30; receivers should respond before processing',
  ),
  webhook_answer_seconds: bound(
    1,
    'Only the status is used; a slow response body must not occupy a queue slot',
  ),
  webhook_attempts: bound(10, 'Spread over three days, which is longer than a weekend'),
  server_startup_seconds: bound(
    60,
    'A run waits for its servers before it starts; configuration files can lower this ' + 'limit',
  ),
  server_discovery_seconds: bound(
    2,
    'Some older servers never respond to the discovery request; they are then initialized',
  ),
  tool_call_seconds: bound(600, 'A call blocks its run; configuration files can lower this limit'),
  offered_tools: bound(
    40,
    'Models choose poorly among more; additional MCP tools are available through tool ' + 'search',
  ),
  remote_tools_percent: bound(
    10,
    'Share of the context window for MCP tools in every request; above it, tool search is ' +
      'used',
  ),
  tool_search_results: bound(20, 'Results per tool search; later requests include each one'),
  tool_search_bytes: bound(
    65_536,
    'Schemas in a tool search result; additional schemas are sent with the tools',
  ),
  tools_per_server: bound(
    1_000,
    "A run's pinned configuration includes every tool, and each tool search reads all of " + 'them',
  ),
  tool_list_bytes: bound(
    4_194_304,
    "One server's tools as JSON; far more than a model can process",
  ),
  tool_list_pages: bound(
    100,
    'Each page of a tool list is a request; even ten tools per page are enough for ' +
      '`tools_per_server`',
  ),
  tool_findings: bound(
    20,
    "Reported findings about a server's tools; additional findings are only counted",
  ),
  tool_schema_branches: bound(
    100,
    'Schema alternatives that are merged into one object; references could multiply them',
  ),
  tool_description_bytes: bound(
    32_768,
    "Length of an MCP tool's description, which every model request includes",
  ),
  remote_tool_name_length: bound(
    1_024,
    'Characters in an MCP tool name, which every pinned configuration and call includes',
  ),
  structured_result_bytes: bound(
    65_536,
    "Structured data in addition to a tool result's text, which usually has the same " + 'content',
  ),
  result_part_bytes: bound(
    16_384,
    'A tool result part with an unknown type, which the model receives as JSON',
  ),
  tool_list_seconds: bound(
    300,
    'Default lifetime of a cached tool list; new tools appear within minutes',
  ),
  tool_list_seconds_max: bound(
    3_600,
    "Maximum lifetime of a tool list, regardless of the server's value",
  ),
  shared_list_bytes: bound(
    1_048_576,
    'Longer tool lists are cached per process, because they would need a dozen store rows',
  ),
  oauth_link_seconds: bound(600, 'A person opens the link promptly; later responses are rejected'),
  oauth_answer_bytes: bound(262_144, 'Metadata and tokens from an authorization server'),
  oauth_request_seconds: bound(
    20,
    'Per request to an authorization server; the run waits for the response',
  ),
  tool_message_bytes: bound(
    4_194_304,
    'Each message from a server is parsed as a whole, in the thread that serves all ' + 'requests',
  ),
  tool_text_bytes: bound(
    1_048_576,
    'Longer text in a message is truncated while it is read; models receive less than ' + 'this',
  ),
  tool_wire_bytes: bound(
    67_108_864,
    'One response from a server, including text that is truncated',
  ),
  tool_messages: bound(
    5_000,
    'Messages from a server between two client requests; each one is parsed separately',
  ),
  tool_server_requests: bound(
    500,
    'Requests from a server between two client requests; each one is answered in a message',
  ),
  provider_options_length: bound(
    16_384,
    'JSON characters; every model request and the pinned configuration include the ' + 'options',
  ),
  fallback_models: bound(
    8,
    'A step tries the models in a chain in order; each attempt can be as long as a model ' + 'call',
  ),
  model_idle_seconds: bound(
    300,
    'Reasoning models can be silent for minutes; after a longer silence, the connection ' +
      'is dead',
  ),
  model_trailer_seconds: bound(5, 'Only usage data may follow the end of a response'),
  model_call_seconds: bound(840, 'The longest responses take minutes; stays below the step limit'),
  model_error_seconds: bound(
    2,
    'The status of an error response is sufficient; an endless body must not block the ' + 'call',
  ),
  model_answer_bytes: bound(
    1_048_576,
    'Text, reasoning, and arguments in one response; no model writes this much',
  ),
  model_event_bytes: bound(
    4_194_304,
    'Each stream event is parsed as a whole; some providers repeat the response in the ' +
      'last event',
  ),
  model_wire_bytes: bound(
    67_108_864,
    'Providers wrap each token in a few hundred bytes; the longest responses need about ' + '40 MB',
  ),
  outbound_buffered_bytes: bound(
    16_777_216,
    'Total size of all responses being read; parsing needs a multiple of this memory',
  ),
  hook_hops: bound(
    8,
    'Webhooks that return as hooks this many times form a loop; legitimate chains are ' + 'shorter',
  ),
  start_seconds_max: bound(2_592_000, 'Thirty days; use a schedule for later starts'),
  priority_max: bound(
    10,
    'Run and fan-out priorities range from -10 to 10; finer steps have no effect',
  ),
  webhook_endpoints: bound(50, 'Per tenant; each event is matched against every endpoint'),
  inbound_hooks: bound(100, 'Per tenant; deleted hooks do not count'),
  schedules: bound(100, 'Per tenant; each schedule is evaluated when it is due'),
  wakeups: bound(20, 'Pending wakeups per session; a higher number indicates a loop'),
  wakeup_seconds_max: bound(2_592_000, 'Thirty days; use a schedule for later wakeups'),
  wakeup_seconds_min: bound(60, 'On cloud platforms, the clock ticks once a minute'),
  schedule_seconds_min: bound(
    60,
    'Between two slots; on cloud platforms, the clock ticks once a minute',
  ),
  schedule_every_seconds_max: bound(31_622_400, 'One year; use a date for less frequent events'),
  schedule_source_seconds: bound(
    300,
    'Interval between two reads of the file that defines a schedule',
  ),
  schedule_grace_seconds: bound(300, 'A slot that is found after this time counts as missed'),
  schedule_catch_up: bound(100, 'Missed slots that are started late or counted'),
  schedule_fires: bound(50, 'Queued or active runs per schedule'),
  schedule_failures: bound(
    10,
    'Consecutive failures after which the schedule is paused and `schedule.disabled` is ' + 'sent',
  ),
  schedule_window_seconds_max: bound(604_800, 'Maximum start delay for a missed slot: one week'),
  schedule_jitter_seconds_max: bound(3_600, 'One hour is enough to spread any load'),
  schedule_upcoming: bound(10, 'Slots listed in one response'),
  key_bytes: bound(KEY_BYTES, 'S3 accepts 1,024 bytes, including the platform and tenant prefixes'),
  key_segments: bound(KEY_SEGMENTS, 'Bounds the folder depth on Node'),
  key_segment_bytes: bound(
    KEY_SEGMENT_BYTES,
    'File systems accept 255 bytes; leaves room for a suffix',
  ),
} as const

type Name = keyof typeof LIMIT_TABLE

/** Values of all limits, without their reasons. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, { value }]) => [name, value]),
) as Readonly<Record<Name, number>>
