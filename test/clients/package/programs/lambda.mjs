// The platform's own global, and the handlers that it finds.
globalThis.awslambda = { streamifyResponse: (handler) => handler }
const handlers = await import('strata/lambda')
console.log(Object.keys(handlers).sort().join(' '))
process.exit()
