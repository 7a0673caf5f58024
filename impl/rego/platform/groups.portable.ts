/** Groups that need Node do not exist elsewhere: a policy that calls one does not compile. */
export const loadersOfNode = {}
