/** What orval makes: one file of functions that send by `programs/orval-fetch.ts`. */

export default {
  strata: {
    input: '../../openapi.yaml',
    output: {
      target: '.generated/orval.ts',
      mode: 'single',
      client: 'fetch',
      urlEncodeParameters: true,
      override: { mutator: { path: './programs/orval-fetch.ts', name: 'send' } },
    },
  },
}
