import { z } from 'zod';
import { presentPerson } from '../../auth/person.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  oneOf,
  parseLine,
  person,
  someOf,
  throwProblems,
  time,
  uuid,
  wholeNumber,
} from './archive-schemas.js';
import { MAX_INT32 } from '../../../platform/openapi/schemas.js';
import { fieldIn, fieldsWithout, isJson, shownValue, type FieldMap } from './field-map.js';
import type { SupersededVersion } from './version.repository.js';
import type { VersionedResource, VersionedState, VersionHistory } from './versioned-resource.js';

/** A kind of resource in archives. Each resource has a line, followed by lines of its older versions, newest first. */
export interface ArchivedKind<State extends object = never, Archived extends object = never> {
  resource: VersionedResource;
  /** Record names of resource lines and version lines. */
  records: readonly [resource: string, version: string];
  /** Member of a version line that refers to the resource. */
  owner: string;
  /** Field names that `changes` may contain. */
  changeable: readonly string[];
  /** True if a version may have no author because it was created with the account. */
  mayLackAuthor: boolean;
  /** Additional members of a resource line. */
  more?: z.ZodRawShape;
  /** Returns a problem of a resource or version as a whole. */
  stateProblem?: (state: State) => FieldProblem | undefined;
  /** Returns a problem of a resource as a whole. */
  problem?: (archived: Archived) => FieldProblem | undefined;
}

/** Writes and reads archive lines of one kind of resource. Each line is one JSON object without line breaks. */
export class ArchivedLines<
  State extends VersionedState,
  Archived extends State & VersionHistory & { id: string; createdAt: Date; updatedAt: Date },
> {
  private readonly versioned: readonly string[];
  /** Archived fields that are not part of versions. */
  private readonly constant: readonly string[];
  private readonly resourceSchema: z.ZodObject;
  private readonly versionSchema: z.ZodObject;

  constructor(readonly kind: ArchivedKind<State, Archived>) {
    const { resource, records, owner, changeable, mayLackAuthor, more } = kind;
    const { fields } = resource;
    this.versioned = fieldsWithout(fields, 'versioned', false);
    this.constant = fieldsWithout(fields, 'archived', false).filter(
      (name) => !this.versioned.includes(name),
    );
    const state = {
      ...shapeOf(fields, this.versioned),
      changes: someOf(changeable),
      author: mayLackAuthor ? person.nullable() : person,
    };
    this.resourceSchema = z.strictObject({
      record: oneOf([records[0]]),
      ...shapeOf(fields, this.constant),
      ...more,
      ...state,
    });
    this.versionSchema = z.strictObject({
      record: oneOf([records[1]]),
      [owner]: uuid(resource.kind),
      number: wholeNumber(1, MAX_INT32),
      createdAt: time,
      ...state,
    });
  }

  /** Returns the line of a resource. `more` are additional JSON members. */
  line(archived: Archived, more: readonly string[] = []): string {
    const parts = [
      `"record":"${this.kind.records[0]}"`,
      this.members(this.constant, archived),
      ...more,
      this.stateMembers(archived),
    ];
    return `{${parts.join(',')}}`;
  }

  versionLine(version: SupersededVersion<State>): string {
    const head = JSON.stringify({
      record: this.kind.records[1],
      [this.kind.owner]: encodeId(this.kind.resource.kind, version.ownerId),
      number: version.number,
      createdAt: version.createdAt,
    });
    return `${head.slice(0, -1)},${this.stateMembers(version)}}`;
  }

  /** Returns the resource of a parsed line. Throws `bad_request` listing every problem. */
  read(value: Record<string, unknown>, latest: Date): Archived {
    const archived = this.parse(this.resourceSchema, value, latest) as Archived;
    const { createdAt, updatedAt } = archived;
    throwProblems([
      this.kind.stateProblem?.(archived),
      updatedAt < createdAt
        ? { field: 'updatedAt', issue: 'must not be before createdAt' }
        : undefined,
      this.kind.problem?.(archived),
    ]);
    return archived;
  }

  /** Returns the version of a parsed line. Throws like {@link read}. */
  readVersion(value: Record<string, unknown>, latest: Date): SupersededVersion<State> {
    const { [this.kind.owner]: ownerId, ...rest } = this.parse(this.versionSchema, value, latest);
    const version = { ...rest, ownerId } as SupersededVersion<State>;
    throwProblems([this.kind.stateProblem?.(version)]);
    return version;
  }

  private stateMembers(state: State & VersionHistory): string {
    const { changes, author } = state;
    const origin = JSON.stringify({ changes, author: author && presentPerson(author) });
    return `${this.members(this.versioned, state)},${origin.slice(1, -1)}`;
  }

  private members(names: readonly string[], values: object): string {
    const { fields } = this.kind.resource;
    return names.map((name) => memberOf(fields, name, values)).join(',');
  }

  /** Parses a line, with JSON values as their source text. */
  private parse(
    schema: z.ZodObject,
    line: Record<string, unknown>,
    latest: Date,
  ): Record<string, unknown> {
    const problems: FieldProblem[] = [];
    const parsed = parseLine(schema, line);
    const members: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(parsed)) {
      if (name === 'record' || name.endsWith(SOURCE)) continue;
      if (value instanceof Date && value > latest)
        problems.push({ field: name, issue: 'must not be in the future' });
      const source = parsed[name + SOURCE] as string | undefined;
      if (source !== undefined && withoutLineBreaks(source) !== value)
        problems.push({ field: name + SOURCE, issue: sourceIssue(name) });
      members[name] = source ?? value;
    }
    throwProblems(problems);
    return members;
  }
}

/**
 * Suffix of the member that contains the source text of a JSON value. It exists only if that text has line breaks,
 * because an archive line cannot have any.
 */
const SOURCE = 'Source';

const sourceIssue = (name: string): string => `must be the text of ${name} with its line breaks`;

function shapeOf(fields: FieldMap, names: readonly string[]): z.ZodRawShape {
  const shape = names.map((name) => [name, fieldIn(fields, name).archived]);
  const sources = names
    .filter((name) => isJson(fieldIn(fields, name)))
    .map((name) => [name + SOURCE, z.string(sourceIssue(name)).optional()]);
  return Object.fromEntries([...shape, ...sources]) as z.ZodRawShape;
}

function memberOf(fields: FieldMap, name: string, values: object): string {
  const value = (values as Readonly<Record<string, unknown>>)[name];
  return isJson(fieldIn(fields, name))
    ? sourceMembers(name, value as string)
    : `"${name}":${shownValue(fields, name, value)}`;
}

/** Returns a JSON value as members of a line. {@link ArchivedLines.read} returns its exact text. */
function sourceMembers(name: string, text: string): string {
  if (!/[\n\r]/.test(text)) return `"${name}":${text}`;
  return `"${name}":${withoutLineBreaks(text)},"${name}${SOURCE}":${JSON.stringify(text)}`;
}

/** Strings in JSON contain no line breaks, so the line breaks of a JSON text are only layout. */
function withoutLineBreaks(text: string): string {
  return text.replace(/[\n\r]/g, ' ');
}
