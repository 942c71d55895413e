import { Field } from '../../../platform/openapi/field.js';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../../../platform/basics/errors/app-error.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { JOB_STATUSES, type JobStatus } from '../queue/job-state.js';

const LARGEST = Number.MAX_SAFE_INTEGER;

class JobProgressDto {
  @Field.integer({ max: LARGEST, example: 1200 }) done: number;

  @Field.integer({
    max: LARGEST,
    nullable: true,
    description: 'Null until the total is known.',
    example: 1200,
  })
  total: number | null;
}

/** A file that a job created. */
export class JobResultDto {
  @Field.schema({
    type: String,
    format: 'uri-reference',
    maxLength: 100,
    description: 'The path of the file until it expires.',
    example: `/v1/jobs/${sampleId('job')}/result`,
  })
  url: string;

  @Field.integer({ max: LARGEST, example: 48213 }) bytes: number;
  @Field.text({ max: 200, example: 'application/x-ndjson' }) mediaType: string;
  @Field.text({ max: 255, example: 'account-2026-11-20.ndjson' }) fileName: string;
  @Field.time({ description: 'The file is deleted at this time.' }) expiresAt: string;

  @Field.object(
    { additionalProperties: true },
    {
      nullable: true,
      description: 'Statistics of the job, depending on its kind.',
      example: { documents: 1200, versions: 340 },
    },
  )
  summary: Record<string, unknown> | null;
}

export class JobErrorDto {
  @Field.oneOf(ERROR_CODES, { example: 'INVALID_REQUEST' }) code: ErrorCode;

  @Field.text({
    max: 5000,
    example: 'Line 17: title: must not be blank. Nothing was imported.',
  })
  message: string;

  @Field.object(
    { additionalProperties: true },
    {
      nullable: true,
      example: { line: 17, field: 'title', issue: 'must not be blank' },
    },
  )
  details: Record<string, unknown> | null;
}

/** A background job. */
@ApiExtraModels(JobResultDto)
export class JobDto {
  @Field.id('job') id: string;

  /** The registered kinds are added to the API document later. */
  @Field.schema({ type: String, enum: [] }, { example: 'account.export' })
  kind: string;

  @Field.oneOf(JOB_STATUSES, { example: 'succeeded' }) status: JobStatus;

  @Field.object(JobProgressDto, { description: 'Starts at 0 again if the job is restarted.' })
  progress: JobProgressDto;

  @Field.schema({
    anyOf: [
      { $ref: getSchemaPath(JobResultDto) },
      {
        type: 'object',
        additionalProperties: true,
        description: 'The result of the job, depending on its kind.',
      },
      { type: 'null' },
    ],
    description: 'Present after success: the file it created, or for some kinds the result itself.',
  })
  result: JobResultDto | Record<string, unknown> | null;

  @Field.object(JobErrorDto, { nullable: true, description: 'Present once the job has failed.' })
  error: JobErrorDto | null;

  @Field.time() createdAt: string;
  @Field.time({ nullable: true }) startedAt: string | null;
  @Field.time({ nullable: true }) finishedAt: string | null;
}

/** The response to a cancellation. */
export class CancelledJobDto {
  @Field.id('job') id: string;
  @Field.constant(true) deleted: true;
  @Field.constant('cancelled') status: 'cancelled';
}

/** The query of `GET /v1/jobs`. */
export class ListJobsDto extends CreationOrderDto {}
