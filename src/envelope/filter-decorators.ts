import { registerDecorator } from 'class-validator';
import { parseMoment } from '../clock/moment.js';
import { decodeId, ID_PREFIXES, type IdKind } from '../identifiers/identifiers.js';

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

/** A time, or a day. */
export const IsMoment = () =>
  IsFilter((value) =>
    typeof value === 'string' && parseMoment(value) !== undefined
      ? undefined
      : 'must be a time with its zone, such as 2026-11-20T08:00:00Z, or a day, such as 2026-11-20, given once',
  );
