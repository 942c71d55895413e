import { ApiExtraModels } from '@nestjs/swagger';
import { AcceptsFields, Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import {
  CreationOrderDto,
  PageQueryDto,
} from '../../../platform/http/pagination/page-query.dto.js';
import {
  DocumentCreatorDto,
  DocumentDto,
  DocumentWithoutContentDto,
} from '../../documents/dto/document.dto.js';
import {
  ITEM_OUTCOMES,
  MAX_ITEMS,
  MAX_TITLE_CHARACTERS,
  RELEASE_ACTIONS,
  RELEASE_CHECKS,
  RELEASE_STATUSES,
  type ItemOutcome,
  type ReleaseAction,
  type ReleaseCheck,
  type ReleaseStatus,
} from '../release.js';
import { RELEASE_SORTS, type ReleaseSort } from '../releases.repository.js';

const MAX_TIME_ZONE_CHARACTERS = 64;

const TitleField = (options: FieldOptions = {}) =>
  Field.text({
    max: MAX_TITLE_CHARACTERS,
    notBlank: true,
    oneLine: true,
    title: 'ReleaseTitle',
    description: 'One line. Need not be unique.',
    example: 'Autumn campaign',
    ...options,
  });

const ActionField = () =>
  Field.oneOf(RELEASE_ACTIONS, {
    title: 'ReleaseAction',
    description: '`unpublish` makes the document a draft.',
    example: 'publish',
  });

/** The time zone of a release, in requests. */
export const TimeZoneField = () =>
  Field.text({
    optional: true,
    nullable: true,
    max: MAX_TIME_ZONE_CHARACTERS,
    title: 'TimeZone',
    description:
      'The IANA name of the zone in which people see the time. It does not change when the release is published.',
    example: 'Europe/Berlin',
    check: timeZoneIssue,
  });

/** Why a document cannot be published or unpublished. */
export class ReleaseProblemDto {
  @Field.oneOf(RELEASE_CHECKS, {
    description:
      '`publishing`: it is off in the account; `document`: in the trash or deleted; `status`: it cannot become `published`; `version`: not stored; `late`: no worker has published the release for 24 hours. The others are checks of the publication rules.',
    example: 'status',
  })
  check: ReleaseCheck;

  @Field.text({
    max: 500,
    description: 'What is wrong, and what to do.',
    example: 'A document cannot go from archived to published. It can go to draft.',
  })
  issue: string;

  @Field.id('analysis', { optional: true, description: 'The analysis that found it.' })
  analysisId?: string;
}

/** A document of a release. */
export class ReleaseItemDto {
  @Field.id('document') id: string;
  @ActionField() action: ReleaseAction;

  @Field.integer({
    min: 1,
    nullable: true,
    title: 'ReleasedVersion',
    description:
      'The version to publish. Null for the current one, until the release is scheduled or published, and for `unpublish`.',
    example: 3,
  })
  version: number | null;

  @Field.oneOf(ITEM_OUTCOMES, {
    nullable: true,
    description:
      '`superseded`: skipped, because this version or a newer one was published after the release was scheduled, or there was nothing to unpublish. Null unless the release was published.',
    example: null,
  })
  outcome: ItemOutcome | null;

  @Field.list(ReleaseProblemDto, {
    max: 20,
    description: 'Why the release failed because of this document.',
    example: [],
  })
  problems: ReleaseProblemDto[];
}

/** Documents that are published or unpublished together. */
export class ReleaseDto {
  @Field.id('release') id: string;

  @TitleField({ nullable: true, description: 'Null for the schedule of a document.' })
  title: string | null;

  @Field.oneOf(RELEASE_STATUSES, {
    title: 'ReleaseStatus',
    description: '`open`: without a time. `failed`: a document was refused, and nothing changed.',
    example: 'scheduled',
  })
  status: ReleaseStatus;

  @Field.time({
    nullable: true,
    description: 'When the service publishes it, never earlier. Null without a time.',
    example: '2030-01-15T08:00:00.000Z',
  })
  publishAt: string | null;

  @Field.text({
    nullable: true,
    max: MAX_TIME_ZONE_CHARACTERS,
    description: 'The IANA name of the zone in which people see the time.',
    example: 'Europe/Berlin',
  })
  timeZone: string | null;

  @Field.list(ReleaseItemDto, {
    max: MAX_ITEMS,
    description: 'The documents that the caller can see.',
  })
  items: ReleaseItemDto[];

  @Field.integer({
    max: MAX_ITEMS,
    description:
      'The number of other documents. Who cannot see all of them cannot change the release.',
    example: 0,
  })
  hiddenItems: number;

  @Field.integer({
    min: 1,
    title: 'VersionNumber',
    description: 'Increases by one with each change.',
    example: 1,
  })
  version: number;

  @Field.object(DocumentCreatorDto) createdBy: DocumentCreatorDto;

  @Field.object(DocumentCreatorDto, {
    description: 'Who made the last change. The service publishes the release for this person.',
  })
  updatedBy: DocumentCreatorDto;

  @Field.time() createdAt: string;
  @Field.time({ description: 'Equals `createdAt` until the first change.' }) updatedAt: string;

  @Field.time({
    nullable: true,
    description: 'When it was published, failed or was canceled. It is deleted 90 days later.',
    example: null,
  })
  finishedAt: string | null;
}

/** The response to a deletion. */
export class DeletedReleaseDto {
  @Field.id('release') id: string;
  @Field.constant(true) deleted: true;
}

/** A document that a request puts into a release. */
@AcceptsFields(['outcome', 'problems'])
export class ReleaseItemInputDto {
  @Field.id('document') id: string;
  @ActionField() action: ReleaseAction;

  @Field.integer({
    optional: true,
    nullable: true,
    min: 1,
    description:
      'The version to publish. Default: the current one when the release is scheduled or, without a time, published. Not for `unpublish`.',
    example: 3,
    check: versionIssue,
  })
  version?: number | null;
}

const ItemsField = ({ optional = false } = {}) =>
  Field.list(ReleaseItemInputDto, {
    optional,
    min: 1,
    max: MAX_ITEMS,
    description: `The documents, each once. Their texts can have 8 MiB together. The release is all or nothing.`,
  });

const PublishAtField = () =>
  Field.time({
    optional: true,
    nullable: true,
    description:
      'When to publish it: a time with a UTC offset, at most 5 years ahead. The versions are fixed now: later changes stay drafts. Without it, or if null, the release waits until you publish it.',
    example: '2030-01-15T08:00:00Z',
  });

/** The body of `POST /v1/releases`. */
export class CreateReleaseDto {
  @TitleField()
  title: string;

  @PublishAtField()
  publishAt?: string | null;

  @TimeZoneField()
  timeZone?: string | null;

  @ItemsField()
  items: ReleaseItemInputDto[];
}

/** The body of `PATCH /v1/releases/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields([
  'id',
  'status',
  'hiddenItems',
  'version',
  'createdBy',
  'updatedBy',
  'createdAt',
  'updatedAt',
  'finishedAt',
])
export class PatchReleaseDto {
  @TitleField({ optional: true })
  title?: string;

  @PublishAtField()
  publishAt?: string | null;

  @TimeZoneField()
  timeZone?: string | null;

  @ItemsField({ optional: true })
  items?: ReleaseItemInputDto[];
}

/** The query of `GET /v1/releases`. */
export class ListReleasesDto extends PageQueryDto {
  @Filter.several(RELEASE_STATUSES, {
    description: 'Only releases with one of these statuses.',
    example: ['scheduled'],
  })
  status?: ReleaseStatus[];

  @Filter.id('document', 'Only releases with this document.')
  documentId?: string;

  @Filter.time('Only releases that are due at or after this time')
  publishAfter?: string;

  @Filter.time('Only releases that are due before this time')
  publishBefore?: string;

  @Filter.sort(RELEASE_SORTS, {
    description: 'Field to sort by. `publish_at` is `created_at` for releases without a time.',
    example: 'publish_at',
    default: 'created_at',
  })
  sort: ReleaseSort = 'created_at';
}

/** The query of `GET /v1/releases/{id}/documents`. */
export class PreviewReleaseDto extends CreationOrderDto {
  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'Direction. `asc` is the order of the release, whatever the `sort`.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';
}

/** What readers of a document get. */
export class LivePublicationDto {
  @Field.integer({ min: 1, description: 'The published version.', example: 2 }) version: number;

  @Field.integer({ min: 1, description: 'Counts the publications of the document.', example: 1 })
  number: number;

  @Field.time() publishedAt: string;
}

/** A document of a release, as readers would get it. */
@ApiExtraModels(DocumentDto, DocumentWithoutContentDto)
export class ReleasePreviewItemDto {
  @Field.id('document') id: string;
  @ActionField() action: ReleaseAction;

  @Field.integer({
    min: 1,
    nullable: true,
    title: 'ReleasedVersion',
    description: 'The version that the release publishes. Null for `unpublish`.',
    example: 3,
  })
  version: number | null;

  @Field.flag({
    description:
      'True if this version or a newer one was published after the release was scheduled, so that the release skips the document.',
    example: false,
  })
  superseded: boolean;

  @Field.list(ReleaseProblemDto, {
    max: 20,
    description: 'What would refuse the document now or, of a failed release, what did.',
    example: [],
  })
  problems: ReleaseProblemDto[];

  @Field.object(LivePublicationDto, {
    nullable: true,
    description: 'What readers get now. Null if they do not get the document.',
  })
  live: LivePublicationDto | null;

  @Field.schema(
    {
      anyOf: [
        { $ref: '#/components/schemas/DocumentDto' },
        { $ref: '#/components/schemas/DocumentWithoutContentDto' },
        { type: 'null' },
      ],
    },
    {
      description:
        'The document as readers would get it. Without its content after 8 MiB of contents. Null for `unpublish`, and if it has no such version or cannot become `published`.',
    },
  )
  document: DocumentDto | DocumentWithoutContentDto | null;
}

/** `unpublish` has no version. */
function versionIssue(version: unknown, dto: object): string | undefined {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return 'must be a whole number from 1';
  return (dto as ReleaseItemInputDto).action === 'unpublish'
    ? 'is not for unpublish, which ends what readers get then'
    : undefined;
}

function timeZoneIssue(value: unknown): string | undefined {
  const issue = 'must be the IANA name of a time zone, such as Europe/Berlin';
  if (typeof value !== 'string' || !/^[A-Za-z][\w+/-]{0,63}$/.test(value)) return issue;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return issue;
  }
}
