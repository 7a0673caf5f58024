/** Commands that serve until they are stopped, with a database or oracles. */
export declare const lasting: readonly string[]
/**
 * Lets V8 optimize only functions that stay hot, in this process and its threads: sooner if `command` is in
 * `lasting`.
 */
export declare function optimizeLate(command?: string): void
