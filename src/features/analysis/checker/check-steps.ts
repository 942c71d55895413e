import { checkAnswer } from './check-answer.js';
import { checkRequest } from './check-request.js';

/** The steps of a check around the analysis. They take long for large inputs. */
export const STEPS = { checkRequest, checkAnswer };
export type Steps = typeof STEPS;

/** A step with its arguments, for a thread. */
export interface CheckerTask {
  step: keyof Steps;
  args: unknown[];
}
