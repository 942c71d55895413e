/** Raised with every change of what the engine finds: analyses by another version are made anew. */
export const OFFLINE_ENGINE = { name: 'offline', version: '1.1.0' } as const;
