// @ts-check

/**
 * The given members, without a prototype. Imports of a component are looked up by names that its
 * author chose: `constructor` or `to-string` must find nothing.
 * @template {object} Members
 * @param {Members} members
 * @returns {Members}
 */
export function bare(members) {
  return Object.assign(Object.create(null), members)
}
