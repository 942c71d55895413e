/** Increase the version with every change of the findings. Analyses by other versions are repeated. */
export const OFFLINE_ENGINE = { name: 'offline', version: '2.1.0' } as const;
