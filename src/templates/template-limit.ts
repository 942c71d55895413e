import { AppError } from '../errors/app-error.js';

/** Most templates of an account, beside starters that come later: they are counted and searched at every list. */
export const MAX_TEMPLATES = 1_000;

/** The answer to a creation beyond {@link MAX_TEMPLATES}. */
export function tooManyTemplates(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_TEMPLATES)} templates, the most it may have. Delete one that is not needed any more.`,
  );
}
