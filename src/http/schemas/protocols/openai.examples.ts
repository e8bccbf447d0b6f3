/** Examples of requests and responses in the format of OpenAI's API. */

const RESP = 'resp_01k5v8h3m9d7q2x4n6t8w0y1zc'
const metadata = { ticket: '4711' }

export const RESPONSE_INPUTS = [
  { model: 'agent/support', input: 'Where is order 4711?', metadata },
  { input: [{ role: 'user', content: 'Look again.' }], previous_response_id: RESP, stream: true },
]

const item = {
  id: 'msg_01k5v8h3m9d7q2x4n6t8w0y1zc_0',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'It arrives today.', annotations: [], logprobs: [] }],
}

export const RESPONSES = [
  {
    id: RESP,
    object: 'response',
    created_at: 1_790_000_000,
    completed_at: 1_790_000_004,
    status: 'completed',
    model: 'agent/support',
    output: [item],
    error: null,
    incomplete_details: null,
    previous_response_id: null,
    conversation: { id: 'ses_01k5v8h3m9d7q2x4n6t8w0y1zc' },
    background: null,
    metadata,
    usage: { input_tokens: 812, output_tokens: 9, total_tokens: 821 },
    strata: {
      run_id: 'run_01k5v8h3m9d7q2x4n6t8w0y1zc',
      session_id: 'ses_01k5v8h3m9d7q2x4n6t8w0y1zc',
      status: 'completed',
      waiting_on: null,
      stop_reason: 'end_turn',
      model: 'anthropic/claude-sonnet-5-5',
    },
  },
]
export const RESPONSE_EVENTS = [
  {
    type: 'response.output_text.delta',
    sequence_number: 20,
    item_id: item.id,
    output_index: 0,
    content_index: 0,
    delta: 'It arrives today.',
    logprobs: [],
  },
]
export const DELETED_RESPONSES = [{ id: RESP, object: 'response.deleted', deleted: true }]

const inputItem = {
  id: 'msg_01k5v8h3m9d7q2x4n6t8w0y1zc_in_0',
  type: 'message',
  role: 'user',
  status: 'completed',
  content: [{ type: 'input_text', text: 'Where is order 4711?' }],
}
export const INPUT_ITEMS = [
  {
    object: 'list',
    data: [inputItem],
    first_id: inputItem.id,
    last_id: inputItem.id,
    has_more: false,
  },
]

export const CHAT_INPUTS = [
  { model: 'agent/support', messages: [{ role: 'user', content: 'Where is order 4711?' }] },
]
const completion = {
  id: 'chatcmpl-01k5v8h3m9d7q2x4n6t8w0y1zc',
  created: 1_790_000_000,
  model: 'agent/support',
}
export const COMPLETIONS = [
  {
    ...completion,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'It arrives today.' },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 812, completion_tokens: 9, total_tokens: 821 },
  },
]
export const CHAT_CHUNKS = [
  {
    ...completion,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: 'It arrives' }, finish_reason: null }],
  },
]
