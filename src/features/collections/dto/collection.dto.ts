import { ApiExtraModels } from '@nestjs/swagger';
import { AcceptsFields, Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { DEFAULT_LIMIT, PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { MAX_COLLECTIONS, MAX_NAME_CHARACTERS } from '../collection.js';
import type { Right } from '../../auth/access/rights.js';
import { COLLECTION_SORTS, type CollectionSort } from '../collections.repository.js';
import { OwnAccessField, RightField, type AccessDto } from './collection-access.dto.js';

const NameField = (options: FieldOptions = {}) =>
  Field.text({
    max: MAX_NAME_CHARACTERS,
    notBlank: true,
    oneLine: true,
    title: 'CollectionName',
    description: 'One line. Need not be unique.',
    example: 'Reports',
    ...options,
  });

/** A collection in events: without what depends on the reader. */
export class EventCollectionDto {
  @Field.id('collection') id: string;

  @NameField()
  name: string;

  @Field.id('collection', {
    nullable: true,
    description: 'The collection that contains it. Null at the root.',
    example: null,
  })
  parentId: string | null;

  @Field.flag({
    description:
      'True if it has an access of its own. Otherwise those who can use the collection above can use it.',
    example: false,
  })
  isRestricted: boolean;

  @Field.integer({
    min: 1,
    title: 'VersionNumber',
    description: 'Increases by one with each change.',
    example: 1,
  })
  version: number;

  @Field.time() createdAt: string;
  @Field.time({ description: 'Equals `createdAt` until the first change.' }) updatedAt: string;
}

/** A collection in responses. Without a right in the collection that contains it, `parentId` is null. */
@ApiExtraModels(EventCollectionDto)
export class CollectionDto extends EventCollectionDto {
  @RightField(
    'What the caller may do in it, if the scopes allow it. Editors change it and what is in it; managers also set its access.',
  )
  right: Right;
}

/** A collection in a list. */
export class CollectionListItemDto extends CollectionDto {
  @Field.integer({
    optional: true,
    description:
      'Only with `include=counts`: the number of documents in it, without the trash and the collections below.',
    example: 12,
  })
  documentCount?: number;
}

/** The response to a deletion. */
export class DeletedCollectionDto {
  @Field.id('collection') id: string;
  @Field.constant(true) deleted: true;
}

const ParentField = (description: string) =>
  Field.id('collection', {
    optional: true,
    nullable: true,
    description,
    example: null,
    check: (id) => (typeof id === 'string' ? undefined : 'must be a string or null'),
  });

/** The body of `POST /v1/collections`. */
export class CreateCollectionDto {
  @NameField()
  name: string;

  @ParentField('The collection that contains it. Without it, or if null, it is at the root.')
  parentId?: string | null;

  @OwnAccessField({ optional: true })
  access?: AccessDto | null;
}

/** The body of `PATCH /v1/collections/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields([
  'id',
  'isRestricted',
  'right',
  'version',
  'createdAt',
  'updatedAt',
  'documentCount',
])
export class PatchCollectionDto {
  @NameField({ optional: true, example: 'Quarterly reports' })
  name?: string;

  @ParentField('Moves it, with everything in it, into this collection. Null moves it to the root.')
  parentId?: string | null;
}

/** The query of `GET /v1/collections`. */
export class ListCollectionsDto extends PageQueryDto {
  @Filter.integer({
    min: 1,
    max: MAX_COLLECTIONS,
    default: DEFAULT_LIMIT,
    description: 'Items per page. 1,000 is always the whole tree.',
    example: MAX_COLLECTIONS,
  })
  override limit = DEFAULT_LIMIT;

  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'Direction; ties are broken by id in the same direction.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';

  @Filter.sort(COLLECTION_SORTS, {
    description: 'Field to sort by. Names are compared by code point.',
    example: 'name',
    default: 'name',
  })
  sort: CollectionSort = 'name';

  @Field.constant('counts', {
    optional: true,
    description: 'Includes the number of documents in each collection.',
  })
  include?: 'counts';
}
