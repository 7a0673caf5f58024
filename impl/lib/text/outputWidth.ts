type Stream = { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** Narrower values are mistakes, and leave no room for a word. */
const leastColumns = 20

/**
 * How many columns the lines of a stream have: COLUMNS where it is set, else those of the terminal.
 * Undefined for a pipe or a file: programs read those line by line.
 */
export function outputWidth(
  { isTTY, columns }: Stream,
  env: Readonly<Record<string, string | undefined>> = process.env,
): number | undefined {
  const asked = Number(env.COLUMNS)
  if (Number.isInteger(asked) && asked >= leastColumns) return asked
  return isTTY === true && columns !== undefined && columns >= leastColumns ? columns : undefined
}
