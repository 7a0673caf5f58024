export declare const importScript: (
  path: string,
  values?: readonly string[],
) => Promise<Record<string, unknown>>
