import { Field } from '../../../platform/openapi/field.js';
import { MAX_USER_AGENT } from '../../../platform/network/user-agent.js';
import { ERROR_CODES, type ErrorCode } from '../../../platform/basics/errors/app-error.js';
import { MAX_PATH } from '../logged-request.js';

/** What the answer said of a failure. */
export class RequestErrorDto {
  @Field.oneOf(ERROR_CODES, { example: 'INVALID_REQUEST' }) code: ErrorCode;
  @Field.text({ max: 2_000, example: 'title: required field missing' }) message: string;

  @Field.object(
    { additionalProperties: true },
    {
      optional: true,
      description:
        'What a program can use of it. Of many problems the first ten; absent where it was too long.',
      example: { field: 'title', issue: 'required field missing' },
    },
  )
  details?: Record<string, unknown>;
}

/** A request with an API key, without what was sent and answered. */
export class RequestDto {
  @Field.id('request', {
    description: 'As the header `X-Request-Id` and `meta.requestId` told it.',
  })
  id: string;

  @Field.id('key') keyId: string;
  @Field.id('user', { description: 'Who made the key.' }) userId: string;
  @Field.text({ max: 20, example: 'POST' }) method: string;

  @Field.text({
    max: 200,
    description:
      'The pattern of its route, as this document writes it; `unknown` for a path that there is not.',
    example: '/v1/documents',
  })
  route: string;

  @Field.text({
    max: MAX_PATH,
    description: `The path as it was sent, with its query, at most ${MAX_PATH.toLocaleString('en')} characters. Values of parameters that hold secrets, such as \`api_key\`, are \`REDACTED\`.`,
    example: '/v1/documents?dryRun=true',
  })
  path: string;

  @Field.integer({
    min: 100,
    max: 599,
    description: 'The status of the answer; 499 when the client went before there was one.',
    example: 400,
  })
  status: number;

  @Field.number({
    max: 4_294_967_295,
    description: 'Milliseconds from the request to the end of its answer.',
    example: 3.42,
  })
  durationMs: number;

  @Field.text({
    max: 64,
    nullable: true,
    description:
      'The IP address of the client; null where the proxy in front names something that is none.',
    example: '192.0.2.7',
  })
  clientAddress: string | null;

  @Field.text({
    max: MAX_USER_AGENT,
    nullable: true,
    description: `The first ${String(MAX_USER_AGENT)} characters of the header \`User-Agent\`.`,
    example: 'curl/8.5.0',
  })
  userAgent: string | null;

  @Field.object(RequestErrorDto, { nullable: true, description: 'Null when it did not fail.' })
  error: RequestErrorDto | null;

  @Field.time({ description: 'When it came.' }) createdAt: string;
}
