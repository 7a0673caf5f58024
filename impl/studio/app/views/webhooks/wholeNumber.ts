/** The number that a field has; undefined if it is none of this range. */
export function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = Number(text)
  return /^\d{1,9}$/.test(text.trim()) && value >= least && value <= most ? value : undefined
}
