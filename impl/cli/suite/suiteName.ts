/** The command, and the package, of the suite alone. */
export const suiteName = 'polgate-conformance'
