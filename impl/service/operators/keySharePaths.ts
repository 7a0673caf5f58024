/** HTTP paths of a `KeyHolder`, signed like those of `operatorPaths`. */
export const keySharePaths = {
  status: '/v1/threshold/status',
  generate: '/v1/threshold/generate',
  complete: '/v1/threshold/complete',
  open: '/v1/threshold/open',
} as const
