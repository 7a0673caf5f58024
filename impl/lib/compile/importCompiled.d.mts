export declare const importCompiled: (path: string) => Promise<Record<string, unknown>>
export declare const importSource: (path: string) => Promise<Record<string, unknown>>
export declare const compiledValue: (path: string) => Promise<unknown>
