/**
 * Replaces modules of zod in the Worker's bundle that nothing calls: the compiler of schemas, which
 * would create code from text, the reader of JSON Schema, and functions that derive schemas.
 */

export {}
