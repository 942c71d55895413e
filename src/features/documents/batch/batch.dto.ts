import { Field } from '../../../platform/openapi/field.js';
import { ApiExtraModels, getSchemaPath, type SchemaObject } from '@nestjs/swagger';
import { idSchema, KEPT_TEXT, MAX_INT32, sampleId } from '../../../platform/openapi/schemas.js';
import { DeletedDocumentDto, DocumentDto, DocumentWithoutContentDto } from '../dto/document.dto.js';
import { MAX_EXTERNAL_ID_CHARACTERS } from '../../content/text-fields.js';
import {
  CreateDocumentDto,
  CreateDocumentFromTemplateDto,
  NEW_DOCUMENT,
  PatchDocumentDto,
  ReplaceDocumentDto,
} from '../dto/write-document.dto.js';
import { batchProblems, MAX_OPERATIONS, UNKNOWN_OPERATION } from './batch-operation.js';

const op = (name: string) => ({ type: 'string', enum: [name] });
const ifMatch = {
  description: 'Like the header, or the version you read.',
  oneOf: [
    { type: 'string', maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' },
    { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_INT32 },
  ],
};

/** One operation, by its `op`. */
const OPERATION: SchemaObject = {
  oneOf: [
    {
      type: 'object',
      required: ['op', 'document'],
      properties: { op: op('create'), document: NEW_DOCUMENT },
    },
    {
      type: 'object',
      required: ['op', 'id', 'patch'],
      properties: {
        op: op('update'),
        id: idSchema('document'),
        patch: { $ref: getSchemaPath(PatchDocumentDto) },
        ifMatch,
      },
    },
    {
      type: 'object',
      required: ['op', 'externalId', 'document'],
      properties: {
        op: op('upsert'),
        externalId: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_EXTERNAL_ID_CHARACTERS,
          pattern: KEPT_TEXT,
          description: 'Your own ID for the document.',
        },
        document: { $ref: getSchemaPath(ReplaceDocumentDto) },
        ifMatch,
      },
    },
    {
      type: 'object',
      required: ['op', 'id'],
      properties: {
        op: op('delete'),
        id: idSchema('document'),
        ifMatch,
        permanent: {
          type: 'boolean',
          description: 'Deletes it permanently, also from the trash. Requires `documents:delete`.',
        },
      },
    },
    {
      type: 'object',
      required: ['op', 'id'],
      properties: {
        op: op('restore'),
        id: idSchema('document'),
        collectionId: { ...idSchema('collection'), nullable: true },
        ifMatch,
      },
    },
    {
      type: 'object',
      required: ['op', 'id'],
      properties: {
        op: op('publish'),
        id: idSchema('document'),
        version: {
          type: 'integer',
          format: 'int32',
          minimum: 1,
          maximum: MAX_INT32,
          description: 'Default: the current version.',
        },
        ifMatch,
      },
    },
    {
      type: 'object',
      required: ['op', 'id'],
      properties: { op: op('unpublish'), id: idSchema('document'), ifMatch },
    },
  ],
};

/** The body of `POST /v1/documents/batch`. */
@ApiExtraModels(
  CreateDocumentDto,
  CreateDocumentFromTemplateDto,
  PatchDocumentDto,
  ReplaceDocumentDto,
)
export class BatchDto {
  @Field.list(OPERATION, {
    min: 1,
    max: MAX_OPERATIONS,
    example: [
      { op: 'create', document: { title: 'Meeting notes' } },
      { op: 'update', id: sampleId('document'), patch: { status: 'published' } },
      { op: 'upsert', externalId: 'crm/4711', document: { title: 'Price list' } },
    ],
    description:
      'A malformed operation fails with 400, and `details` has the path in the operation. With `atomic`, it refuses the request.',
    check: (value, dto) => batchProblems(value, (dto as BatchDto).atomic),
  })
  operations: unknown[];

  @Field.flag({
    optional: true,
    default: false,
    description: 'Runs all operations in one transaction: if one fails, nothing changes.',
    example: false,
  })
  atomic?: boolean;
}

/** The result of one operation. */
class OutcomeDto {
  @Field.id('document', {
    nullable: true,
    description: 'Null if a creation or an upsert failed, or for a malformed ID.',
  })
  id: string | null;

  @Field.integer({
    min: 200,
    max: 503,
    description: 'As for a separate request; 424 if another operation undid it.',
    example: 200,
  })
  status: number;

  @Field.list(
    { $ref: '#/components/schemas/FieldProblem' },
    {
      optional: true,
      max: 100,
      description: 'As `meta.warnings` of a request.',
    },
  )
  warnings?: object[];

  @Field.schema(
    { allOf: [{ $ref: '#/components/schemas/FailureError' }] },
    {
      optional: true,
      description: 'As `error` of a request.',
    },
  )
  error?: object;
}

/** The document in a result. */
const ChangedDocumentField = () =>
  Field.schema(
    {
      oneOf: [DocumentDto, DocumentWithoutContentDto].map((dto) => ({ $ref: getSchemaPath(dto) })),
    },
    { optional: true, description: 'After success.' },
  );

/** The result of a creation. */
@ApiExtraModels(DocumentDto, DocumentWithoutContentDto)
class BatchCreationDto extends OutcomeDto {
  @Field.constant('create') op: 'create';

  @ChangedDocumentField()
  data?: object;
}

/** The result of a change. */
class BatchUpdateDto extends OutcomeDto {
  @Field.constant('update') op: 'update';

  @ChangedDocumentField()
  data?: object;
}

/** The result of an upsert: 201 if it created the document, 200 if it replaced it or changed nothing. */
class BatchUpsertDto extends OutcomeDto {
  @Field.constant('upsert') op: 'upsert';

  @ChangedDocumentField()
  data?: object;
}

/** The result of restoring a document from the trash. */
class BatchRestorationDto extends OutcomeDto {
  @Field.constant('restore') op: 'restore';

  @ChangedDocumentField()
  data?: object;
}

/** The result of a deletion. */
class BatchDeletionDto extends OutcomeDto {
  @Field.constant('delete') op: 'delete';

  @Field.object(DeletedDocumentDto, {
    optional: true,
    description: 'Present if the operation succeeded.',
  })
  data?: DeletedDocumentDto;
}

/** The result of an operation without a known `op`. */
class BatchRefusalDto extends OutcomeDto {
  @Field.constant(UNKNOWN_OPERATION) op: typeof UNKNOWN_OPERATION;
}

const RESULTS = {
  create: getSchemaPath(BatchCreationDto),
  update: getSchemaPath(BatchUpdateDto),
  upsert: getSchemaPath(BatchUpsertDto),
  delete: getSchemaPath(BatchDeletionDto),
  restore: getSchemaPath(BatchRestorationDto),
  [UNKNOWN_OPERATION]: getSchemaPath(BatchRefusalDto),
};

/** The results of a batch, in the order of its operations. */
@ApiExtraModels(
  BatchCreationDto,
  BatchUpdateDto,
  BatchUpsertDto,
  BatchDeletionDto,
  BatchRestorationDto,
  BatchRefusalDto,
)
export class BatchResultsDto {
  @Field.list(
    {
      title: 'BatchResult',
      oneOf: Object.values(RESULTS).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'op', mapping: RESULTS },
    },
    {
      max: MAX_OPERATIONS,
      example: [
        {
          op: 'delete',
          id: sampleId('document'),
          status: 200,
          data: {
            id: sampleId('document'),
            deleted: true,
            permanent: false,
            restorableUntil: '2026-12-20T08:00:00.000Z',
          },
        },
      ],
    },
  )
  results: (
    | BatchCreationDto
    | BatchUpdateDto
    | BatchUpsertDto
    | BatchDeletionDto
    | BatchRestorationDto
    | BatchRefusalDto
  )[];
}
