import type { Finding } from '../analysis.js';

/** A finding with a range in the reading, before it is mapped to the paragraph. */
export type Draft = Omit<Finding, 'original'>;
