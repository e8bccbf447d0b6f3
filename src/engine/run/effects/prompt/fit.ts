/**
 * Fits a model request to its model: unsupported images, audio, and files are replaced by a note. A
 * PDF file is replaced by its text.
 */

import { LIMITS } from '../../../../core/limits.ts'
import { type Media, type Modality, markOf, modalityOf } from '../../../../core/media.ts'
import { type Message, mediaOf } from '../../../../core/message.ts'
import type { RunWarning } from '../../../../core/run/log/fact-parts.ts'
import { sha256 } from '../../../../lib/digest.ts'
import type { ModelRequest, World } from '../../../../ports/world.ts'
import type { Home } from '../../../partition/home.ts'
import { getNamed, putNamed } from '../../../tenant/blobs.ts'

interface HomeRef {
  readonly world: World
  readonly home: Home
}

export interface FittedRequest {
  readonly request: ModelRequest
  /** Warnings about the request, one per unsupported kind of content. */
  readonly warnings: readonly RunWarning[]
}

/** Fits a request to its model. Never fails, because unreadable content is replaced by a note. */
export async function fitToModel(
  homeRef: HomeRef,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<FittedRequest> {
  if (!request.messages.some((message) => mediaOf(message).length > 0)) {
    return { request, warnings: [] }
  }
  const takes = takenBy(homeRef.world, request.model)
  const omitted = new Set<Modality>()
  const asShown = async <T extends MediaText>(source: T): Promise<T> => {
    const included: Media[] = []
    let { text } = source
    for (const file of source.media ?? []) {
      const kind = modalityOf(file.media_type)
      if (takes?.includes(kind)) included.push(file)
      else {
        omitted.add(kind)
        const instead = kind === 'pdf' ? await textOf(homeRef, file, signal) : undefined
        text = `${text}\n${instead ?? `[${markOf(file)} is not shown: ${whyNot(request.model, kind, takes)}]`}`
      }
    }
    return { ...source, text, media: included }
  }
  const messages = request.messages.map(async (message): Promise<Message> => {
    if (mediaOf(message).length === 0) return message
    if (message.role === 'user') return asShown(message as typeof message & MediaText)
    if (message.role !== 'tool') return message
    const results = message.results.map((result) => asShown(result as typeof result & MediaText))
    return { ...message, results: await Promise.all(results) }
  })
  const fitted = await Promise.all(messages)
  const warnings = [...omitted].map((kind) => warning(request.model, kind, takes))
  return { request: { ...request, messages: fitted }, warnings }
}

interface MediaText {
  readonly text: string
  readonly media?: readonly Media[]
}
type Takes = readonly Modality[] | undefined

function takenBy(world: World, model: string): Takes {
  const lookup = world.model.find(model)
  return lookup.ok ? lookup.value.input : undefined
}

const NAMES = { text: 'text', image: 'images', pdf: 'PDF files', audio: 'audio' } as const

const whyNot = (model: string, kind: Modality, takes: Takes): string =>
  takes === undefined
    ? `whether the model ${model} supports ${NAMES[kind]} is unknown`
    : `the model ${model} does not support ${NAMES[kind]}`

function warning(model: string, kind: Modality, takes: Takes): RunWarning {
  const instead = kind === 'pdf' ? '; it receives the extracted text' : ''
  return {
    code: 'media_not_taken',
    message: `${whyNot(model, kind, takes)}${instead}`,
    hint:
      takes === undefined
        ? 'List the supported inputs in `input` of the model in STRATA_PROVIDERS'
        : `Choose a model that supports ${NAMES[kind]}`,
  }
}

/**
 * Returns the text of a PDF file, or the reason why there is none. The text is extracted once and
 * stored next to the file.
 */
async function textOf({ world, home }: HomeRef, file: Media, signal: AbortSignal) {
  const mark = markOf(file)
  const name = `text-${sha256(file.data)}`
  const cached = await getNamed(world, home, name)
  if (cached !== undefined) return inside(mark, cached)
  if (!world.documents) return `[${mark} is not shown: this deployment cannot read it]`
  const { data: bytes, media_type: type } = file
  const read = await world.documents.read({ bytes, type }, signal)
  if (!read.ok) return `[${mark} is not shown: ${read.error}]`
  const { markdown, notes } = read.value
  const text = [markdown.trim() || '(no text)', ...notes].join('\n')
  await putNamed(world, home, name, text)
  return inside(mark, text)
}

function inside(mark: string, text: string): string {
  const max = LIMITS.web_characters
  const cut = text.length > max ? `\n[cut: ${text.length} characters total]` : ''
  return `[The text of ${mark}:]\n${text.slice(0, max)}${cut}\n[The end of ${mark}.]`
}
