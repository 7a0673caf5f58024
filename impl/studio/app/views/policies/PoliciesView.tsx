/** Policies and clients. */
export const PoliciesView = () => <h1>Policies and clients</h1>
