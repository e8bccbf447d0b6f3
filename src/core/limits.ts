/** Every limit in one table, each with its reason. `GET /v1/limits` shows it. */

import { KEY_BYTES, KEY_SEGMENT_BYTES, KEY_SEGMENTS } from '../lib/key.ts'
import { bound } from './limit.ts'

export const LIMIT_TABLE = {
  api_keys: bound(100, 'Of a tenant, with those that have expired and were not revoked'),
  key_cache_seconds: bound(
    5,
    'A process remembers a verified key so long, and open streams check theirs as often',
  ),
  browser_sessions: bound(50, 'Of a tenant at once: a few browsers for each of its operators'),
  browser_session_seconds: bound(43_200, 'A working day; the next day the browser signs in again'),
  sign_in_link_seconds: bound(600, 'The link is opened at once, or it was lost in a log or a chat'),
  sign_in_failures: bound(20, 'Per minute and client address, in each process: then 429'),
  token_seconds: bound(
    86_400,
    'A token in a page or a script cannot be revoked alone, so it expires within a day',
  ),
  access_link_seconds: bound(
    604_800,
    'A link in a mail is opened after a weekend or a week off; it decides or shows one thing',
  ),
  access_link_form_bytes: bound(16_384, 'A decision and a reason of 2,000 characters, encoded'),
  key_addresses: bound(20, 'Each request is compared with all addresses of its key'),
  key_requests_per_second: bound(
    2_500,
    'Of an API key, with a burst of two seconds: a loop of one key leaves half to the others',
  ),
  tenant_requests_per_second: bound(
    5_000,
    'Of a tenant, with a burst of two seconds: a thousand runs a second need three requests each',
  ),
  key_run_starts_per_minute: bound(
    120_000,
    'Of an API key, with a burst of a minute: a fan-out of 100,000 tasks fits into one burst',
  ),
  tenant_run_starts_per_minute: bound(
    240_000,
    'Of a tenant, with a burst of a minute: twice what one key may start',
  ),
  key_body_bytes_per_second: bound(
    67_108_864,
    'Of an API key, with a burst of ten seconds: more than one process reads',
  ),
  tenant_body_bytes_per_second: bound(
    134_217_728,
    'Of a tenant, with a burst of ten seconds: twice what one key may send',
  ),
  key_overlap_seconds: bound(604_800, 'Who has not exchanged a key in a week has lost it'),
  calls_per_step: bound(128, 'Calls of one answer run at once; more are answered as errors'),
  identical_calls: bound(
    8,
    'The same call so often in a row is a loop; more are answered as errors',
  ),
  children_per_run: bound(
    1_000,
    'Each child keeps a few hundred bytes in the parent, which is folded whole',
  ),
  tasks_per_fanout: bound(
    100_000,
    'Of one that is handed in by pages; each page is a log of its own, so none grows with it',
  ),
  fanout_pages: bound(1_000, 'The log of an open fan-out counts pages; each has up to 1,000 tasks'),
  open_fanout_seconds: bound(
    86_400,
    'Without another page for a day nobody is there any more who could seal it',
  ),
  live_children: bound(32, 'Bounds backlog, cancel and memory; the rest follow as these end'),
  depth: bound(1, 'A tree that grows by itself is a bill; deeper only by configuration'),
  usage_tokens: bound(
    20_000_000,
    'No model reads or writes as much in one call; a provider that reports more is not believed',
  ),
  first_slice_tokens: bound(
    32_000,
    'A child of a budget may hold so much before any has ended; then what children have used',
  ),
  first_slice_usd: bound(1, 'The same of a budget in US dollars'),
  bounded_answer_tokens: bound(
    32_768,
    'A budget with less left bounds the answer (max_output_tokens); hardly any answer is longer',
  ),
  steps_default: bound(50, 'Most work is done by then; after it one last call without tools'),
  steps_max: bound(200, 'So that what a run may cost has an end, whatever its caller asks for'),
  run_timeout_seconds_default: bound(
    3_600,
    'Running time without waits for people; most runs take minutes',
  ),
  run_timeout_seconds_max: bound(86_400, 'A day: nothing that runs longer is watched by anybody'),
  model_attempts: bound(
    3,
    'Attempts of a model call with a patience of 0, over about eleven seconds',
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
    'Store, bucket and queue answer in milliseconds; a slower answer counts as trouble',
  ),
  approval_patterns: bound(
    100,
    'Patterns of one rule by arguments; each call of the tool is matched against all of them',
  ),
  approval_line_length: bound(
    8_192,
    'Characters of a line for a shell that is judged command by command; a longer one is opaque',
  ),
  approval_commands: bound(64, 'Commands of such a line, for the same reason'),
  approval_pattern_length: bound(200, 'Characters of such a pattern, as of any glob'),
  storage_marker_seconds: bound(
    5,
    'A bucket that vanished reads as empty; its marker is read again after so many seconds',
  ),
  commit_row_bytes: bound(
    65_536,
    'An item of DynamoDB holds 400 KB; a row stays well below with its head',
  ),
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
  session_title: bound(200, 'Characters of the title of a session; lists show it in a line'),
  session_retention_seconds_max: bound(315_360_000, 'Ten years; who wants longer leaves it out'),
  fork_segments: bound(
    256,
    'Segments (up to 64 KB each) that a fork of a session copies while its caller waits',
  ),
  mail_per_commit: bound(
    40,
    'Children that end together share a commit; a transaction of DynamoDB has 100 items',
  ),
  announce_bytes: bound(
    2_048,
    "Text of a child's result in its parent's log; the rest is by digest",
  ),
  announce_attachments: bound(
    20,
    "Names of files in a child's announce; the others are counted there, and its run has them all",
  ),
  compact_percent: bound(
    70,
    "Of the model's window; beyond it a summary takes the place of what is old",
  ),
  summary_bytes: bound(16_384, 'A longer summary is cut: it is shown with every step'),
  structured_bytes: bound(
    32_768,
    'An answer by a schema stands in the log as data, within one commit row',
  ),
  announce_structured_bytes: bound(
    8_192,
    "Above this a subagent's data is read from its run instead",
  ),
  web_page_bytes: bound(10_485_760, 'Decoded bytes of a page or file of the web'),
  web_fetch_seconds: bound(20, 'All redirects together: a model waits for it'),
  unreachable_hosts: bound(
    30,
    'Addresses that a tenant may fail to reach in a minute; more are a scan, not mistakes',
  ),
  web_redirects: bound(5, 'Each is checked like the first address; honest chains are shorter'),
  web_cache_seconds: bound(900, 'A page that was fetched is read on without another request'),
  web_characters: bound(50_000, 'Of a page, in one result; the next call goes on behind them'),
  web_results: bound(20, 'Results of a search; nobody reads the second page'),
  document_seconds: bound(20, 'A page of megabytes takes a second or two'),
  document_memory_bytes: bound(
    134_217_728,
    'Parsers take about twenty times the text; a bomb takes whatever there is',
  ),
  shell_files: bound(2_000, 'Files that a command sees or makes: each is read and written whole'),
  shell_bytes: bound(16_777_216, 'Of all these files together, before and after the command'),
  shell_seconds: bound(60, 'A model waits for it, and for nothing but work in memory'),
  shell_output_bytes: bound(65_536, 'Of each of the two outputs; a model reads no more of a log'),
  shell_memory_bytes: bound(
    268_435_456,
    'Of the shell with all its files; of all processes of a sandbox together',
  ),
  shell_processes: bound(64, 'Of a sandbox (`ALLOW_SHELL`): a build starts a dozen, a bomb all'),
  shells_per_run: bound(4, 'Long processes that live at once; each may take the memory of a shell'),
  shells_per_server: bound(16, 'The same of all runs of a server; more are refused'),
  shell_disk_bytes: bound(
    268_435_456,
    'Of the working folder and /tmp of a sandbox while a command is at work',
  ),
  shell_disk_files: bound(
    20_000,
    'Files and folders there: each is walked over when they are counted',
  ),
  shell_loops: bound(100_000, 'Rounds and commands of one call: more is a loop without an end'),
  shell_state_bytes: bound(65_536, 'Exported variables that live on for the next command'),
  json_body_bytes: bound(262_144, 'Bodies are parsed whole in memory'),
  body_chunks: bound(
    10_000,
    'A body that comes by a few bytes a piece: each piece costs as much as a kilobyte',
  ),
  media_body_bytes: bound(
    5_242_880,
    'Bodies of runs, messages and fan-outs with pictures in base64; Lambda takes 6 MB in all',
  ),
  text_page_bytes: bound(
    1_048_576,
    'Bytes of one answer with a large text; the whole text is in memory once while it is made',
  ),
  media_bytes: bound(5_242_880, 'A picture, sound or file; vendors take no larger pictures'),
  media_parts: bound(20, 'Pictures, sounds and files of one input or message'),
  media_fanout_parts: bound(200, 'Those of all tasks of one request together; pages take more'),
  media_fanout_bytes: bound(16_777_216, 'The same in bytes: they are in memory together'),
  media_request_bytes: bound(
    8_388_608,
    'All that a model is shown in one call; it lies in memory several times',
  ),
  media_fetch_seconds: bound(
    20,
    'The caller waits for all files that its request names by address',
  ),
  download_seconds: bound(900, 'How long a link to an attached file is good for'),
  json_depth: bound(64, 'Levels of a JSON body; what recurses over it has a stack to keep'),
  json_values: bound(50_000, 'Members and items of a JSON body: each is looked at several times'),
  file_body_bytes: bound(1_048_576, 'Files, skills, agents and fan-outs are read and parsed whole'),
  front_matter_bytes: bound(65_536, 'A head is for people; a parser should not meet more'),
  front_matter_keys: bound(200, 'Every listing and digest carries what a head says'),
  front_matter_lines: bound(
    1_000,
    "A head is for people; the parser's time is not linear in lines",
  ),
  front_matter_marks: bound(
    1_000,
    'Brackets, colons, quotes and the like: each is a decision of the parser; prose has fewer',
  ),
  toml_bytes: bound(65_536, 'The parser takes the whole text at once, and its time is not linear'),
  schema_bytes: bound(
    131_072,
    'Characters of a JSON Schema; a tool that describes a whole API stays below',
  ),
  schema_values: bound(4_000, 'Values in a JSON Schema: each costs a check of each argument'),
  schema_depth: bound(64, 'Levels of a JSON Schema; people stop reading after ten'),
  toml_lines: bound(1_500, 'Thirty servers fit; each line is read by up to three readers'),
  toml_values: bound(
    4_000,
    'Values of a TOML file; names of inherited keys make two parsers read it',
  ),
  toml_key_parts: bound(32, 'Each part of a dotted key is a table within a table'),
  servers_per_config: bound(32, 'Each one is asked for its tools when a run starts'),
  tool_result_bytes: bound(
    262_144,
    "A fraction of a model's window; longer results are cut with a marker",
  ),
  search_files: bound(500, 'Each file of a search in contents is read from the bucket'),
  search_hits: bound(200, 'A model that finds more has asked too vaguely; it may ask for more'),
  search_seconds: bound(10, 'Beyond that a search in contents answers with what it has found'),
  search_pattern_length: bound(1_000, 'Characters of a regular expression; people write less'),
  search_steps: bound(
    20_000_000,
    'Steps of an expression over a line, or with `multiline` over a text, in a row: 0.9 s at worst',
  ),
  memory_file_bytes: bound(
    262_144,
    'A file of memory: each change writes it whole, and a model is shown parts of it',
  ),
  memory_add_seconds: bound(
    25,
    'Entries wait so long for others that write the same file: a Lambda answers within 29 seconds',
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
  memory_flush_pending: bound(
    64,
    'Entries that storage did not take and the next step writes; they are part of the state',
  ),
  tool_arguments_bytes: bound(262_144, 'As large as a body that people send'),
  metadata_pairs: bound(16, 'Metadata is shown in every list'),
  page: bound(100, 'An answer of a list stays small enough to be made at once'),
  ignored_names: bound(
    20,
    'Names of ignored members; so many, of about 100 characters each, fit in a response header',
  ),
  usage_days: bound(366, 'Days of one answer about costs: a year'),
  usage_roots: bound(
    10_000,
    'Runs, and fan-outs, that one answer about costs reads; it names the day at which it stopped',
  ),
  tool_name_length: bound(64, 'The maximum of model vendors'),
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
  webhook_answer_seconds: bound(
    1,
    'The status decides; a body that trickles afterwards must not hold a place of the queue',
  ),
  webhook_attempts: bound(10, 'Over three days, which outlast a weekend'),
  server_startup_seconds: bound(
    60,
    'A run waits for its servers before it starts; files may ask for less, not for more',
  ),
  server_discovery_seconds: bound(
    2,
    'Some servers of older revisions never answer the request for revisions; they are then greeted',
  ),
  tool_call_seconds: bound(600, 'A call holds its run; files may ask for less, not for more'),
  offered_tools: bound(
    40,
    'Models choose worse among more; beyond it those of MCP servers are found by a search',
  ),
  remote_tools_percent: bound(
    10,
    'Of the window, for tools of MCP servers: each request has them; else a search finds them',
  ),
  tool_search_results: bound(20, 'Of one search for tools; each is shown from then on'),
  tool_search_bytes: bound(65_536, 'Schemas in its answer; the rest is shown with the tools'),
  tools_per_server: bound(
    1_000,
    'Each one stands in what a run pins, and is looked at by each search',
  ),
  tool_list_bytes: bound(
    4_194_304,
    'The tools of one server together, as text; far above what a model can be shown',
  ),
  tool_list_pages: bound(
    100,
    'Each page of a tool list is a request; ten tools a page still list all that are taken',
  ),
  tool_findings: bound(
    20,
    'Odd tools of a server that are named, left out and mended ones each; more are counted',
  ),
  tool_schema_branches: bound(
    100,
    'Alternatives of one schema that are folded into one object; references could multiply them',
  ),
  tool_description_bytes: bound(
    32_768,
    'The description of a tool of an MCP server, which is part of every request of the model',
  ),
  remote_tool_name_length: bound(
    1_024,
    'Characters of the name of a tool at its server, which stands in every pin and every call',
  ),
  structured_result_bytes: bound(
    65_536,
    'Structured data beside the text of a tool result, which says mostly the same in words',
  ),
  result_part_bytes: bound(
    16_384,
    'A part of a tool result of an unknown type, which is shown to the model as JSON',
  ),
  tool_list_seconds: bound(
    300,
    'How long a tool list is believed whose server does not say; new tools are seen within minutes',
  ),
  tool_list_seconds_max: bound(3_600, 'However long a server says that its list holds'),
  shared_list_bytes: bound(
    1_048_576,
    'A longer tool list is kept by each process for itself: it would be a dozen rows of a store',
  ),
  oauth_link_seconds: bound(600, 'A person opens the link at once; a later answer is refused'),
  oauth_answer_bytes: bound(262_144, 'Metadata and tokens of an authorization server'),
  oauth_request_seconds: bound(20, 'Each request to an authorization server: a run waits for it'),
  tool_message_bytes: bound(
    4_194_304,
    'A message of a server is parsed whole, in the thread that serves everybody',
  ),
  tool_text_bytes: bound(
    1_048_576,
    'A longer text of a message is cut while it is read: the model is shown less in any case',
  ),
  tool_wire_bytes: bound(67_108_864, 'One answer of a server as a whole, its cut texts included'),
  tool_messages: bound(
    5_000,
    'Messages of a server between two requests of ours: each is parsed by itself',
  ),
  provider_options_length: bound(
    16_384,
    'Characters of JSON: options of a provider go with each call and stand in what a run pins',
  ),
  fallback_models: bound(
    8,
    'A step asks the models of a chain one after another; each may take as long as a call',
  ),
  model_idle_seconds: bound(
    300,
    'Models that reason are silent for minutes; a connection without a byte for longer is dead',
  ),
  model_trailer_seconds: bound(
    5,
    'After the end of an answer only its usage may follow, not more of the answer',
  ),
  model_call_seconds: bound(840, 'The longest answers take minutes; below what a step may take'),
  model_error_seconds: bound(
    2,
    'The status of a refusal decides; a body that never ends must not hold the call',
  ),
  model_answer_bytes: bound(
    1_048_576,
    'Texts, reasoning and arguments of one answer together: beyond what any model writes',
  ),
  model_event_bytes: bound(
    4_194_304,
    'One event of a stream is parsed whole; some vendors repeat the whole answer in the last',
  ),
  model_wire_bytes: bound(
    67_108_864,
    'Vendors wrap each token in some hundred bytes; the longest answers take about 40 MB',
  ),
  outbound_buffered_bytes: bound(
    16_777_216,
    'All answers that are being read, together; parsing them takes a multiple of it',
  ),
  hook_hops: bound(
    8,
    'Webhooks that come back as hooks so often in a row are a loop; no honest chain is as long',
  ),
  start_seconds_max: bound(2_592_000, 'Thirty days: what begins later is a schedule'),
  priority_max: bound(10, 'Of runs and fan-outs, up and down: more steps would say no more'),
  schedules: bound(100, 'Of one tenant: each is looked at when it is due'),
  wakeups: bound(
    20,
    'That wait at the same time for one session: a model that needs more is in a loop',
  ),
  wakeup_seconds_max: bound(2_592_000, 'Thirty days; whatever is later is a schedule'),
  wakeup_seconds_min: bound(60, 'The clock of a cloud ticks once a minute'),
  schedule_seconds_min: bound(60, 'Between two slots: the clock of a cloud ticks once a minute'),
  schedule_every_seconds_max: bound(31_622_400, 'A year; what is rarer has a date'),
  schedule_source_seconds: bound(300, 'Between two readings of the file that defines one'),
  schedule_grace_seconds: bound(300, 'A slot that is found later than this was missed'),
  schedule_catch_up: bound(100, 'Slots that were missed and are caught up with, or counted'),
  schedule_fires: bound(50, 'Runs of one schedule that are under way or wait'),
  schedule_failures: bound(10, 'In a row; then it is paused, and `schedule.disabled` is sent'),
  schedule_window_seconds_max: bound(
    604_800,
    'How late a missed slot may be caught up with: a week',
  ),
  schedule_jitter_seconds_max: bound(3_600, 'An hour spreads any load'),
  schedule_upcoming: bound(10, 'The next slots that one answer shows'),
  key_bytes: bound(KEY_BYTES, 'S3 takes 1,024 with the prefix of the tenant and of ours'),
  key_segments: bound(KEY_SEGMENTS, 'A folder of the Node host is as deep'),
  key_segment_bytes: bound(KEY_SEGMENT_BYTES, 'File systems take 255, with room for a suffix'),
} as const

type Name = keyof typeof LIMIT_TABLE

/** The numbers alone. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, { value }]) => [name, value]),
) as Readonly<Record<Name, number>>
