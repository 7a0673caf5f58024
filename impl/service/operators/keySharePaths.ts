/** HTTP paths of a `KeyMember`, signed like those of `operatorPaths`. */
export const keySharePaths = {
  status: '/v1/threshold/status',
  generate: '/v1/threshold/generate',
  complete: '/v1/threshold/complete',
  open: '/v1/threshold/open',
  reshare: '/v1/threshold/reshare',
  settle: '/v1/threshold/settle',
  recover: '/v1/threshold/recover',
} as const
