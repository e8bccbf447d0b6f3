import { describe, expect, it } from 'vitest'
import { textBody } from '../../../src/hosts/outbound/text-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const body = (...chunks: Uint8Array[]) => ReadableStream.from(chunks)
const plain = () => new TextDecoderStream()
const texts = async (stream: ReadableStream<string>) => {
  const all: string[] = []
  for await (const text of stream) all.push(text)
  return all
}

describe('a body that is read as text', () => {
  it('is the text that a stream of its own would give, wherever the chunks end', async () => {
    const whole = bytes('\uFEFFdata: {"a":"é 漢 🙂 \u0000"}\n\n')
    for (let at = 0; at <= whole.length; at += 1) {
      const chunks = [whole.subarray(0, at), whole.subarray(at)]
      const wanted = (await texts(body(...chunks).pipeThrough(plain()))).join('')
      const got = (await texts(textBody(body(...chunks)).pipeThrough(plain()))).join('')
      expect(got).toBe(wanted)
    }
  })

  it('replaces bytes that are no text, also at the end, unless that is to fail', async () => {
    const broken = () => textBody(body(bytes('a'), new Uint8Array([0xff, 0xe6])))
    expect((await texts(broken().pipeThrough(plain()))).join('')).toBe('a\uFFFD\uFFFD')
    const strict = new TextDecoderStream('utf-8', { fatal: true })
    await expect(texts(broken().pipeThrough(strict))).rejects.toThrow(TypeError)
  })

  it('passes on what went wrong, and that nobody reads on', async () => {
    let cancelled: unknown
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('x')),
      cancel: (reason) => void (cancelled = reason),
    })
    const reader = textBody(source).pipeThrough(plain()).getReader()
    expect((await reader.read()).value).toBe('x')
    await reader.cancel('enough')
    expect(cancelled).toBe('enough')
    const failing = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('broken off')),
    })
    const read = texts(textBody(failing).pipeThrough(plain()))
    await expect(read).rejects.toThrow('broken off')
  })

  it('goes through any other stream as it is', async () => {
    const upper = new TransformStream<Uint8Array, string>({
      transform: (chunk, controller) => controller.enqueue(String(chunk.length)),
    })
    expect(await texts(textBody(body(bytes('abc'))).pipeThrough(upper))).toEqual(['3'])
  })
})
