/** Something in a package that is mostly a mistake, and by which a policy may allow too much. */
export type PackageWarning = {
  /** Id of a lint rule, or one of those that `PACKAGE.md` lists. */
  readonly id: string
  /** `file:line:column`, or a file. */
  readonly place: string
  readonly message: string
  readonly help: string
}
