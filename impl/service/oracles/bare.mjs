// @ts-check

/**
 * The members given here and none else. What a component imports is looked up by the names that its
 * maker chose: `constructor` or `to-string` must find nothing.
 * @template {object} Members
 * @param {Members} members
 * @returns {Members}
 */
export function bare(members) {
  return Object.assign(Object.create(null), members)
}
