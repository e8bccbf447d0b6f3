/** Answers by a schema: the data is found beside words, and what is ambiguous is asked for again. */

import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../../../src/core/run/prompt/structured-output.ts'

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const DATA = '{"n":3}'

describe('a structured answer', () => {
  it.each([
    ['JSON alone', DATA],
    ['JSON in one fence', `\`\`\`json\n${DATA}\n\`\`\``],
    ['JSON after a sentence', `Here it is:\n${DATA}`],
    ['JSON before a sentence', `${DATA}\n\nLet me know if you need more.`],
    ['JSON within a sentence', `The result **${DATA}** {as asked}, "so" to say [1].`],
    ['JSON in a tag', `<answer>${DATA}</answer>`],
    ['JSON behind thoughts', `<think>Perhaps {"n":1}? No.</think>\n${DATA}`],
    ['JSON behind thoughts whose beginning is missing', `Perhaps {"n":1}?</think>${DATA}`],
    ['a fence behind thoughts', `<thinking>\n{"n":2}\n</thinking>\n\`\`\`json\n${DATA}\n\`\`\``],
    ['a fence within text', `Sure!\n\n\`\`\`JSON\n${DATA}\n\`\`\`\n\nIt says {"n":4}, roughly.`],
    ['a fence of tildes', `So:\n~~~\n${DATA}\n~~~\n`],
    ['a fence that is not closed', `So:\n\`\`\`json\n${DATA}`],
    ['one fence of several that fits', `\`\`\`sh\nls\n\`\`\`\n\`\`\`json\n${DATA}\n\`\`\``],
    ['the same data twice', `${DATA}\n\nAgain: { "n": 3 }`],
    ['brackets in its texts', 'So: {"n":3,"t":"a } \\" ] b"} done'],
  ])('is extracted from %s', (_, text) => {
    expect(checkAnswer(schema, text).structured).toMatchObject({ n: 3 })
  })

  it('is a list where the schema requires one', () => {
    const list = { type: 'array', items: { type: 'integer' } }
    expect(checkAnswer(list, 'These: [1, 2].')).toEqual({ structured: [1, 2] })
  })

  it.each([
    ['no JSON', 'No idea.', 'not JSON'],
    ['thoughts alone', `<think>${DATA}</think>`, 'not JSON'],
    ['JSON that does not fit', 'So: {"n":"x"}', '#/n'],
    ['two values that fit', `Either ${DATA} or {"n":4}.`, '2 different conforming values'],
    ['an object that is cut off', 'So: {"n":3, "m": [', 'not JSON'],
  ])('is requested again when it is %s', (_, text, why) => {
    expect(checkAnswer(schema, text)).toEqual({ schema_error: expect.stringContaining(why) })
  })

  it('is found in bounded time for any content', () => {
    for (const text of ['{'.repeat(32_000), '["'.repeat(16_000), '```\n'.repeat(8_000)])
      expect(checkAnswer(schema, text).schema_error).toContain('not JSON')
  })
})
