import { Field } from '../../../../platform/openapi/field.js';
import { DocumentCreatorDto } from '../../dto/document.dto.js';
import { MAX_CACHE_SECONDS } from '../publishing-settings.repository.js';

/** The body of `PUT /v1/publishing`. Omitted settings get their defaults. */
export class PutPublishingDto {
  @Field.flag({
    description: 'Whether documents with the status `published` have a published version.',
    example: true,
  })
  enabled: boolean;

  @Field.integer({
    optional: true,
    max: MAX_CACHE_SECONDS,
    description:
      'How long browsers and caches may reuse responses with published versions, in seconds. Default: 0.',
    example: 60,
  })
  cacheSeconds?: number;

  @Field.flag({
    optional: true,
    description:
      'Whether caches between your website and this service may store these responses. Default: false.',
    example: false,
  })
  sharedCache?: boolean;
}

/** The publishing settings of an account. */
export class PublishingDto {
  @Field.flag({
    description: 'Whether documents with the status `published` have a published version.',
    example: true,
  })
  enabled: boolean;

  @Field.integer({
    max: MAX_CACHE_SECONDS,
    description:
      'How long browsers and caches may reuse responses with published versions, in seconds.',
    example: 60,
  })
  cacheSeconds: number;

  @Field.flag({
    description: 'Whether caches between your website and this service may store these responses.',
    example: false,
  })
  sharedCache: boolean;

  @Field.flag({
    description: 'False while the service adds or removes published versions after a change.',
    example: true,
  })
  settled: boolean;

  @Field.time({ nullable: true, description: 'Null if the settings have never been changed.' })
  updatedAt: string | null;
}

/** The body of `POST /v1/documents/{id}/publish`. */
export class PublishDocumentDto {
  @Field.integer({
    optional: true,
    min: 1,
    description:
      'The version to publish. An older one is a rollback. Default: the current version.',
    example: 3,
  })
  version?: number;
}

/** What readers of a document saw, and when. */
export class PublicationDto {
  @Field.integer({
    min: 1,
    description: 'Counts the publications of the document.',
    example: 2,
  })
  number: number;

  @Field.integer({ min: 1, description: 'The version that was published.', example: 3 })
  version: number;

  @Field.time() publishedAt: string;

  @Field.object(DocumentCreatorDto, {
    nullable: true,
    description: 'Null if the service published it when publishing was turned on.',
  })
  publishedBy: DocumentCreatorDto | null;

  @Field.time({
    nullable: true,
    description:
      'When another version replaced it, or the document was unpublished. Null while readers get it.',
  })
  endedAt: string | null;
}
