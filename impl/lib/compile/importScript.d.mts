export declare const importScript: (path: string) => Promise<Record<string, unknown>>
