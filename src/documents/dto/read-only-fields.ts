import { AcceptsFields } from '../../envelope/field-decorators.js';

const READ_ONLY = [
  'id',
  'excerpt',
  'highlight',
  'templateId',
  'wordCount',
  'version',
  'createdAt',
  'updatedAt',
  'createdBy',
  'deletedAt',
] as const;

/** Lets a body carry what answers carry and nobody can change, so that a document that was read can be sent back. */
export const AcceptsReadOnlyFields = () => AcceptsFields(READ_ONLY);
