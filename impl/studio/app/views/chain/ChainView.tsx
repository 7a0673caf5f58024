/** Chain. */
export const ChainView = () => <h1>Chain</h1>
