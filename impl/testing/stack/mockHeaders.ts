/** Headers between a stack and the mocks of a test, which handlers do not see. */
export const mockHeaders = {
  token: 'x-polgate-mock-token',
  /** Scheme, host and port that the oracle asked for. */
  origin: 'x-polgate-mock-origin',
} as const
