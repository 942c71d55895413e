import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import { IfSent, IsRequired } from '../../envelope/field-presence.js';
import { ApiText } from '../../openapi/property-decorators.js';
import { eventProblems, MAX_EVENTS, SELECTABLE_EVENTS } from '../../events/event-selection.js';
import { MAX_URL_LENGTH, receiverUrlProblems } from '../receiver-url.js';
import { MAX_SECRET_LENGTH, PRINTABLE_ASCII, WHSEC_IS_BASE64 } from '../webhook-secret.js';

const MAX_DESCRIPTION_CHARACTERS = 500;

/** The body of `POST /v1/webhooks`. Of several decorators on a field the lowest is checked first. */
export class RegisterWebhookDto {
  static readonly checks = { url: receiverUrlProblems, events: eventProblems };

  @ApiProperty({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    description:
      'Where events are posted to: https, a public host, no credentials and no fragment.',
    example: 'https://example.com/webhooks',
  })
  @MaxLength(MAX_URL_LENGTH, {
    message: `must not be longer than ${String(MAX_URL_LENGTH)} characters`,
  })
  @IsString({ message: 'must be a string' })
  @IsRequired()
  url: string;

  @ApiProperty({
    enum: SELECTABLE_EVENTS,
    isArray: true,
    minItems: 1,
    maxItems: MAX_EVENTS,
    description:
      'Names of events; `document.*` is all of documents, `*` all there are, also later ones.',
    example: ['document.created', 'document.updated'],
  })
  @ArrayMaxSize(MAX_EVENTS, { message: `must not have more than ${String(MAX_EVENTS)} items` })
  @ArrayNotEmpty({ message: 'must not be empty; name an event, such as document.created' })
  @IsArray({ message: 'must be an array of event names, such as ["document.created"]' })
  @IsRequired()
  events: string[];

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_SECRET_LENGTH,
    pattern: '^[\\x20-\\x7e]*$',
    writeOnly: true,
    description:
      'Signs the deliveries. Printable ASCII, at least 24 characters advised; what follows `whsec_` must be base64. ' +
      'Left out, the service makes one and shows it in the answer.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  @IfSent()
  @Matches(WHSEC_IS_BASE64, {
    message:
      'must have base64 of one byte or more after whsec_, with its padding; correct it, or use a secret without that prefix',
  })
  @Matches(PRINTABLE_ASCII, {
    message: 'must hold only letters, digits, punctuation and spaces of ASCII (0x20 to 0x7e)',
  })
  @Length(1, MAX_SECRET_LENGTH, {
    message: `must have 1 to ${String(MAX_SECRET_LENGTH)} characters; leave it out to get one`,
  })
  @IsString({ message: 'must be a string; leave it out to get one' })
  secret?: string;

  @ApiText({
    required: false,
    nullable: true,
    maxLength: MAX_DESCRIPTION_CHARACTERS,
    example: 'Search index',
  })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION_CHARACTERS, {
    message: `must not be longer than ${String(MAX_DESCRIPTION_CHARACTERS)} characters`,
  })
  @IsString({ message: 'must be a string or null' })
  description?: string | null;

  @ApiPropertyOptional({
    enum: ['full', 'thin'],
    default: 'full',
    description: '`full` sends the whole resource, `thin` its id, version and status.',
  })
  @IfSent()
  @IsIn(['full', 'thin'], { message: 'must be full or thin' })
  payload: 'full' | 'thin' = 'full';
}
