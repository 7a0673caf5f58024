/** A number with its noun: `1 exchange`, `2 exchanges`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`
