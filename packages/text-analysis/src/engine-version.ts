/** Increase the version with every change of the findings: analyses by another version are repeated. */
export const OFFLINE_ENGINE = { name: 'offline', version: '1.2.0' } as const;
