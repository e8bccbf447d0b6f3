/** The documents port: what people read (web pages, PDF files) as text that a model reads. */

import type { Outcome } from '../lib/outcome.ts'

export interface DocumentRequest {
  readonly bytes: Uint8Array
  /** The media type with its parameters, as the server gave it; '' when it gave none. */
  readonly type: string
  /** The source; links in the document are relative to it. */
  readonly url?: string | undefined
}

export interface DocumentText {
  readonly title: string | null
  /** As the document gives it, ISO 8601 where it can be read as such. */
  readonly published: string | null
  readonly markdown: string
  /** Links of a web page in order, each URL once. */
  readonly links: readonly { readonly text: string; readonly url: string }[]
  /** Number of pages of a PDF file. */
  readonly pages: number | null
  /** Sentences about parts that were left out. */
  readonly notes: readonly string[]
}

export interface Documents {
  /**
   * Reads a document within bounds of time and memory of its own. Never throws; a failure is a
   * sentence for the model.
   */
  read(request: DocumentRequest, signal: AbortSignal): Promise<Outcome<DocumentText, string>>
}
