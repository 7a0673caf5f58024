/** Loads the groups that need Node. */
export const loadersOfNode = {
  jwt: async () => (await import('../groups/jwt.ts')).jwt,
  x509: async () => (await import('../groups/x509.ts')).x509,
}
