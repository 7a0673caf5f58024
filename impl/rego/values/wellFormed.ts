/** A text in which each surrogate without the other, such as a byte that is not UTF-8, is U+FFFD. */
export function wellFormed(text: string): string {
  // Available in Node 20, but not in the ES2023 library types.
  const string = text as string & { isWellFormed(): boolean; toWellFormed(): string }
  return string.isWellFormed() ? text : string.toWellFormed()
}
