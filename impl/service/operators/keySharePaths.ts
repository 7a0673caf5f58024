/** Calls of a `KeyHolder` over HTTP, beside those of `operatorPaths` and signed like them. */
export const keySharePaths = {
  status: '/v1/threshold/status',
  generate: '/v1/threshold/generate',
  complete: '/v1/threshold/complete',
  open: '/v1/threshold/open',
} as const
