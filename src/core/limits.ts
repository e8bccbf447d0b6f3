/** Every bound in one table, each with its reason. `GET /v1/limits` shows it. */

export const LIMITS = {
  /** A whole run is read in a few pages. */
  facts_per_run: 10_000,
  /** One answer of a model; more are answered as errors. */
  calls_per_step: 128,
  /** The same call so many times in a row; more are answered as errors. */
  identical_calls: 8,
  children_per_run: 1_000,
  /** Children created and live at once; the rest follow as they end. */
  live_children: 32,
  /** A child does not spawn unless the deployment says so. */
  depth: 1,
  /** Model steps before the last call without tools. */
  steps_default: 50,
  steps_max: 200,
  /** Running time of a run, in seconds. */
  run_timeout_seconds_default: 3_600,
  run_timeout_seconds_max: 86_400,
  /** Model attempts of one step, parked between them. */
  model_attempts: 3,
  /** One commit row; an item of DynamoDB holds 400 KB. */
  commit_row_bytes: 65_536,
  /** Approvals that one run shows people at the same time; the next follow as they are decided. */
  open_approvals_per_run: 20,
  approval_seconds_default: 86_400,
  approval_seconds_max: 2_592_000,
  /** Letters of children that one commit turns into facts. */
  letters_per_commit: 40,
  /** Text of a child's result inside its announce; the rest is by digest. */
  announce_bytes: 2_048,
  /** An answer by a schema, which stands in the log as data. */
  structured_bytes: 32_768,
  /** Above this a subagent's data is not announced but read from its run. */
  announce_structured_bytes: 8_192,
  /** JSON bodies in general. */
  json_body_bytes: 262_144,
  /** Files, skills, agents, fan-outs. */
  file_body_bytes: 1_048_576,
  front_matter_bytes: 65_536,
  toml_bytes: 65_536,
  servers_per_config: 32,
  /** A tool's answer as the model sees it; longer ones are cut with a marker. */
  tool_result_bytes: 262_144,
  tool_arguments_bytes: 262_144,
  metadata_pairs: 16,
  page: 100,
  tool_name_length: 64,
  /** The spawn tool's description, then names only. */
  agent_catalog_bytes: 32_768,
  skill_catalog_bytes: 16_384,
  webhook_body_bytes: 20_480,
  webhook_timeout_seconds: 15,
  webhook_attempts: 10,
  /** Key path of an object below the tenant. */
  key_bytes: 512,
  key_segments: 16,
  key_segment_bytes: 128,
} as const
