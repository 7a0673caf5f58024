export const deployForTarget = async (p: never, ..._: unknown[]) => p
