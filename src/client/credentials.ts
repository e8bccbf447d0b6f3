/** Methods for credentials: API keys, secrets, browser sessions, tokens, and links. */

import type { Http } from './http.ts'
import { act, create, get, list, patch, put, remove, trigger } from './methods.ts'

export const credentialsOf = (http: Http) => ({
  keys: {
    create: create(http, '/v1/keys'),
    list: list(http, '/v1/keys'),
    get: get(http, '/v1/keys/{id}'),
    update: patch(http, '/v1/keys/{id}'),
    rotate: create(http, '/v1/keys/{id}/rotate'),
    revoke: remove(http, '/v1/keys/{id}'),
  },
  secrets: {
    put: put(http, '/v1/secrets/{name}'),
    list: list(http, '/v1/secrets'),
    get: get(http, '/v1/secrets/{name}'),
    delete: remove(http, '/v1/secrets/{name}'),
    reseal: trigger(http, '/v1/secrets/reseal'),
  },
  browserSessions: {
    create: create(http, '/v1/browser-sessions'),
    list: list(http, '/v1/browser-sessions'),
    get: get(http, '/v1/browser-sessions/{id}'),
    delete: remove(http, '/v1/browser-sessions/{id}'),
  },
  signInLinks: { create: create(http, '/v1/sign-in-links') },
  tokens: { create: act(http, '/v1/tokens') },
  accessLinks: { create: act(http, '/v1/access-links') },
})
