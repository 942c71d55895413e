import { Transform } from 'class-transformer';
import { Field } from '../../../platform/openapi/field.js';
import { eventIssue, MAX_EVENTS } from '../catalogue.js';

/** The query of `GET /v1/events/stream`. */
export class StreamEventsDto {
  @splitNames()
  @Field.text({
    optional: true,
    default: '*',
    max: 2000,
    pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
    description:
      'Names of events between commas; `document.*` is all of documents, `*` all there are.',
    example: 'document.created,document.updated',
    check: (names) => namesIssue(names as unknown[]),
  })
  types: string[] = ['*'];
}

/** Splits one text. Anything else, such as a repeated parameter, becomes a name that is not a text. */
function splitNames(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [value],
  );
}

function namesIssue(names: readonly unknown[]): string | undefined {
  if (names.some((name) => typeof name !== 'string')) {
    return 'must be given once; put commas between names';
  }
  if (names.length > MAX_EVENTS) return `must not have more than ${String(MAX_EVENTS)} names`;
  return names.map(eventIssue).find((issue) => issue !== undefined);
}
