type Action = (client: never, ...rest: never[]) => unknown

/** Actions without their first argument. */
export type Bound<Actions extends Readonly<Record<string, Action>>> = {
  readonly [Name in keyof Actions]: Actions[Name] extends (
    client: never,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/** Actions as methods of a client. */
export const bindActions = <Actions extends Readonly<Record<string, Action>>>(
  client: unknown,
  actions: Actions,
): Bound<Actions> =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      (...rest: never[]) => action(client as never, ...rest),
    ]),
  ) as Bound<Actions>
