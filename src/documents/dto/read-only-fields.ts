import { ApiHideProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';

const READ_ONLY = [
  'id',
  'excerpt',
  'templateId',
  'wordCount',
  'version',
  'createdAt',
  'updatedAt',
  'createdBy',
  'deletedAt',
] as const;

/** Lets a body carry what answers carry and nobody can change, so that a document that was read can be sent back. */
export function AcceptsReadOnlyFields(): ClassDecorator {
  return ({ prototype }) => {
    for (const field of READ_ONLY) {
      Allow()(prototype as object, field);
      ApiHideProperty()(prototype as object, field);
    }
  };
}
