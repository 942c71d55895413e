import { checkResponse } from './check-response.js';
import { checkRequest } from './check-request.js';

/** The steps of a check around the analysis. They take long for large inputs. */
export const STEPS = { checkRequest, checkResponse };
export type Steps = typeof STEPS;

/** A step with its arguments, for a thread. */
export interface CheckerTask {
  step: keyof Steps;
  args: unknown[];
}
