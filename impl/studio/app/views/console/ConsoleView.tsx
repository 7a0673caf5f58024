/** Console. */
export const ConsoleView = () => <h1>Console</h1>
