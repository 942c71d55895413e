import { Transform } from 'class-transformer';
import { registerDecorator } from 'class-validator';
import { parseMoment } from '../../basics/clock/moment.js';
import { decodeId, ID_PREFIXES, type IdKind } from '../../basics/identifiers/identifiers.js';
import { redactedStart } from '../../basics/redact-secrets.js';

/** A parameter that a list is filtered by is right when there is no problem with it, in words that follow its name. */
export const IsFilter =
  (problemOf: (value: unknown) => string | undefined): PropertyDecorator =>
  (target, property) => {
    registerDecorator({
      name: 'isFilter',
      target: target.constructor,
      propertyName: property as string,
      validator: {
        validate: (value: unknown) => problemOf(value) === undefined,
        defaultMessage: (validation) => problemOf(validation?.value) ?? 'is not valid',
      },
    });
  };

/** A public id of this kind. */
export const IsFilterId = (kind: IdKind) =>
  IsFilter((value) =>
    typeof value === 'string' && decodeId(kind, value) !== undefined
      ? undefined
      : `must be the id of a ${kind}, ${ID_PREFIXES[kind]}_ and 26 characters, given once`,
  );

/** Most values of one filter, unless it says otherwise. */
export const MAX_VALUES = 20;

/** A filter that may be given several times: its different values. */
export const Several = () =>
  Transform(({ value }: { value: unknown }) => differentIn([value].flat()));

/** The same, with commas between them too. */
export const List = () =>
  Transform(({ value }: { value: unknown }) =>
    differentIn([value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : one))),
  );

const differentIn = (values: readonly unknown[]): unknown[] => [...new Set(values)];

/** Public ids of this kind, from a parameter that is {@link Several} or a {@link List}. */
export const AreFilterIds = (kind: IdKind, most = MAX_VALUES) =>
  IsFilter((values) => {
    const ids = values as unknown[];
    if (ids.length > most) return `must not name more than ${String(most)}`;
    const wrong = ids.find((id) => typeof id !== 'string' || decodeId(kind, id) === undefined);
    if (wrong === undefined) return undefined;
    const form = `the id of a ${kind}, ${ID_PREFIXES[kind]}_ and 26 characters`;
    return ids.length === 1 || wrong === ''
      ? `must be ${form}`
      : `'${redactedStart(wrong as string, 64)}' is not ${form}`;
  });

/** A time, or a day. */
export const IsMoment = () =>
  IsFilter((value) =>
    typeof value === 'string' && parseMoment(value) !== undefined
      ? undefined
      : 'must be a time with its zone, such as 2026-11-20T08:00:00Z, or a day, such as 2026-11-20, given once',
  );
