import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { redactedStart } from '../../basics/redact-secrets.js';
import { WITH_COMMAS } from '../../openapi/property-decorators.js';
import { IfSent } from './field-decorators.js';
import { IsFilter, List } from './filter-decorators.js';
import { unknownNameIssue } from './nearest-name.js';

/** Which members of an answer are asked for: names of `known`, with commas between or repeated. The id always comes. */
export const AskedFields = (known: readonly string[]) =>
  applyDecorators(
    ApiPropertyOptional({
      ...WITH_COMMAS,
      type: 'array',
      maxItems: known.length,
      items: { type: 'string', enum: [...known] },
      description: `Answers with these fields only, and the id: names with commas between, or repeated. Known are ${known.join(', ')}. The ETag is one of its own.`,
      example: ['id', 'title'],
    }),
    List(),
    IfSent(),
    IsFilter((names) => problemOf(names as unknown[], known)),
  );

function problemOf(names: readonly unknown[], known: readonly string[]): string | undefined {
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong === undefined) return undefined;
  if (wrong === '') return 'must be names of fields with commas between, such as id,title';
  const name = redactedStart(wrong as string, 64);
  return `'${name}' ${unknownNameIssue(name, known)}`;
}

/** Of what answers show, in its order, what is asked for. */
export function askedOf<Name extends string>(
  shown: readonly Name[],
  asked: readonly string[],
): Name[] {
  return shown.filter((name) => name === 'id' || asked.includes(name));
}
