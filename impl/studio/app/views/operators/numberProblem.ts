/** What is wrong with the text of a whole number between two others. */
export function numberProblem(text: string, least: number, most: number): string | undefined {
  const value = Number(text)
  return text !== '' && Number.isInteger(value) && value >= least && value <= most
    ? undefined
    : `a whole number from ${least} to ${most}`
}
