/** Separation of message texts into the parts that composed them. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MediaRef, mediaMark } from '../../../src/core/media.ts'
import { partsOf, type TextFile, textOfPart } from '../../../src/core/message-parts.ts'
import { firstMessage, splitFirstMessage } from '../../../src/core/prompt.ts'

const image = (bytes: number, name?: string): MediaRef => ({
  ...{ digest: 'a'.repeat(64), bytes, media_type: 'image/png' },
  ...(name === undefined ? {} : { name }),
})
const IMAGES = [image(3), image(3, 'a "b".png'), image(4, 'a.png')]
const MARKS = IMAGES.map(mediaMark)

const file = (text: string, name?: string): TextFile => ({
  text,
  name,
  bytes: Buffer.byteLength(text),
})
const FILES = [file('one\ntwo', 'a.txt'), file('é\n[file, 1 bytes:]\nx', 'b "c".md'), file('x')]

/** Texts that resemble marks, blocks, and headings. */
const word = fc.constantFrom(
  ...['one', ' ', '', '\t', 'Context:', 'Task:', '\\Task:', '[file, 1 bytes:]', '🦦'],
  ...[...MARKS, '[The end of this file.]', '[file "a.txt", 7 bytes:]'],
)
const anyText = fc.array(word, { maxLength: 8 }).map((words) => words.join('\n'))
const text = anyText.filter((value) => value.trim() !== '')
const part = fc.oneof(text, fc.constantFrom(...IMAGES), fc.constantFrom(...FILES))

describe('the parts of a message', () => {
  it('compose the text from which they were separated', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const whole = parts.map(textOfPart).join('\n')
        const media = parts.filter((item) => typeof item !== 'string' && 'digest' in item)
        const separated = partsOf(whole, media as MediaRef[])!
        expect(separated.map(textOfPart).join('\n')).toBe(whole)
        const found = separated.filter((item) => typeof item !== 'string' && 'digest' in item)
        expect(found).toEqual(media)
        for (const item of separated) {
          if (typeof item === 'string') expect(item.trim()).not.toBe('')
        }
      }),
    )
  })

  it('are the parts of the request if no text resembles a mark', () => {
    const parts = ['Look:', IMAGES[2]!, FILES[0]!, 'And\n\nthis.', IMAGES[0]!]
    const whole = parts.map(textOfPart).join('\n')
    expect(partsOf(whole, [IMAGES[2]!, IMAGES[0]!])).toEqual(parts)
  })

  it('are unknown if the text lacks a mark', () => {
    expect(partsOf('no mark', [IMAGES[0]!])).toBeUndefined()
    expect(partsOf(`in a ${MARKS[0]} line`, [IMAGES[0]!])).toBeUndefined()
  })

  it('are found fast in a text of many marks that has no solution', () => {
    const whole = `${Array.from({ length: 2_000 }, () => MARKS[0]).join('\n \n')}\n `
    const images = Array.from({ length: 19 }, () => IMAGES[0]!)
    expect(partsOf(whole, [...images, IMAGES[2]!])).toBeUndefined()
  })
})

describe('a first message', () => {
  it('is composed again from its task and its context', () => {
    fc.assert(
      fc.property(text, fc.option(anyText, { nil: undefined }), (task, context) => {
        const message = firstMessage(task, context)
        const split = splitFirstMessage(message)
        expect(firstMessage(split.task, split.context)).toBe(message)
        expect(split.task.trim()).not.toBe('')
      }),
    )
  })

  it('is separated into the task and context of a request', () => {
    const context = 'Known:\n Task: none\nContext: none'
    expect(splitFirstMessage(firstMessage('Do it.', context))).toEqual({ task: 'Do it.', context })
    expect(splitFirstMessage('Do it.')).toEqual({ task: 'Do it.' })
  })
})
