/** Defines the documents port, which converts web pages and PDF files to text for a model. */

import type { Outcome } from '../lib/outcome.ts'

export interface DocumentRequest {
  readonly bytes: Uint8Array
  /** Media type with its parameters, as sent by the server; '' if absent. */
  readonly type: string
  /** Source URL; links in the document are relative to it. */
  readonly url?: string | undefined
}

export interface DocumentText {
  readonly title: string | null
  /** Publication date from the document, in ISO 8601 if it can be parsed. */
  readonly published: string | null
  readonly markdown: string
  /** Links of a web page in order, without duplicates. */
  readonly links: readonly { readonly text: string; readonly url: string }[]
  /** Number of pages of a PDF file. */
  readonly pages: number | null
  /** Sentences about omitted parts. */
  readonly notes: readonly string[]
}

export interface Documents {
  /**
   * Reads a document within separate time and memory limits. Never throws; a failure is a sentence
   * for the model.
   */
  read(request: DocumentRequest, signal: AbortSignal): Promise<Outcome<DocumentText, string>>
}
