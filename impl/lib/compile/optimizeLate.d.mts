/** Lets V8 optimize only functions that stay hot, in this process and its threads. */
export declare function optimizeLate(): void
