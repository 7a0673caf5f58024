/** New task. */
export const NewTaskView = () => <h1>New task</h1>
