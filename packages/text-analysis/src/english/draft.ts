import type { Finding } from '../analysis.js';

/** A finding in the units of the reading, before it is mapped to the paragraph. */
export type Draft = Omit<Finding, 'original'>;
