/** Defines the documents port, which converts web pages and PDF files to text for a model. */

import type { Outcome } from '../lib/outcome.ts'

export interface DocumentRequest {
  readonly bytes: Uint8Array
  /** Media type with its parameters, as sent by the server; '' if the server sent none. */
  readonly type: string
  /** Source URL of the document, against which its relative links are resolved. */
  readonly url?: string | undefined
}

export interface DocumentText {
  readonly title: string | null
  /** Publication date stated in the document, in ISO 8601 if the date can be parsed. */
  readonly published: string | null
  readonly markdown: string
  /** Links in a web page, in document order and without duplicates. */
  readonly links: readonly { readonly text: string; readonly url: string }[]
  /** Number of pages in a PDF file; null for other documents. */
  readonly pages: number | null
  /** Sentences about parts of the document that were omitted. */
  readonly notes: readonly string[]
}

export interface Documents {
  /**
   * Converts a document to text within separate time and memory limits. Never throws; a failure is
   * a sentence for the model.
   */
  read(request: DocumentRequest, signal: AbortSignal): Promise<Outcome<DocumentText, string>>
}
