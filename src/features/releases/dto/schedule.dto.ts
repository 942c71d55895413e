import { Field } from '../../../platform/openapi/field.js';
import { ReleaseDto, TimeZoneField } from './release.dto.js';

/** The body of `PUT /v1/documents/{id}/schedule`. */
export class PutScheduleDto {
  @Field.time({
    optional: true,
    description:
      'When to publish the document: a time with a UTC offset, at most 5 years ahead. This or `unpublishAt` is required.',
    example: '2030-01-15T08:00:00Z',
  })
  publishAt?: string;

  @Field.time({
    optional: true,
    description: 'When to unpublish the document. Later than `publishAt`.',
    example: '2030-02-15T08:00:00Z',
  })
  unpublishAt?: string;

  @Field.integer({
    optional: true,
    min: 1,
    description: 'The version to publish. Default: the current one. Later changes stay drafts.',
    example: 1,
  })
  version?: number;

  @TimeZoneField()
  timeZone?: string | null;
}

/** When a document is published and unpublished. */
export class ScheduleDto {
  @Field.object(ReleaseDto, {
    nullable: true,
    description: 'The release that publishes it. Null if none does.',
  })
  publish: ReleaseDto | null;

  @Field.object(ReleaseDto, {
    nullable: true,
    description: 'The release that unpublishes it. Null if none does.',
  })
  unpublish: ReleaseDto | null;
}

/** The response to the removal of a schedule. */
export class DeletedScheduleDto {
  @Field.id('document') id: string;
  @Field.constant(true) deleted: true;
}
