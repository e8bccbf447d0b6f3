/** README's fan-out by OpenAI's client: an agent starts three others, and joins what they say. */

import assert from 'node:assert/strict'
import OpenAI from 'openai'
import type { Given } from '../given.ts'

const input = '@spawn 3 {"task":"@say part {i}"}\n@await\n@say joined {results}'

export default async function story({ url, key }: Given): Promise<void> {
  const { responses } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key })
  const { id } = await responses.create({ model: 'agent/general', input, background: true })
  for await (const event of await responses.retrieve(id, { stream: true }))
    if (event.type === 'response.completed') assert.equal(event.response.status, 'completed')
  assert.match((await responses.retrieve(id)).output_text, /joined 3$/)
}
