import { Catch, Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { FailureFilter } from '../../../platform/http/envelope/failure.filter.js';

/** Formats failures as LanguageTool does: plain text. A missing or wrong key is 403, because its clients know no 401. */
@Catch()
@Injectable()
export class PlainTextFailureFilter extends FailureFilter {
  protected override readonly contentType = 'text/plain; charset=utf-8';

  protected override adapted(error: AppError): AppError {
    if (error.kind !== 'unauthorized') return error;
    return new AppError('forbidden', error.message, error.details);
  }

  protected override bodyOf({ message }: AppError): string {
    return `Error: ${message}`;
  }
}
