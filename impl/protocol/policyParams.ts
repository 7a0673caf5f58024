/**
 * JSON text of a policy's parameters. A client that was configured without any has empty bytes, or
 * blanks, where the others have JSON: its policy sees `{}`.
 */
export const policyParamsJson = (text: string): string => (text.trim() === '' ? '{}' : text)
