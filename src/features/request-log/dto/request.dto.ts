import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_USER_AGENT } from '../../../platform/network/user-agent.js';
import { ERROR_CODES, type ErrorCode } from '../../../platform/basics/errors/app-error.js';
import {
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
} from '../../../platform/openapi/property-decorators.js';
import { MAX_PATH } from '../logged-request.js';

/** What the answer said of a failure. */
export class RequestErrorDto {
  @ApiProperty({ enum: ERROR_CODES, example: 'INVALID_REQUEST' })
  code: ErrorCode;

  @ApiText({ maxLength: 2_000, example: 'title: required field missing' })
  message: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'What a program can use of it. Of many problems the first ten; absent where it was too long.',
    example: { field: 'title', issue: 'required field missing' },
  })
  details?: Record<string, unknown>;
}

/** A request with an API key, without what was sent and answered. */
export class RequestDto {
  @ApiId('request', { description: 'As the header `X-Request-Id` and `meta.requestId` told it.' })
  id: string;

  @ApiId('key')
  keyId: string;

  @ApiId('user', { description: 'Who made the key.' })
  userId: string;

  @ApiText({ maxLength: 20, example: 'POST' })
  method: string;

  @ApiText({
    maxLength: 200,
    description:
      'The pattern of its route, as this document writes it; `unknown` for a path that there is not.',
    example: '/v1/documents',
  })
  route: string;

  @ApiText({
    maxLength: MAX_PATH,
    description: `The path as it was sent, with its query, at most ${MAX_PATH.toLocaleString('en')} characters. Values of parameters that hold secrets, such as \`api_key\`, are \`REDACTED\`.`,
    example: '/v1/documents?dryRun=true',
  })
  path: string;

  @ApiInteger({
    minimum: 100,
    maximum: 599,
    description: 'The status of the answer; 499 when the client went before there was one.',
    example: 400,
  })
  status: number;

  @ApiProperty({
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 4_294_967_295,
    description: 'Milliseconds from the request to the end of its answer.',
    example: 3.42,
  })
  durationMs: number;

  @ApiText({
    maxLength: 64,
    nullable: true,
    description:
      'The IP address of the client; null where the proxy in front names something that is none.',
    example: '192.0.2.7',
  })
  clientAddress: string | null;

  @ApiText({
    maxLength: MAX_USER_AGENT,
    nullable: true,
    description: `The first ${String(MAX_USER_AGENT)} characters of the header \`User-Agent\`.`,
    example: 'curl/8.5.0',
  })
  userAgent: string | null;

  @ApiProperty({
    type: RequestErrorDto,
    nullable: true,
    description: 'Null when it did not fail.',
  })
  error: RequestErrorDto | null;

  @ApiTimestamp({ description: 'When it came.' })
  createdAt: string;
}
