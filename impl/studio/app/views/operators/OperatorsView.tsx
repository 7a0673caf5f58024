/** Operators. */
export const OperatorsView = () => <h1>Operators</h1>
