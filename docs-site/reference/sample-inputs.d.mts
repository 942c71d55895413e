export const SAMPLE_INPUTS: Readonly<Record<string, object>>;
