import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../../../platform/basics/errors/app-error.js';
import {
  ApiId,
  ApiText,
  ApiTimestamp,
  sampleId,
} from '../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/sort.js';
import { JOB_STATUSES, type JobStatus } from '../job-state.js';

const LARGEST = Number.MAX_SAFE_INTEGER;

class JobProgressDto {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, maximum: LARGEST, example: 1200 })
  done: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: LARGEST,
    nullable: true,
    description: 'Null until it is known.',
    example: 1200,
  })
  total: number | null;
}

/** A file that a job has made. */
export class JobResultDto {
  @ApiProperty({
    format: 'uri-reference',
    maxLength: 100,
    description: 'Where the file is until it expires.',
    example: `/v1/jobs/${sampleId('job')}/result`,
  })
  url: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, maximum: LARGEST, example: 48213 })
  bytes: number;

  @ApiText({ maxLength: 200, example: 'application/x-ndjson' })
  mediaType: string;

  @ApiText({ maxLength: 255, example: 'account-2026-11-20.ndjson' })
  fileName: string;

  @ApiTimestamp({ description: 'From then on the file is gone.' })
  expiresAt: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'A few numbers on what was done, by kind of job.',
    example: { documents: 1200, versions: 340 },
  })
  summary: Record<string, unknown> | null;
}

export class JobErrorDto {
  @ApiProperty({ enum: ERROR_CODES, example: 'INVALID_REQUEST' })
  code: ErrorCode;

  @ApiText({
    maxLength: 5000,
    example: 'Line 17: title: must not be empty or only white space. Nothing was imported.',
  })
  message: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { line: 17, field: 'title', issue: 'must not be empty or only white space' },
  })
  details: Record<string, unknown> | null;
}

/** Work in the background. */
@ApiExtraModels(JobResultDto)
export class JobDto {
  @ApiId('job')
  id: string;

  /** The registered kinds are filled in when the API document is made. */
  @ApiProperty({ type: String, enum: [], example: 'account.export' })
  kind: string;

  @ApiProperty({ enum: JOB_STATUSES, example: 'succeeded' })
  status: JobStatus;

  @ApiProperty({
    type: JobProgressDto,
    description: 'Counts again from 0 when the job is begun again.',
  })
  progress: JobProgressDto;

  @ApiProperty({
    anyOf: [
      { $ref: getSchemaPath(JobResultDto) },
      {
        type: 'object',
        additionalProperties: true,
        description: 'What the job has made, by kind.',
      },
      { type: 'null' },
    ],
    description:
      'Once it has succeeded: the file it has made, or for some kinds what it has made itself.',
  })
  result: JobResultDto | Record<string, unknown> | null;

  @ApiProperty({ type: JobErrorDto, nullable: true, description: 'Once it has failed.' })
  error: JobErrorDto | null;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp({ nullable: true })
  startedAt: string | null;

  @ApiTimestamp({ nullable: true })
  finishedAt: string | null;
}

/** The answer to a cancellation. */
export class CancelledJobDto {
  @ApiId('job')
  id: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;

  @ApiProperty({ enum: ['cancelled'], example: 'cancelled' })
  status: 'cancelled';
}

/** The query of `GET /v1/jobs`. */
export class ListJobsDto extends CreationOrderDto {}
