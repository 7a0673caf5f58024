/** Conformance. */
export const ConformanceView = () => <h1>Conformance</h1>
