/** A word that a POSIX shell takes literally. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
