/**
 * Replaces two modules of zod in the Worker's bundle that nothing calls: the compiler of schemas,
 * which would create code from text, and the reader of JSON Schema.
 */

export {}
