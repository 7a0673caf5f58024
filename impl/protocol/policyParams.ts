/**
 * JSON text of a policy's parameters. A client configured without parameters has empty bytes or
 * whitespace, which the policy sees as `{}`.
 */
export const policyParamsJson = (text: string): string => (text.trim() === '' ? '{}' : text)
