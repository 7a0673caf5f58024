/** The benchmarks among the scripts of package.json, except the one that runs all of them. */
export const benchesOf = (scripts: Readonly<Record<string, string>>): string[] =>
  Object.keys(scripts)
    .filter((name) => /^bench(:|$)/.test(name) && name !== 'bench:smoke')
    .sort()
