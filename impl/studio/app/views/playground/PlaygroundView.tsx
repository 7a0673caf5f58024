/** Playground. */
export const PlaygroundView = () => <h1>Playground</h1>
