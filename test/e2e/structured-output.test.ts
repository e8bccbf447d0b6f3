/**
 * An answer by a schema, through a running server and a provider that speaks its vendor's dialect:
 * natively where the provider has it, in the prompt where not, and what was done is told.
 */

import { describe, expect, it } from 'vitest'
import { runExample } from '../support/example.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, runToEnd } from '../support/node-client.ts'
import { type Said, startVendor } from '../support/vendors.ts'

const closed = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}
const open = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const loose = { type: 'object', properties: { by: { type: 'object' } } }
const IN_THE_PROMPT = 'must be only JSON that conforms to this schema'

const LOOKS: Said = { tool: 'file_list', arguments: {} }
const FITS: Said = { text: '{"n":3}' }
/** A tool first, then the answer. */
const looksThenFits = (_: unknown, call: number): Said => (call === 0 ? LOOKS : FITS)

const configOf = async (api: NodeApi, id: string) =>
  (await ask(api, 'GET', `/v1/runs/${id}/config`)).body
const started = async (api: NodeApi, id: string) =>
  (await eventsOf(api, id)).find(({ type }) => type === 'run.started').data.structured_output

describe.each([
  ['openai', (sent: Sent) => sent.text?.format],
  ['anthropic', (sent: Sent) => sent.output_config?.format],
] as const)('%s with a native schema', (kind, formatOf) => {
  it('receives it beside callable tools and not in the prompt, and the run reports that', async () => {
    const { api, sent } = await startVendor({ kind }, looksThenFits)
    const run = await runToEnd(api, { input: 'count', output_schema: closed })
    expect(run).toMatchObject({ status: 'completed', steps: 2, output: { structured: { n: 3 } } })
    expect(sent).toHaveLength(2)
    for (const body of sent) {
      expect(formatOf(body)).toMatchObject({ type: 'json_schema', schema: closed })
      expect(body.tools.length).toBeGreaterThan(3)
      expect(body.tool_choice ?? 'auto').toBe('auto')
      expect(JSON.stringify(body)).not.toContain(IN_THE_PROMPT)
    }
    expect(await started(api, run.id)).toEqual({ native: true })
    const config = await configOf(api, run.id)
    expect(config).toMatchObject({ output_schema: closed, structured_output: { native: true } })
  })

  it('still has its answer checked, and requests a wrong one once more', async () => {
    const { api, sent } = await startVendor({ kind }, () => ({ text: '{"n":"x"}' }))
    const asked = { input: 'count', output_schema: closed, output_schema_required: true }
    expect(await runToEnd(api, asked)).toMatchObject({
      status: 'failed',
      partial: '{"n":"x"}',
      error: { code: 'schema_unmet' },
    })
    expect(sent).toHaveLength(2)
  })

  it('receives a refused schema in the prompt for the whole run, and the run reports that', async () => {
    const message = "Invalid schema for response_format 'answer': no such thing is permitted."
    const { api, sent } = await startVendor({ kind }, (body, call) =>
      formatOf(body) ? { status: 400, message } : looksThenFits(body, call - 1),
    )
    const run = await runToEnd(api, { input: 'count', output_schema: closed })
    expect(run).toMatchObject({ status: 'completed', output: { structured: { n: 3 } } })
    expect(sent.map((body) => formatOf(body) !== undefined)).toEqual([true, false, false])
    expect(sent.map((body) => JSON.stringify(body).includes(IN_THE_PROMPT))).toEqual([
      false,
      true,
      true,
    ])
    const refused = { native: false, reason: expect.stringContaining('no such thing') }
    expect((await configOf(api, run.id)).structured_output).toEqual(refused)
    const answers = (await eventsOf(api, run.id)).filter(({ type }) => type === 'assistant.message')
    const told = answers.map(({ data }) => data.structured_output)
    expect(told).toEqual([refused, undefined])
    expect(run.usage.model_calls).toBe(2)
  })

  it('fails with the reason when a request is refused for another reason', async () => {
    const { api, sent } = await startVendor({ kind }, () => ({ status: 400, message: 'no credit' }))
    const run = await runToEnd(api, { input: 'count', output_schema: closed })
    expect(run).toMatchObject({ status: 'failed', error: { code: 'model_rejected' } })
    expect(run.error.message).toContain('no credit')
    expect(sent).toHaveLength(2)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Sent = any

describe('schema support of a vendor', () => {
  it.each([
    [closed, true],
    [open, false],
    [{ ...closed, required: [] }, false],
    [{ ...closed, properties: { n: { type: 'integer', minimum: 1 } } }, false],
    [{ ...closed, properties: { n: { anyOf: [closed, { type: 'null' }] } } }, true],
    [{ ...closed, properties: { n: { anyOf: [open, { type: 'null' }] } } }, false],
  ])('OpenAI is strict about a schema that it can enforce: %j', async (schema, strict) => {
    const { api, sent } = await startVendor({ kind: 'openai' }, () => FITS)
    await runToEnd(api, { input: 'count', output_schema: schema })
    expect(sent[0].text.format).toMatchObject({ strict, schema })
  })

  it.each([
    ['openai', { type: 'array', items: closed }, 'only object schemas'],
    ['anthropic', loose, 'closes every object'],
    ['anthropic', { ...closed, additionalProperties: true }, 'closes every object'],
    ['anthropic', { ...open, anyOf: [open] }, 'closes every object'],
    ['anthropic', { ...open, patternProperties: { '^x': {} } }, 'closes every object'],
  ] as const)(
    '%s is not sent a schema that it would change: %j',
    async (kind, output_schema, why) => {
      const { api, sent } = await startVendor({ kind }, () => FITS)
      const run = await runToEnd(api, { input: 'count', output_schema })
      expect(run.status).toBe('completed')
      expect(sent[0].text ?? sent[0].output_config).toBeUndefined()
      expect(JSON.stringify(sent[0])).toContain(IN_THE_PROMPT)
      const told = { native: false, reason: expect.stringContaining(why) }
      expect((await configOf(api, run.id)).structured_output).toEqual(told)
    },
  )
})

it('a schema that no request can express goes into the prompt, and the run reports that', async () => {
  const { api, sent } = await startVendor({ kind: 'openai' }, () => FITS)
  const output_schema = { ...open, propertyNames: { enum: ['n'], type: ['string', 'null'] } }
  const run = await runToEnd(api, { input: 'count', output_schema })
  expect(run).toMatchObject({ status: 'completed', output: { structured: { n: 3 } } })
  expect(sent.map((body) => body.text)).toEqual([undefined])
  const told = { native: false, reason: expect.stringContaining('propertyNames') }
  expect((await configOf(api, run.id)).structured_output).toEqual(told)
})

describe('an OpenAI-compatible server', () => {
  const kind = 'openai-compatible'
  const shown = (sent: readonly Sent[]) =>
    sent.map((body) => [body.tools !== undefined, body.response_format?.type ?? null])

  it('receives the schema in the prompt until its support is configured', async () => {
    const { api, sent } = await startVendor({ kind }, looksThenFits)
    const run = await runToEnd(api, { input: 'count', output_schema: closed })
    expect(run.output.structured).toEqual({ n: 3 })
    expect(shown(sent)).toEqual([
      [true, null],
      [true, null],
    ])
    expect(JSON.stringify(sent[0])).toContain(IN_THE_PROMPT)
    const told = { native: false, reason: expect.stringContaining('STRATA_STRUCTURED_OUTPUTS') }
    expect(await started(api, run.id)).toEqual(told)
  })

  it('with without_tools receives it natively in the last call, which offers no tools', async () => {
    const vendor = { kind, structured_outputs: 'without_tools' } as const
    const { api, sent } = await startVendor(vendor, looksThenFits)
    const limits = { max_steps: 1 }
    const run = await runToEnd(api, { input: 'count', output_schema: closed, limits })
    expect(run.output.structured).toEqual({ n: 3 })
    expect(shown(sent)).toEqual([
      [true, null],
      [false, 'json_schema'],
    ])
    expect(sent[1].response_format.json_schema).toMatchObject({ schema: closed, strict: true })
    for (const body of sent) expect(JSON.stringify(body)).toContain(IN_THE_PROMPT)
    expect(await started(api, run.id)).toMatchObject({ native: true, only: 'without_tools' })
  })

  it('with with_tools receives it natively in every call', async () => {
    const vendor = { kind, structured_outputs: 'with_tools' } as const
    const { api, sent } = await startVendor(vendor, looksThenFits)
    const run = await runToEnd(api, { input: 'count', output_schema: open })
    expect(run.output.structured).toEqual({ n: 3 })
    expect(shown(sent)).toEqual([
      [true, 'json_schema'],
      [true, 'json_schema'],
    ])
    expect(sent[0].response_format.json_schema).toMatchObject({ schema: open, strict: false })
    expect(JSON.stringify(sent)).not.toContain(IN_THE_PROMPT)
  })
})

it('a run without a schema reports nothing about it', async () => {
  const { api, sent } = await startVendor({ kind: 'openai' }, () => FITS)
  const run = await runToEnd(api, { input: 'count' })
  expect(sent[0].text).toBeUndefined()
  expect(await started(api, run.id)).toBeUndefined()
  expect((await configOf(api, run.id)).structured_output).toBe(null)
})

it('examples/structured.sh shows both outcomes', async () => {
  const { url, key } = await startNodeApi()
  const { code, out } = await runExample('structured.sh', { STRATA_URL: url, STRATA_API_KEY: key })
  expect(out.trim().split('\n')).toEqual([
    'The answer is data.',
    'The run says how the model was told.',
    'An answer that does not fit fails the run …',
    '… and what was said is kept.',
    'structured ok',
  ])
  expect(code).toBe(0)
})
